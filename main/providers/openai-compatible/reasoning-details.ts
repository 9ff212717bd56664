import { isObject } from '../../../shared/lib/json.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import { textOr } from '../answer/untyped-fields.ts'

/**
 * Members in which servers stream reasoning as plain text and expect it to be sent back. The part stores the member's name as its
 * signature.
 */
export const REASONING_MEMBERS: readonly string[] = ['reasoning_content', 'reasoning', 'reasoning_text']

type Detail = { readonly [key: string]: JsonValue }

/** Members that are streamed in pieces. */
const GROWING = ['text', 'summary', 'data', 'signature'] as const

/**
 * Merges pieces of `reasoning_details`, which some routers expect to be sent back. Consecutive pieces with the same index and type become
 * one entry.
 */
export function grownDetails(details: readonly JsonValue[], pieces: readonly JsonValue[]): readonly JsonValue[] {
  if (pieces.length === 0) return details
  const all = [...details]
  for (const piece of pieces) {
    const before = all.at(-1)
    if (isObject(piece) && isObject(before) && before['index'] === piece['index'] && before['type'] === piece['type'])
      all[all.length - 1] = joined(before, piece)
    else all.push(piece)
  }
  return all
}

/** The readable text of such pieces. Not all servers also send it as plain text. */
export function textOfDetails(pieces: readonly JsonValue[]): string {
  return pieces.map((piece) => (isObject(piece) ? textOr(piece['text'] ?? piece['summary'], '') : '')).join('')
}

function joined(before: Detail, piece: Detail): Detail {
  const grown = GROWING.flatMap((name): [string, JsonValue][] => {
    const a = before[name]
    const b = piece[name]
    return typeof a === 'string' && typeof b === 'string' ? [[name, a + b]] : []
  })
  const given = Object.entries(piece).filter(([, value]) => value !== null)
  return { ...before, ...Object.fromEntries(given), ...Object.fromEntries(grown) }
}
