import { z } from 'zod'

export const tempFileNote = z.object({ kind: z.literal('temp-file'), path: z.string() })

/** A note that another process wrote about a command (`CommandNote`). */
export const commandNote = z.object({
  kind: z.literal('command'),
  pid: z.number(),
  startTime: z.string().nullable(),
  marker: z.string().min(1),
  command: z.string(),
  cwd: z.string(),
  since: z.number().nullable().default(null),
})
