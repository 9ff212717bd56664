import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { type Command, type CommandWork, commandWords } from './command.ts'

/** Commands about stored sessions accept the options of one another. */
const STORED = { options: ['cwd', 'json', 'format', 'in', 'changed', 'preview'], takes: (words: number) => words === 1 } as const

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['export', { ...STORED, use: 'export ID', load: async () => (await import('./transfer-commands.ts')).exportCommand }],
  ['import', { ...STORED, use: 'import FILE', load: async () => (await import('./transfer-commands.ts')).importCommand }],
  ['search', { ...STORED, use: 'search "WORDS"', load: async () => (await import('./search-command.ts')).searchCommand }],
  ['blame', { ...STORED, use: 'blame FILE:LINE', load: async () => (await import('./blame-command.ts')).blameCommand }],
  [
    'doctor',
    {
      use: 'doctor, which accepts only --repair, --json and --data',
      options: ['cwd', 'json', 'repair'],
      takes: (words) => words === 0,
      load: async () => (await import('./doctor-command.ts')).doctorCommand,
    },
  ],
  [
    'layers',
    {
      use: 'layers list or layers drop SESSION_ID',
      options: ['cwd', 'json', 'yes'],
      takes: (words) => words > 0,
      load: async () => (await import('./layers-command.ts')).layersCommand,
    },
  ],
  [
    'places',
    {
      use: 'places list or places stop ADDRESS',
      options: ['json', 'yes', 'uninstall'],
      takes: (words) => words > 0,
      load: async () => (await import('./places-command.ts')).placesCommand,
    },
  ],
  [
    'bring-in',
    {
      use: 'bring-in SESSION_ID or bring-in last, with --branch NAME for a branch',
      options: ['cwd', 'json', 'yes', 'branch'],
      needs: 'branch',
      takes: () => true,
      load: async () => (await import('./branch-command.ts')).branchCommand,
    },
  ],
  [
    'mcp',
    {
      use: 'mcp list, mcp approve SERVER or mcp import',
      options: ['cwd', 'json', 'let-out', 'keep-secrets'],
      takes: (words) => words > 0,
      load: async () => (await import('./mcp-command.ts')).mcpCommand,
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

/** `data`: the value of `--data`, or null. */
export interface GivenCommand {
  readonly data: string | null
  readonly work: CommandWork
}

/** Null if the arguments are a task. A failure is a sentence for standard error. */
export async function commandIn(argv: readonly string[], here: string): Promise<Result<GivenCommand, string> | null> {
  const parsed = commandWords(argv)
  if (!parsed) return null
  const { data = null, ...values } = parsed.values
  const [name = '', ...words] = parsed.positionals
  const command = COMMANDS.get(name)
  const hasNeeded = command?.needs === undefined || values[command.needs] !== undefined
  const isMeant =
    hasNeeded && command?.takes(words.length) && Object.keys(values).every((given) => command.options.some((one) => one === given))
  if (!command || !isMeant) return null
  const read = await command.load()
  const work = read(words, values, here)
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
