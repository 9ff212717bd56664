import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import type { TextForm } from '../text/encoding.ts'
import type { Edited } from '../text/edit-bytes.ts'
import type { UnclearPlace } from '../text/explain-miss.ts'
import { asWrittenThere } from './indentation/adapt-lines.ts'
import { splicesOf } from './apply-hunks.ts'
import { type FileLines, fileLines, type Splice, spliceLines } from './splice-lines.ts'
import { type MatchPass, PASSES, createLineMatches, plainPunctuation } from './line-matches.ts'
import { indentOf, parentsOf } from './indentation/nesting.ts'
import type { HunkLine } from './patch-model.ts'

export interface LooseEdit extends Edited {
  /** In what the text that was found differs, for the result. */
  readonly difference: string
}

/** Bytes of a file that is looked through loosely; in a larger one a second look costs too much time. */
const MOST_BYTES = 4 * 1024 * 1024

/** Whole lines of the file, and what an edit makes of them. */
interface Place {
  readonly start: number
  readonly old: readonly string[]
  readonly fresh: readonly string[]
  readonly difference: string
}

/** Changed places that are told apart in the result. */
const MOST_PLACES = 20

/**
 * An edit whose old text is not in the file exactly, but once and only once with other punctuation, or as whole lines with other whitespace
 * Where old and new text are alike, no byte of the file changes. Null: no such place.
 */
export function looseEdit(bytes: Uint8Array, form: TextForm, old: string, fresh: string): Result<LooseEdit, UnclearPlace> | null {
  if (form.encoding === 'unknown' || old.trim() === '' || bytes.length > MOST_BYTES) return null
  const file = fileLines(bytes, form)
  const [plainOld, plainFresh] = [old, fresh].map((text) => text.replaceAll('\r\n', '\n')) as [string, string]
  const place = byPunctuation(file.texts, plainOld, plainFresh) ?? byLines(file.texts, plainOld, plainFresh)
  if (place === null) return null
  const lines = [...place.old.map((text) => lineOf('remove', text)), ...place.fresh.map((text) => lineOf('add', text))]
  const there = file.texts.slice(place.start, place.start + place.old.length)
  const adapted = asWrittenThere(lines, place.start, file.texts)
  if (!adapted.ok && adapted.failure.what !== 'nesting') return failed({ ...adapted.failure, firstLine: place.start + 1, lines: there })
  if (!adapted.ok || isFlattened(place.old, there, adapted.value)) return null
  return edited(file, splicesOf({ start: place.start, lines: adapted.value }), place)
}

const lineOf = (kind: HunkLine['kind'], text: string): HunkLine => ({ kind, text, isBare: false })

function edited(file: FileLines, splices: readonly Splice[], { difference }: Place): Result<LooseEdit, UnclearPlace> | null {
  const bytes = spliceLines(file, splices, '\n')
  if (bytes === null) return null
  const grown = (count: number): number => (spliceLines(file, splices.slice(0, count), '\n') ?? bytes).length - file.bytes.length
  const places = splices.slice(0, MOST_PLACES).map((splice, index) => {
    const [oldStart, oldEnd] = [file.start(splice.start), file.start(splice.start + splice.removed)]
    const start = oldStart + grown(index)
    return { start, end: Math.max(start, oldEnd + grown(index + 1)), oldStart, oldEnd }
  })
  return ok({ bytes, places, difference })
}

/** Whether new lines stand among old ones of one block that the old text indents alike and the file does not. */
function isFlattened(old: readonly string[], there: readonly string[], adapted: readonly HunkLine[]): boolean {
  if (!adapted.some(({ kind, text }) => kind === 'add' && text.trim() !== '')) return false
  const solid = old.flatMap((line, index) => (line.trim() === '' ? [] : [index]))
  const seen = new Map<string, string>()
  return [...parentsOf(solid, (line) => indentOf(old[line] ?? ''))].some(([index, parent]) => {
    const [key, real] = [`${parent ?? ''} ${indentOf(old[index] ?? '')}`, indentOf(there[index] ?? '')]
    const known = seen.get(key)
    seen.set(key, real)
    return known !== undefined && known !== real
  })
}

/** The old text with other quotes, dashes or single spaces, perhaps inside a line: the lines that hold it, with what stands around it. */
function byPunctuation(texts: readonly string[], old: string, fresh: string): Place | null {
  const text = texts.join('\n')
  const [plain, sought] = [plainPunctuation(text), plainPunctuation(old)]
  const at = plain.indexOf(sought)
  if (at < 0 || plain.includes(sought, at + 1)) return null
  const from = text.lastIndexOf('\n', at - 1) + 1
  const before = at === 0 ? '' : text.slice(from, at)
  const end = at + old.length
  const isWhole = old.endsWith('\n') && (fresh.endsWith('\n') || (fresh === '' && before === ''))
  const lineEnd = text.indexOf('\n', end)
  const behind = isWhole ? '' : text.slice(end, lineEnd < 0 ? text.length : lineEnd)
  // Whole lines but for the whitespace around them: what to do with it is seen line by line.
  const isWithoutIndent = before !== '' && before.trim() === '' && (old + fresh).includes('\n')
  if (isWithoutIndent || (before + behind !== '' && (before + behind).trim() === '')) return null
  const lines = (part: string): readonly string[] => (isWhole ? linesOf(before + part) : (before + part + behind).split('\n'))
  const start = text.slice(0, from).split('\n').length - 1
  return { start, old: lines(old), fresh: lines(fresh), difference: 'with different punctuation' }
}

function byLines(texts: readonly string[], old: string, fresh: string): Place | null {
  if (old.endsWith('\n') !== fresh.endsWith('\n') && fresh !== '') return null
  const [oldLines, freshLines] = [linesOf(old), linesOf(fresh)]
  const found = placeOf(texts, oldLines)
  if (found === null || found.isTwice) return null
  const difference = found.pass === 'unicode' ? 'with different whitespace or punctuation' : 'with different whitespace'
  return { start: found.start, old: oldLines, fresh: freshLines, difference }
}

interface Found {
  readonly start: number
  readonly pass: MatchPass
  /** Nor is it looked for more loosely. */
  readonly isTwice: boolean
}

function placeOf(texts: readonly string[], sought: readonly string[]): Found | null {
  const matches = createLineMatches(texts, sought)
  for (const pass of PASSES) {
    const [start, ...others] = matches.starts(sought, pass)
    if (start !== undefined) return { start, pass, isTwice: others.length > 0 }
  }
  return null
}

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
