import { isNestedDeeper, MOST_LEVELS } from '../../../shared/lib/nesting.ts'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import { unsafeKey } from './unsafe-key.ts'

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
