import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { BLAME_HELP, blameCommand } from './blame-command.ts'
import { BRANCH_HELP, branchCommand } from './branch-command.ts'
import { type Command, type CommandWork, commandWords } from './command.ts'
import { DOCTOR_HELP, doctorCommand } from './doctor-command.ts'
import { LAYERS_HELP, layersCommand } from './layers-command.ts'
import { MCP_HELP, mcpCommand } from './mcp-command.ts'
import { PLACES_HELP, placesCommand } from './places-command.ts'
import { SEARCH_HELP, searchCommand } from './search-command.ts'
import { exportCommand, importCommand, TRANSFER_HELP } from './transfer-commands.ts'

/** Commands about stored sessions accept the options of one another. */
const STORED = { options: ['cwd', 'json', 'format', 'in', 'changed', 'preview'], takes: (words: number) => words === 1 } as const

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['export', { ...STORED, use: 'export ID', read: exportCommand }],
  ['import', { ...STORED, use: 'import FILE', read: importCommand }],
  ['search', { ...STORED, use: 'search "WORDS"', read: searchCommand }],
  ['blame', { ...STORED, use: 'blame FILE:LINE', read: blameCommand }],
  [
    'doctor',
    {
      use: 'doctor, which accepts only --repair, --json and --data',
      options: ['cwd', 'json', 'repair'],
      takes: (words) => words === 0,
      read: doctorCommand,
    },
  ],
  [
    'layers',
    {
      use: 'layers list or layers drop SESSION_ID',
      options: ['cwd', 'json', 'yes'],
      takes: (words) => words > 0,
      read: layersCommand,
    },
  ],
  [
    'places',
    {
      use: 'places list or places stop ADDRESS',
      options: ['json', 'yes', 'uninstall'],
      takes: (words) => words > 0,
      read: placesCommand,
    },
  ],
  [
    'bring-in',
    {
      use: 'bring-in SESSION_ID or bring-in last, with --branch NAME for a branch',
      options: ['cwd', 'json', 'yes', 'branch'],
      needs: 'branch',
      takes: () => true,
      read: branchCommand,
    },
  ],
  [
    'mcp',
    {
      use: 'mcp list, mcp approve SERVER or mcp import',
      options: ['cwd', 'json', 'let-out', 'keep-secrets'],
      takes: (words) => words > 0,
      read: mcpCommand,
    },
  ],
])

/** How to type the other commands, which need what a task needs (`flags.ts`). */
const USES: ReadonlyMap<string, string> = new Map([
  ['undo', 'undo STEP'],
  ['rollback', 'rollback STEP'],
  ['redo', 'redo last'],
  ['state', 'state SESSION_ID or state last'],
  ['plan', 'plan FILE'],
])

/** Part of `--help`. */
export const COMMANDS_HELP = `Stored sessions
${TRANSFER_HELP}
${SEARCH_HELP}
${BLAME_HELP}
${DOCTOR_HELP}
${LAYERS_HELP}

Other machines
${PLACES_HELP}
${BRANCH_HELP}

MCP servers
${MCP_HELP}`

/** `data`: the value of `--data`, or null. */
export interface GivenCommand {
  readonly data: string | null
  readonly work: CommandWork
}

/** Null if the arguments are a task. A failure is a sentence for standard error. */
export function commandIn(argv: readonly string[], here: string): Result<GivenCommand, string> | null {
  const parsed = commandWords(argv)
  if (!parsed) return null
  const { data = null, ...values } = parsed.values
  const [name = '', ...words] = parsed.positionals
  const command = COMMANDS.get(name)
  const hasNeeded = command?.needs === undefined || values[command.needs] !== undefined
  const isMeant =
    hasNeeded && command?.takes(words.length) && Object.keys(values).every((given) => command.options.some((one) => one === given))
  if (!command || !isMeant) return null
  const work = command.read(words, values, here)
  return work.ok ? ok({ data, work: work.value }) : failed(work.failure)
}

/**
 * Returns an error message if the words begin with the name of a command: the command is incomplete, or a task is not in quotes. Null
 * otherwise. Without this check, `undo` alone would be a task and start a turn that costs money.
 */
export function flawOfCommand([name = '', ...rest]: readonly string[]): string | null {
  const use = COMMANDS.get(name)?.use ?? USES.get(name)
  if (use === undefined) return null
  return `"${name}" is a command: ${use}. ${rest.length > 0 ? 'Put a task in quotes.' : 'A task needs more than this word.'}`
}
