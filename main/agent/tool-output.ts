import { modelOnly, type ReasonText, reason } from './reason.ts'
import type { JsonValue } from '../../shared/session/content.ts'
import type { Redactor } from './ports/redactor.ts'
import type { ToolOutput } from './ports/tool.ts'

/** The output of a failed call. */
export function failure(why: ReasonText, details: JsonValue = null): ToolOutput {
  const output = { output: String(why), isError: true, details }
  return typeof why === 'string' ? output : { ...output, shown: why.forPerson === '' ? NOT_VALID : why.forPerson }
}

/** What people read if only the model can do something about a failure. */
const NOT_VALID = 'The agent’s call was not valid.'

/** The output of a failed call, followed by what else is possible. */
export function failureWithAdvice(why: ReasonText, advice: string): ToolOutput {
  return { ...failure(reason`${why} ${modelOnly(advice)}`), advice }
}

/** What the model reads when a tool throws an error. */
export function toolError(error: unknown): string {
  return `Tool error: ${error instanceof Error ? error.message : String(error)}`
}

/**
 * Adds a note for the model on how the call ended. The screen does not show the note, because it shows the end of a call in its own way.
 */
export function withWords(output: ToolOutput, words: string): ToolOutput {
  const text = typeof output.output === 'string' ? output.output : ''
  return { ...output, output: text === '' ? words : `${text.trimEnd()}\n${words}`, shown: output.shown ?? text }
}

/** Returns the same output without the known secrets. */
export function redacted(given: ToolOutput, redactor: Redactor): ToolOutput {
  const { output, shown, advice } = given
  return {
    ...given,
    output:
      typeof output === 'string'
        ? redactor.text(output)
        : output.map((part) => (part.kind === 'text' ? { ...part, text: redactor.text(part.text) } : part)),
    details: redactedJson(given.details, redactor),
    ...(shown !== undefined && { shown: redactor.text(shown) }),
    ...(advice !== undefined && { advice: redactor.text(advice) }),
  }
}

function redactedJson(value: JsonValue, redactor: Redactor): JsonValue {
  if (typeof value === 'string') return redactor.text(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => redactedJson(item, redactor))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactedJson(item, redactor)]))
}
