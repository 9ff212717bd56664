import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const BashOutputInput = z.object({
  id: z.string().optional().describe('Which background command, such as bg_1; the newest when left out.'),
  filter: z.string().optional().describe('Only lines that match this regular expression; the others are read all the same.'),
  command: z.string().min(1).optional().describe('Instead: run this in the session’s bash and return its output alone.'),
  timeout_ms: z.number().int().min(1).optional().describe('Time limit of command in milliseconds; at most 600000.'),
})
export type BashOutputInput = z.infer<typeof BashOutputInput>

export interface BashOutputDetails {
  readonly id: string
  readonly command: string
  readonly running: boolean
  /** Null while it runs, or when a signal ended it. */
  readonly exitCode: number | null
}

export const bashOutputSpec = {
  name: 'bash_output',
  verb: 'Read output',
  description: 'Returns what a background command has printed since it was last read, and whether it still runs.',
  input: BashOutputInput,
} satisfies ToolSpec<typeof BashOutputInput>
