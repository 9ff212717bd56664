import { z } from 'zod'

// The page's content policy forbids code from text. Zod would try it once, which the browser reports as a violation. Must run before the
// first schema is created.
z.config({ jitless: true })
