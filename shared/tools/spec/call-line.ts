import { isObject } from '../../lib/json.ts'
import type { JsonValue } from '../../session/content.ts'
import type { Effect } from '../../session/effects.ts'
import { touchedFiles } from '../../session/touched-files.ts'

/** The known facts about a call. Before it runs there are no effects, and before it ends there are no details. */
export interface CallFacts {
  readonly toolName: string
  readonly args: { readonly [key: string]: JsonValue } | null
  readonly effects?: readonly Effect[]
  readonly details?: JsonValue
}

/** The words for a call, as parts: "Edit" + "src/a.ts" and 2 more, "Run" + "npm test" + "as bg_1". */
export interface CallLine {
  readonly verb: string
  /** The objects of the call: files, a command, a pattern, an address. */
  readonly subjects: readonly string[]
  /** How, where or how much, in words: "in src, only *.ts", "cell 3". */
  readonly rest: string
  /** The title of a message or task that the call passes on. */
  readonly message?: string
  /** Whether the subjects are paths. If space is short, their middle is left out. */
  readonly isPath?: boolean
}

/** The line of a call with at most one subject. */
export function callLine(verb: string, subject: string, rest = ''): CallLine {
  return { verb, subjects: subject === '' ? [] : [subject], rest }
}

export function pathLine(verb: string, path: string, rest = ''): CallLine {
  return { ...callLine(verb, path, rest), isPath: true }
}

/**
 * The line of a call that writes files. It shows the files of the effects, or the files in the arguments while the effects are unknown.
 */
export function filesLine(verb: string, { effects = [] }: CallFacts, named: readonly string[], rest = ''): CallLine {
  const touched = touchedFiles(effects)
  const subjects = new Set(touched.length > 0 ? touched.map(({ shown }) => shown) : named.filter((path) => path !== ''))
  const [only] = touched
  const movedFrom = touched.length === 1 && only?.kind === 'write' && only.movedFrom ? `from ${only.movedFrom.shown}` : ''
  return { verb: doneTo(touched) ?? verb, subjects: [...subjects], rest: joined([movedFrom, rest]), isPath: true }
}

/** "Move", "Create" or "Delete" if that is done to all files. Null otherwise. */
function doneTo(files: ReturnType<typeof touchedFiles>): string | null {
  if (files.length === 0) return null
  if (files.every((file) => file.kind === 'write' && file.movedFrom)) return 'Move'
  if (files.every((file) => file.kind === 'write' && file.before === null && !file.movedFrom)) return 'Create'
  return files.every((file) => file.kind === 'delete') ? 'Delete' : null
}

/** A text argument. Empty if it is missing or not a string. */
export function textArgument({ args }: CallFacts, name: string): string {
  return textOf(args?.[name])
}

export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

export const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : [])

export const fieldOf = (value: JsonValue, name: string): JsonValue | undefined => (isObject(value) ? value[name] : undefined)

export const joined = (parts: readonly string[], joint = ' '): string => parts.filter((part) => part !== '').join(joint)

/** Maximum number of subjects that a plain line lists. */
const NAMED_SUBJECTS = 3

/** The complete line as plain text without line breaks: "Edit a.ts, b.ts", "Read a, b, c and 2 more". */
export function lineText({ verb, subjects, rest, message = '' }: CallLine): string {
  const more = subjects.length - NAMED_SUBJECTS
  const named = subjects.slice(0, NAMED_SUBJECTS).map(firstLine).join(', ')
  const words = joined([verb, named, more > 0 ? `and ${more} more` : '', firstLine(rest)])
  return message === '' ? words : `${words}: ${firstLine(message)}`
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
