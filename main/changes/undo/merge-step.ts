import { Buffer } from 'node:buffer'
import { diff3Merge } from 'node-diff3'
import type { ConflictChoice, ConflictLines, ConflictRegion } from '../../../shared/lib/line-conflict.ts'

/** A file before the step, after it, and now. */
export interface Versions {
  readonly before: Uint8Array
  readonly step: Uint8Array
  readonly now: Uint8Array
}

/** Lines as Latin-1 strings with one character per byte, so that no byte changes in the process. */
type Lines = readonly string[]

export type MergePart =
  | { readonly kind: 'lines'; readonly lines: Lines }
  | { readonly kind: 'conflict'; readonly before: Lines; readonly now: Lines; readonly region: ConflictRegion }

/** The file without the step's changes, in parts. Null if it is not text, or too long to be compared. */
export function mergeStep({ before, step, now }: Versions): readonly MergePart[] | null {
  const texts = [now, step, before].map(linesOf)
  const [a, o, b] = texts
  if (!a || !o || !b) return null
  const head = sharedHead([a, o, b])
  const tail = sharedTail([a, o, b], head)
  const middle = (lines: Lines): string[] => lines.slice(head, lines.length - tail)
  if ([a, o, b].some((lines) => middle(lines).length > MAX_LINES)) return null
  const merged = diff3Merge(middle(a), middle(o), middle(b), { excludeFalseConflicts: true })
  return [
    { kind: 'lines', lines: a.slice(0, head) },
    ...merged.map(({ ok, conflict }): MergePart => {
      if (!conflict) return { kind: 'lines', lines: ok ?? [] }
      const at = (index: number, lines: Lines): ConflictLines => ({ line: head + index + 1, lines: lines.map(shown) })
      const region = {
        now: at(conflict.aIndex, conflict.a),
        step: at(conflict.oIndex, conflict.o),
        before: at(conflict.bIndex, conflict.b),
      }
      return { kind: 'conflict', before: conflict.b, now: conflict.a, region }
    }),
    { kind: 'lines', lines: a.slice(a.length - tail) },
  ]
}

/** The merged file. `choices`: one for each conflict, in order. Null if their number is wrong. */
export function mergedBytes(parts: readonly MergePart[], choices: readonly ConflictChoice[]): Uint8Array | null {
  const conflicts = parts.filter(({ kind }) => kind === 'conflict').length
  if (conflicts !== choices.length) return null
  let index = 0
  const lines = parts.flatMap((part) => (part.kind === 'lines' ? part.lines : chosen(part, choices[index++] ?? 'now')))
  return Buffer.from(lines.join('\n'), 'latin1')
}

/** Maximum number of lines between the first and the last change. Comparing that many takes about 20 ms. */
const MAX_LINES = 5000

function linesOf(bytes: Uint8Array): Lines | null {
  return bytes.includes(0) ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split('\n')
}

const shown = (line: string): string => Buffer.from(line, 'latin1').toString('utf8').replace(/\r$/u, '')

function chosen({ before, now }: Extract<MergePart, { kind: 'conflict' }>, choice: ConflictChoice): Lines {
  if (choice === 'now') return now
  if (choice === 'before') return before
  if (choice.text === '') return []
  const end = [...now, ...before].every((line) => line.endsWith('\r')) ? '\r' : ''
  return Buffer.from(choice.text, 'utf8')
    .toString('latin1')
    .split('\n')
    .map((line) => `${line}${end}`)
}

function sharedHead([first = [], ...others]: readonly Lines[]): number {
  let head = 0
  while (head < first.length && others.every((lines) => head < lines.length && lines[head] === first[head])) head++
  return head
}

function sharedTail([first = [], ...others]: readonly Lines[], head: number): number {
  let tail = 0
  const most = Math.min(first.length, ...others.map(({ length }) => length)) - head
  while (tail < most && others.every((lines) => lines[lines.length - 1 - tail] === first[first.length - 1 - tail])) tail++
  return tail
}
