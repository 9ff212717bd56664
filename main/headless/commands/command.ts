import { parseArgs } from 'node:util'
import type { Result } from '../../../shared/lib/result.ts'
import type { App } from '../../compose/app.ts'
import type { Write } from '../report/standard-output.ts'

/** What a command works with. */
export interface CommandPlace {
  readonly dataFolder: string
  readonly write: Write
  /** Opens the app without an agent, and closes it after `work`. `trusted`: a folder that the user trusts for this run. */
  withApp(work: (app: App) => Promise<number>, trusted?: string): Promise<number>
}

/** Returns the exit code. */
export type CommandWork = (place: CommandPlace) => Promise<number>

/** A command about what is stored or set up. It can be given instead of a task, runs no agent and needs no key. */
export interface Command {
  /** How to type it. */
  readonly use: string
  /** Its options besides `--data`. With others, the words may be a task. */
  readonly options: readonly (keyof CommandValues)[]
  /** The option without which the words are something else. Absent if there is none. */
  readonly needs?: 'branch'
  /** The number of words after its name. With another number, the words may be a task. */
  readonly takes: (words: number) => boolean
  /** Loads its code, which most runs do not need. */
  readonly load: () => Promise<ReadCommand>
}

/** `here`: the folder to which paths are relative. A failure is a sentence for standard error. */
type ReadCommand = (words: readonly string[], values: CommandValues, here: string) => Result<CommandWork, string>

export type CommandValues = NonNullable<ReturnType<typeof commandWords>>['values']

/** The words and the options of all commands. Null if other options are given, which may belong to a task. */
export function commandWords(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = {
    data: text,
    cwd: text,
    json: flag,
    format: text,
    in: text,
    changed: text,
    preview: flag,
    repair: flag,
    'let-out': flag,
    'keep-secrets': flag,
    yes: flag,
    uninstall: flag,
    branch: text,
  } as const
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, allowNegative: true, options })
  } catch {
    return null
  }
}
