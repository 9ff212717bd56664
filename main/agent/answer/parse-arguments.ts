import { isNestedDeeper, MOST_LEVELS } from '../../../shared/lib/nesting.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { StopReason } from '../../../shared/session/events.ts'

export type Arguments = { readonly [key: string]: JsonValue }

/** Characters. No tool of ours takes more; a model cannot write as much in one answer (fault 47: 10 MB). */
const MOST_CHARS = 4_000_000

/**
 * The arguments of a call from the vendor's raw text, which is read once and only when it is whole: nothing is ever executed from
 * repaired or partial JSON (security 3.4). No text at all is no arguments. The failure is a sentence that the model can act on (P3-17).
 */
export function parseArguments(argsText: string, stopReason: StopReason): Result<Arguments, string> {
  if (argsText.length > MOST_CHARS) return failed(`The arguments have ${argsText.length} characters; at most ${MOST_CHARS} are taken.`)
  if (argsText.trim() === '') return stopReason === 'length' ? failed(CUT_OFF) : ok({})
  if (isNestedDeeper(argsText)) return failed(`The arguments are nested more than ${MOST_LEVELS} levels deep; send them flatter.`)
  let value: JsonValue
  try {
    value = JSON.parse(argsText) as JsonValue
  } catch (error) {
    if (stopReason === 'length') return failed(CUT_OFF)
    return failed(`The arguments are not valid JSON (${error instanceof Error ? error.message : String(error)}). Send one JSON object.`)
  }
  if (value === null || typeof value !== 'object' || isList(value))
    return failed(`The arguments must be one JSON object, not ${nameOf(value)}.`)
  const unsafe = unsafeKey(argsText)
  return unsafe ? failed(unsafe) : ok(value)
}

const CUT_OFF =
  'The arguments were cut off by the length limit of the answer; nothing was executed. Send the call again with shorter arguments.'

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

function nameOf(value: JsonValue): string {
  if (value === null) return 'null'
  return isList(value) ? 'a list' : `a ${typeof value}`
}

/**
 * Why a valid JSON text may not be taken as arguments although it parses: the same key twice in one object (which of the two was meant?),
 * or `__proto__`. Null when there is nothing of the kind. One pass over the text; `text` must be valid JSON.
 */
export function unsafeKey(text: string): string | null {
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
          if (keys.has(key)) return `The key ${JSON.stringify(key)} occurs twice in the arguments; send it once.`
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

/** The index behind the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** A string is a key when a colon follows it; as a value it is followed by a comma or a closing bracket. */
function isKey(text: string, end: number): boolean {
  let at = end
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return text[at] === ':'
}
