import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const BashInput = z.object({
  command: z.string().min(1).describe('The command line.'),
  description: z.string().optional().describe('What the command is for, in a few words.'),
  timeout_ms: z.number().int().min(1).optional().describe('Time limit in milliseconds, at most 600000.'),
  run_in_background: z
    .boolean()
    .optional()
    .describe(
      'Start the command in a separate bash process, in the current folder of this one, and return at once. Read its output with bash_output.',
    ),
  working_dir: z.string().optional().describe('Change to this folder first and stay there. Default: the current folder of the process.'),
})
export type BashInput = z.infer<typeof BashInput>

export const bashSpec = {
  name: 'bash',
  verb: 'Run',
  description:
    'Runs a command line in one bash process that stays alive between calls and keeps its working folder, variables and functions. A timeout or `exit` ends the process; the next call starts a new one.',
  input: BashInput,
} satisfies ToolSpec<typeof BashInput>
