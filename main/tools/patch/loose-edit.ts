import { fileLines, type FileLines } from './file-lines.ts'
import { type MatchPass, PASSES, createLineMatches, plainPunctuation } from './line-matches.ts'
import { indentOf } from './reindent.ts'
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
 * (S-19). New lines are shifted with the indentation; where that is not the same for all lines, it is no match. Null: no such place.
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
  const edited = editBytes(bytes, form, { old: text.slice(at, at + sought.length), new: fresh, all: false })
  return edited.ok ? { ...edited.value, difference: 'with other punctuation' } : null
}

function byLines(file: FileLines, old: string, fresh: string): LooseEdit | null {
  const [oldLines, freshLines] = [linesOf(old), linesOf(fresh)]
  if (old.endsWith('\n') !== fresh.endsWith('\n') && fresh !== '') return null
  const matches = createLineMatches(file.texts, oldLines)
  for (const pass of PASSES) {
    const [start, ...others] = matches.starts(oldLines, pass)
    if (start === undefined) continue
    const shift = others.length === 0 ? shiftOf(file.texts.slice(start, start + oldLines.length), oldLines) : null
    const shifted = shift === null ? null : shiftedLines(freshLines, shift)
    return shifted === null ? null : replaced(file, { start, oldLines, freshLines, shifted, pass })
  }
  return null
}

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/u)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
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
  readonly shifted: readonly string[]
  readonly pass: MatchPass
}

/** Lines that old and new text begin and end with alike stay as the file has them. */
function replaced(file: FileLines, { start, oldLines, freshLines, shifted, pass }: Found): LooseEdit | null {
  const most = Math.min(oldLines.length, freshLines.length)
  let head = 0
  while (head < most && oldLines[head] === freshLines[head]) head++
  let tail = 0
  while (tail < most - head && oldLines.at(-1 - tail) === freshLines.at(-1 - tail)) tail++
  const splice = { start: start + head, removed: oldLines.length - head - tail, added: shifted.slice(head, shifted.length - tail) }
  const bytes = spliceLines(file, [splice], '\n')
  if (bytes === null) return null
  const [oldStart, oldEnd] = [file.start(splice.start), file.start(splice.start + splice.removed)]
  const end = Math.max(oldStart, oldEnd + bytes.length - file.bytes.length)
  const difference = pass === 'unicode' ? 'with other blanks or punctuation' : 'with other blanks'
  return { bytes, places: [{ start: oldStart, end, oldStart, oldEnd }], difference }
}
