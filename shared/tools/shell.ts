import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const ShellInput = z.object({
  command: z.string().min(1).describe('The command line.'),
  description: z.string().optional().describe('What the command is for, in a few words.'),
  timeout_ms: z.number().int().min(1).optional().describe('Time limit in milliseconds, at most 600000.'),
  run_in_background: z.boolean().optional().describe('Start the command and return at once. Read its output with bash_output.'),
  working_dir: z.string().optional().describe('Folder to run in. Default: the working directory.'),
})
export type ShellInput = z.infer<typeof ShellInput>

export interface ShellDetails {
  readonly command: string
  readonly cwd: string
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** Ran in a pty, so its raw bytes can be shown again. */
  readonly terminal: boolean
  /** The raw terminal bytes; null without a terminal or without output. */
  readonly rawBlob: string | null
  /** It runs on in the background under this id; absent: it has ended. */
  readonly background?: string
}

export const shellSpec = {
  name: 'shell',
  verb: 'Run',
  description:
    'Runs a command line in a new bash process and returns its output, exit code and duration. Nothing carries over to later calls. Standard input is empty, so pass the flags that prevent questions.',
  input: ShellInput,
} satisfies ToolSpec<typeof ShellInput>
