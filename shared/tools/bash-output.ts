import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const BashOutputInput = z.object({
  id: z.string().optional().describe('Id of the background command, such as bg_1. Default: the newest.'),
  filter: z.string().optional().describe('Return only lines that match this regular expression. The other lines count as read.'),
  command: z.string().min(1).optional().describe('Run this command in the persistent bash process instead and return only its output.'),
  timeout_ms: z.number().int().min(1).optional().describe('Time limit of the command in milliseconds, at most 600000.'),
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
  description: 'Returns what a background command has printed since the last read, and whether it is still running.',
  input: BashOutputInput,
} satisfies ToolSpec<typeof BashOutputInput>
