import { z } from 'zod'

const port = z.int().min(1).max(65_535)

/** More than any project listens on. */
const MAX_PORTS = 1_000

/** The calls about the ports of programs. */
export const PORT_METHODS = {
  listeningPorts: { args: z.object({}), value: z.array(z.object({ port, program: z.string().max(100) })).max(MAX_PORTS) },
  /** Its bytes cross as those of an opened program. Answered when both directions have ended. */
  dialPort: { args: z.object({ port }), value: z.null() },
} as const
