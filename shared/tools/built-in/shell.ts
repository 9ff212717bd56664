import { wordList } from '../../lib/word-list.ts'
import { z } from 'zod'
import { COMMAND } from '../foreign-arguments/argument-aliases.ts'
import { withCommandLine } from '../foreign-arguments/command-from-words.ts'
import { COMMAND_REFUSALS } from '../foreign-arguments/argument-refusals.ts'
import { type CallFacts, callLine, textArgument } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'

const ShellInput = z.object({
  command: z.string().min(1).describe('The command line.'),
  description: z.string().optional().describe('What the command is for, in a few words.'),
  timeout_ms: z.number().int().min(1).optional().describe('Time limit in milliseconds, at most 600000.'),
  run_in_background: z.boolean().optional().describe('Start the command and return at once. Read its output with bash_output.'),
  working_dir: z.string().optional().describe('Folder to run in. Default: the working directory.'),
})
type ShellInput = z.infer<typeof ShellInput>

/** Details of a command that a call ran. */
export const ShellDetails = z.object({
  command: z.string(),
  cwd: z.string(),
  /** Null if a signal ended the command, or if it has not ended. */
  exitCode: z.number().nullable(),
  timedOut: z.boolean().default(false),
  /** Whether the command ran in a pty, so that its raw bytes can be shown again. */
  terminal: z.boolean().default(false),
  /** The raw terminal bytes. Null if there was no terminal or no output. */
  rawBlob: z.string().nullable().default(null),
  /** The id of a command that continues in the background. If absent, the command has ended. */
  background: z.string().optional(),
  /**
   * Lines of the output that are only for the model, in order: how the command ended, and what to do about a time limit or a question.
   */
  forModel: z.array(z.string()).default([]),
  /** Why the changes in the command's copy are lost: they could not be kept, or could not be applied. If absent, they are not lost. */
  notApplied: z.string().optional(),
})
export type ShellDetails = z.infer<typeof ShellDetails>

/** The common parts of `shell` and `bash`. */
const RUNS = {
  details: ShellDetails,
  line: (call: CallFacts, details: ShellDetails | null) =>
    callLine('Run', textArgument(call, 'command').trim(), details?.background === undefined ? '' : `as ${details.background}`),
  runsCommand: () => true,
  aliases: COMMAND,
  complete: withCommandLine,
} as const

export const shellSpec = toolSpec({
  name: 'shell',
  verb: 'Run',
  description:
    'Runs a command line in a new bash process and returns its output, exit code and duration. Nothing carries over to later calls. Standard input is empty, so pass the flags that prevent questions.',
  use: 'The default way to run a command, such as a test, a build or git. Read, search and edit files with the other tools. Start programs that do not end by themselves, such as servers, in the background.',
  input: ShellInput,
  ...RUNS,
  otherNames: wordList(`
  Bash execute_bash run_command run_shell_command shell_command local_shell container.exec exec_command execute_command
  run_terminal_cmd run_terminal_command run_in_terminal
`),
  refuses: COMMAND_REFUSALS,
})

const BashInput = z.object({
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
type BashInput = z.infer<typeof BashInput>

export const bashSpec = toolSpec({
  name: 'bash',
  verb: 'Run',
  description:
    'Runs a command line in one bash process that stays alive between calls and keeps its working folder, variables and functions. A timeout or `exit` ends the process; the next call starts a new one.',
  use: 'Use it only if commands depend on each other, for example in an activated environment.',
  isOffered: true,
  input: BashInput,
  ...RUNS,
  otherNames: ['Bash', 'execute_bash'],
  refuses: { ...COMMAND_REFUSALS, restart: { why: 'Stop the bash process with kill_shell first.' } },
})
