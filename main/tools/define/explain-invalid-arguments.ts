import { byReader, joined, type Reason, type ReasonText, reason } from '../../agent/reason.ts'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Maximum number of issues that are listed. A model fixes these and sees the others on its next try. */
const NAMED = 5
/** Maximum number of characters of a wrong value that are quoted. */
const QUOTED = 40

/** Describes the errors in the arguments in sentences that a model can act on. */
export const explainIssues = (issues: readonly Issue[], args: unknown): Reason =>
  joined(issues.slice(0, NAMED).map((issue) => sentence(issue, args)))

function sentence(issue: Issue, args: unknown): ReasonText {
  const name = argumentName(issue.path.map(String).join('.') || 'it')
  const given = valueAt(args, issue.path)
  switch (issue.code) {
    case 'invalid_type':
      if (given === undefined) return reason`${name} is missing; it must be ${withArticle(issue.expected)}.`
      return reason`${name} must be ${withArticle(issue.expected)}, not ${quoted(given)}.`
    case 'too_small':
      if (issue.origin === 'string') return reason`${name} must not be empty.`
      return reason`${name} must ${bound('at least', issue.origin, issue.minimum)}, not ${quoted(given)}.`
    case 'too_big':
      return reason`${name} must ${bound('at most', issue.origin, issue.maximum)}, not ${quoted(given)}.`
    case 'invalid_value':
      return reason`${name} ${given === undefined ? 'is missing; it ' : ''}must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}${given === undefined ? '' : `, not ${quoted(given)}`}.`
    case 'unrecognized_keys':
      return reason`${issue.path.length === 0 ? '' : reason`${name}: `}${issue.keys.join(', ')} ${issue.keys.length === 1 ? 'is' : 'are'} not known here.`
    case 'invalid_union':
      return given === undefined ? reason`${name} is missing.` : reason`${name} has an unsupported form: ${quoted(given)}.`
    default:
      return issue.path.length === 0 ? stopped(issue.message) : reason`${name}: ${stopped(issue.message)}`
  }
}

/** Everyday words for arguments, as the beginning of a sentence. */
const ARGUMENT_WORDS: ReadonlyMap<string, string> = new Map([
  ['old_string', 'The text to replace'],
  ['new_string', 'The new text'],
  ['file_path', 'The path'],
  ['replace_all', 'Replacing all of them'],
  ['cell_idx', 'The cell'],
])

/** The name of an argument at the beginning of a sentence. */
function argumentName(name: string): Reason {
  const isWord = /^[a-z]+$/u.test(name)
  return byReader(name, ARGUMENT_WORDS.get(name) ?? (isWord ? name.slice(0, 1).toUpperCase() + name.slice(1) : name))
}

function bound(side: 'at least' | 'at most', origin: string, limit: number | bigint): string {
  if (origin === 'array') return `contain ${side} ${limit} ${limit === 1 ? 'entry' : 'entries'}`
  return origin === 'string' ? `have ${side} ${limit} characters` : `be ${side} ${limit}`
}

const stopped = (words: string): string => (words.endsWith('.') ? words : `${words}.`)

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    args,
  )
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value)
  if (text === undefined) return typeof value
  return text.length > QUOTED ? `${text.slice(0, QUOTED).toWellFormed()}…` : text
}

function withArticle(expected: string): string {
  if (expected === 'int') return 'a whole number'
  return /^[aeiou]/u.test(expected) ? `an ${expected}` : `a ${expected}`
}
