import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import type { TextForm } from '../text/encoding.ts'
import type { Edited } from '../text/edit-bytes.ts'
import type { UnclearPlace } from '../text/explain-missed-edit.ts'
import { asWrittenThere } from './indentation/adapt-lines.ts'
import { splicesOf } from './apply-hunks.ts'
import { type FileLines, fileLines, type Splice, spliceLines } from './splice-lines.ts'
import { type MatchPass, PASSES, createLineMatches, plainPunctuation } from './line-matches.ts'
import { indentOf, parentsOf } from './indentation/nesting.ts'
import type { HunkLine } from './patch-model.ts'

export interface LooseEdit extends Edited {
  /** How the text that was found differs from the old text, as words for the result. */
  readonly difference: string
}

/** Maximum size in bytes of a file that is searched loosely. A second search of a larger file would take too long. */
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024

/** Complete lines of the file, and the lines that replace them. */
interface Place {
  readonly start: number
  readonly old: readonly string[]
  readonly fresh: readonly string[]
  readonly difference: string
}

/** Maximum number of changed places that the result shows. */
const MAX_PLACES = 20

/**
 * Makes an edit whose old text is not exactly in the file, but occurs exactly once with different punctuation, or as complete lines with
 * different whitespace. Where the old and the new text are the same, the file's bytes are kept. Null if there is no such place.
 */
export function looseEdit(bytes: Uint8Array, form: TextForm, old: string, fresh: string): Result<LooseEdit, UnclearPlace> | null {
  if (form.encoding === 'unknown' || old.trim() === '' || bytes.length > MAX_SEARCHED_BYTES) return null
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
  const places = splices.slice(0, MAX_PLACES).map((splice, index) => {
    const oldStart = file.start(splice.start)
    const oldEnd = file.start(splice.start + splice.removed)
    const start = oldStart + grown(index)
    return { start, end: Math.max(start, oldEnd + grown(index + 1)), oldStart, oldEnd }
  })
  return ok({ bytes, places, difference })
}

/** Whether new lines are added to a block whose old lines have a single indentation in the old text but several in the file. */
function isFlattened(old: readonly string[], there: readonly string[], adapted: readonly HunkLine[]): boolean {
  if (!adapted.some(({ kind, text }) => kind === 'add' && text.trim() !== '')) return false
  const solid = old.flatMap((line, index) => (line.trim() === '' ? [] : [index]))
  const seen = new Map<string, string>()
  return [...parentsOf(solid, (line) => indentOf(old[line] ?? ''))].some(([index, parent]) => {
    const key = `${parent ?? ''} ${indentOf(old[index] ?? '')}`
    const real = indentOf(there[index] ?? '')
    const known = seen.get(key)
    seen.set(key, real)
    return known !== undefined && known !== real
  })
}

/**
 * Finds the old text with different quotes, dashes or single spaces, even inside a line. The place consists of the complete lines that
 * contain the text.
 */
function byPunctuation(texts: readonly string[], old: string, fresh: string): Place | null {
  const text = texts.join('\n')
  const plain = plainPunctuation(text)
  const sought = plainPunctuation(old)
  const at = plain.indexOf(sought)
  if (at < 0 || plain.includes(sought, at + 1)) return null
  const from = text.lastIndexOf('\n', at - 1) + 1
  const before = at === 0 ? '' : text.slice(from, at)
  const end = at + old.length
  const isWhole = old.endsWith('\n') && (fresh.endsWith('\n') || (fresh === '' && before === ''))
  const lineEnd = text.indexOf('\n', end)
  const behind = isWhole ? '' : text.slice(end, lineEnd < 0 ? text.length : lineEnd)
  // A text that lacks only whitespace at the start or end of complete lines is left to `byLines`, which adapts this whitespace line by
  // line.
  const isWithoutIndent = before !== '' && before.trim() === '' && (old + fresh).includes('\n')
  if (isWithoutIndent || (before + behind !== '' && (before + behind).trim() === '')) return null
  const lines = (part: string): readonly string[] => (isWhole ? linesOf(before + part) : (before + part + behind).split('\n'))
  const start = text.slice(0, from).split('\n').length - 1
  return { start, old: lines(old), fresh: lines(fresh), difference: 'with different punctuation' }
}

function byLines(texts: readonly string[], old: string, fresh: string): Place | null {
  if (old.endsWith('\n') !== fresh.endsWith('\n') && fresh !== '') return null
  const oldLines = linesOf(old)
  const freshLines = linesOf(fresh)
  const found = placeOf(texts, oldLines)
  if (found === null || found.isTwice) return null
  const difference = found.pass === 'unicode' ? 'with different whitespace or punctuation' : 'with different whitespace'
  return { start: found.start, old: oldLines, fresh: freshLines, difference }
}

interface Found {
  readonly start: number
  readonly pass: MatchPass
  /** Whether the text was found more than once in this pass. If so, looser passes are not tried. */
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
