import { byReader, modelOnly, type ReasonText, reason } from '../reason.ts'
import { isNestedDeeper, MAX_LEVELS } from '../../../shared/lib/json.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { StopReason } from '../../../shared/session/events.ts'

export type Arguments = { readonly [key: string]: JsonValue }

/** Maximum number of characters in a call's arguments. No tool accepts more, and no model writes that many in one answer. */
const MAX_ARGUMENT_CHARS = 4_000_000

/**
 * Parses a call's arguments from the vendor's raw text. They are parsed once, when the text is complete: repaired or partial JSON is
 * never executed. Empty text means no arguments. The failure is a sentence the model can act on.
 */
export function parseArguments(argsText: string, stopReason: StopReason): Result<Arguments, ReasonText> {
  if (argsText.length > MAX_ARGUMENT_CHARS)
    return failed(`The arguments have ${argsText.length} characters; at most ${MAX_ARGUMENT_CHARS} are accepted.`)
  if (argsText.trim() === '') return stopReason === 'length' ? failed(CUT_OFF) : ok({})
  if (isNestedDeeper(argsText)) return failed(TOO_DEEP)
  let value: JsonValue
  try {
    value = JSON.parse(argsText) as JsonValue
  } catch (error) {
    if (stopReason === 'length') return failed(CUT_OFF)
    const detail = error instanceof Error ? error.message : String(error)
    return failed(reason`The arguments are not valid JSON (${detail}). ${modelOnly('Send one JSON object.')}`)
  }
  if (value === null || typeof value !== 'object' || isList(value))
    return failed(`The arguments must be one JSON object, not ${nameOf(value)}.`)
  const unsafe = unsafeKey(argsText)
  return unsafe ? failed(unsafe) : ok(value)
}

const TOO_DEEP = reason`The arguments are nested more than ${MAX_LEVELS} levels deep${byReader('; send them with less nesting.', '.')}`

const CUT_OFF = reason`The arguments were cut off by the length limit of the answer; nothing was executed. ${modelOnly('Send the call again with shorter arguments.')}`

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

function nameOf(value: JsonValue): string {
  if (value === null) return 'null'
  return isList(value) ? 'a list' : `a ${typeof value}`
}

/**
 * Why valid JSON is still rejected as arguments: a key occurs twice in one object, or a key is `__proto__`. Otherwise null. `text` must be
 * valid JSON and is scanned once.
 */
function unsafeKey(text: string): ReasonText | null {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
        open.push(new Set())
        break
      case '[':
        open.push(null)
        break
      case '}':
      case ']':
        open.pop()
        break
      case '"': {
        const end = endOfString(text, at)
        const keys = open.at(-1)
        if (keys && isKey(text, end)) {
          const key = JSON.parse(text.slice(at, end)) as string
          if (key === '__proto__') return 'The key "__proto__" is not allowed in arguments.'
          if (keys.has(key)) return reason`The key ${JSON.stringify(key)} occurs twice in the arguments${byReader('; send it once.', '.')}`
          keys.add(key)
        }
        at = end - 1
        break
      }
      default:
    }
  }
  return null
}

/** The index after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** A string followed by a colon is a key. */
function isKey(text: string, end: number): boolean {
  let at = end
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return text[at] === ':'
}
