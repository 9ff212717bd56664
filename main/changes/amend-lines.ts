import { Buffer } from 'node:buffer'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { splitLines } from '../../shared/lib/lines/unified-hunks.ts'
import type { Amendment } from '../../shared/session/amendment.ts'
import { bomBytes, decodeText, encodeText, textFormOf } from '../tools/text/encoding.ts'

type Hunks = Extract<Amendment, { readonly kind: 'hunks' }>['hunks']

const NOT_TEXT = 'is not text, so the complete file can only be signed or left out.'
const OUT_OF_DATE = 'no longer has the lines that you decided about. Look at the request again.'
const UNWRITABLE = 'cannot contain a character of your text, because of its encoding.'

/**
 * Applies the user's decisions about the hunks to the proposed bytes: accepted lines keep the proposed bytes, all others keep the old
 * bytes. A failure is the end of a sentence that begins with the path.
 */
export function amendLines(before: Uint8Array, after: Uint8Array, hunks: Hunks): Result<Uint8Array, string> {
  const form = textFormOf(after)
  const oldForm = before.length === 0 ? form : textFormOf(before)
  if (!form || !oldForm || oldForm.encoding !== form.encoding || form.encoding === 'unknown') return failed(NOT_TEXT)
  const linesOf = (bytes: Uint8Array, bom: number): readonly string[] => splitLines(decodeText(bytes.subarray(bom), form.encoding))
  const old = linesOf(before, oldForm.bom)
  const proposed = linesOf(after, form.bom)
  if (!fit(hunks, old, proposed)) return failed(OUT_OF_DATE)
  const parts: string[] = []
  let at = 0
  for (const { before: was, after: becomes, decision } of hunks) {
    parts.push(proposed.slice(at, becomes[0]).join(''))
    if (decision.kind === 'edit') parts.push(decision.text)
    else parts.push((decision.kind === 'accept' ? proposed.slice(...becomes) : old.slice(...was)).join(''))
    at = becomes[1]
  }
  parts.push(proposed.slice(at).join(''))
  const text = parts.join('')
  const body = text.includes('\0') ? null : encodeText(text, form.encoding)
  return body === null ? failed(UNWRITABLE) : ok(Buffer.concat([bomBytes(form), body]))
}

/** Whether the hunks are in order and within both texts, and the lines between them are the same on both sides. */
function fit(hunks: Hunks, old: readonly string[], proposed: readonly string[]): boolean {
  const end = { before: [old.length, old.length], after: [proposed.length, proposed.length] } as const
  let x = 0
  let y = 0
  for (const { before, after } of [...hunks, end]) {
    if (before[0] > before[1] || after[0] > after[1] || before[1] > old.length || after[1] > proposed.length) return false
    if (before[0] < x || before[0] - x !== after[0] - y) return false
    while (y < after[0]) if (old[x++] !== proposed[y++]) return false
    x = before[1]
    y = after[1]
  }
  return true
}
