import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const BashInput = z.object({
  command: z.string().min(1).describe('The command line.'),
  description: z.string().optional().describe('What the command is for, in a few words.'),
  timeout_ms: z.number().int().min(1).optional().describe('Time limit in milliseconds; at most 600000.'),
  run_in_background: z
    .boolean()
    .optional()
    .describe('Start it in a bash of its own, in the folder of the session’s shell, and go on; bash_output reads what it prints.'),
  working_dir: z.string().optional().describe('Folder to go to first; the bash stays there. Where it stands when left out.'),
})
export type BashInput = z.infer<typeof BashInput>

export const bashSpec = {
  name: 'bash',
  verb: 'Run',
  description:
    'Runs one command line in the session’s own bash, which remembers folder, variables and functions from call to call. A command that runs into its time limit, or exit, ends that bash; the next call gets a fresh one.',
  input: BashInput,
} satisfies ToolSpec<typeof BashInput>
