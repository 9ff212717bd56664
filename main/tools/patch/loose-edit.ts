import { fileLines, type FileLines } from './file-lines.ts'
import { type MatchPass, PASSES, createLineMatches, plainPunctuation } from './line-matches.ts'
import { type IndentPair, indentOf, reindented } from './reindent.ts'
import { spliceLines } from './splice-lines.ts'
import { type Edited, editBytes } from '../text/edit-bytes.ts'
import { type TextForm, decodeText } from '../text/encoding.ts'

export interface LooseEdit extends Edited {
  /** In what the text that was found differs, for the result. */
  readonly difference: string
}

/** Bytes of a file that is looked through loosely; in a larger one a second look costs too much time. */
const MOST_BYTES = 4 * 1024 * 1024

/**
 * An edit whose old text is not in the file exactly, but once and only once with other punctuation, or as whole lines with other blanks
 * (S-19). New lines are indented as the file is; where the file indents lines differently that the old text indents alike, it is no match.
 * Null: no such place.
 */
export function looseEdit(bytes: Uint8Array, form: TextForm, old: string, fresh: string): LooseEdit | null {
  if (form.encoding === 'unknown' || old.trim() === '' || bytes.length > MOST_BYTES) return null
  return byPunctuation(bytes, form, old, fresh) ?? byLines(fileLines(bytes, form), old, fresh)
}

function byPunctuation(bytes: Uint8Array, form: TextForm, old: string, fresh: string): LooseEdit | null {
  const text = decodeText(bytes.subarray(form.bom), form.encoding)
  const plain = plainPunctuation(text)
  const sought = plainPunctuation(old)
  const at = plain.indexOf(sought)
  if (at < 0 || plain.includes(sought, at + 1)) return null
  const there = text.slice(at, at + sought.length)
  const edited = editBytes(bytes, form, { old: there, new: withEndsKept(there, old, fresh), all: false })
  return edited.ok ? { ...edited.value, difference: 'with other punctuation' } : null
}

/**
 * What old and new text begin and end with alike stays as the file has it: whole lines of it where quotes or dashes change, so that no pair
 * is parted.
 */
function withEndsKept(there: string, old: string, fresh: string): string {
  const most = Math.min(old.length, fresh.length)
  let head = 0
  while (head < most && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  if (/["'`-]/u.test(old.slice(head, old.length - tail) + fresh.slice(head, fresh.length - tail))) {
    const end = old.indexOf('\n', old.length - tail)
    head = old.slice(0, head).lastIndexOf('\n') + 1
    tail = end < 0 ? 0 : old.length - end
  }
  return there.slice(0, head) + fresh.slice(head, fresh.length - tail) + there.slice(there.length - tail)
}

function byLines(file: FileLines, old: string, fresh: string): LooseEdit | null {
  const [oldLines, freshLines] = [linesOf(old), linesOf(fresh)]
  if (old.endsWith('\n') !== fresh.endsWith('\n') && fresh !== '') return null
  const place =
    placeOf(file.texts, oldLines, PASSES) ?? placeOf(file.texts.map(withSingleBlanks), oldLines.map(withSingleBlanks), ['trim', 'unicode'])
  if (place === null || place.isTwice) return null
  const indented = indentedAs(file.texts.slice(place.start, place.start + oldLines.length), oldLines, freshLines)
  return indented && replaced(file, { ...place, oldLines, freshLines, indented })
}

interface Place {
  readonly start: number
  readonly pass: MatchPass
  /** Nor is it looked for more loosely. */
  readonly isTwice: boolean
}

function placeOf(texts: readonly string[], sought: readonly string[], passes: readonly MatchPass[]): Place | null {
  const matches = createLineMatches(texts, sought)
  for (const pass of passes) {
    const [start, ...others] = matches.starts(sought, pass)
    if (start !== undefined) return { start, pass, isTwice: others.length > 0 }
  }
  return null
}

/** Several blanks inside a line are one, as many as they are; none is none. */
const withSingleBlanks = (line: string): string => line.replaceAll(/[ \t]+/gu, ' ')

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/u)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The new lines with the file's indentation; null: it cannot be told. */
function indentedAs(there: readonly string[], old: readonly string[], fresh: readonly string[]): readonly string[] | null {
  const shift = shiftOf(there, old)
  if (shift) return shiftedLines(fresh, shift)
  const pairs = indentPairs(there, old)
  return pairs && fresh.map((line) => reindented(line, pairs))
}

/** Each indentation of the old text and the file's own for it, from the outside to the inside; null: they do not go the same steps. */
function indentPairs(there: readonly string[], old: readonly string[]): readonly IndentPair[] | null {
  const known = new Map<string, string>()
  for (const [index, line] of old.entries()) {
    if (line.trim() === '') continue
    const [own, real] = [indentOf(line), indentOf(there[index] ?? '')]
    if ((known.get(own) ?? real) !== real) return null
    known.set(own, real)
  }
  const pairs = [...known].map(([patch, file]) => ({ patch, file })).toSorted((a, b) => a.patch.length - b.patch.length)
  const areSteps = pairs.every(({ patch, file }, at) => {
    const outer = pairs[at - 1]
    return outer === undefined || (patch.startsWith(outer.patch) && file.startsWith(outer.file) && file !== outer.file)
  })
  return areSteps ? pairs : null
}

/** What stands before every line of the file (`add`) or of the old text (`drop`) and not before its counterpart. */
interface Shift {
  readonly add: string
  readonly drop: string
}

function shiftOf(there: readonly string[], old: readonly string[]): Shift | null {
  let shift: Shift | null = null
  for (const [index, line] of old.entries()) {
    if (line.trim() === '') continue
    const [own, real] = [indentOf(line), indentOf(there[index] ?? '')]
    const one = real.endsWith(own)
      ? { add: real.slice(0, real.length - own.length), drop: '' }
      : own.endsWith(real)
        ? { add: '', drop: own.slice(0, own.length - real.length) }
        : null
    if (one === null || (shift && (shift.add !== one.add || shift.drop !== one.drop))) return null
    shift = one
  }
  return shift
}

function shiftedLines(lines: readonly string[], { add, drop }: Shift): readonly string[] | null {
  if (lines.some((line) => line.trim() !== '' && !line.startsWith(drop))) return null
  return lines.map((line) => (line.trim() === '' ? line : add + line.slice(drop.length)))
}

interface Found {
  readonly start: number
  readonly oldLines: readonly string[]
  readonly freshLines: readonly string[]
  readonly indented: readonly string[]
  readonly pass: MatchPass
}

/** Lines that old and new text begin and end with alike stay as the file has them. */
function replaced(file: FileLines, { start, oldLines, freshLines, indented, pass }: Found): LooseEdit | null {
  const most = Math.min(oldLines.length, freshLines.length)
  let head = 0
  while (head < most && oldLines[head] === freshLines[head]) head++
  let tail = 0
  while (tail < most - head && oldLines.at(-1 - tail) === freshLines.at(-1 - tail)) tail++
  const splice = { start: start + head, removed: oldLines.length - head - tail, added: indented.slice(head, indented.length - tail) }
  const bytes = spliceLines(file, [splice], '\n')
  if (bytes === null) return null
  const [oldStart, oldEnd] = [file.start(splice.start), file.start(splice.start + splice.removed)]
  const end = Math.max(oldStart, oldEnd + bytes.length - file.bytes.length)
  const difference = pass === 'unicode' ? 'with other blanks or punctuation' : 'with other blanks'
  return { bytes, places: [{ start: oldStart, end, oldStart, oldEnd }], difference }
}
