import { z } from 'zod'

// The page's content policy forbids code from text. Zod would try it once, which the browser reports as a violation. This is a module of its
// own, because it must run before any module that creates a schema, and only imports run in a fixed order.
z.config({ jitless: true })
