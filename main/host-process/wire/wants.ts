import { z } from 'zod'

/** What the near side wants to hear about a command while it runs. */
export const wants = z.array(z.enum(['output', 'progress', 'start', 'waiting', 'spool', 'spoolText', 'terminal']))
export type Want = z.infer<typeof wants>[number]
