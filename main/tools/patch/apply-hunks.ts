import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import type { TextForm } from '../text/encoding.ts'
import type { Ending } from '../text/line-feeds.ts'
import { type Unclear, asWrittenThere } from './indentation/adapt-lines.ts'
import { type FileLines, fileLines, type Splice, spliceLines } from './splice-lines.ts'
import { createLineMatches } from './line-matches.ts'
import type { Hunk, HunkLine } from './patch-model.ts'
import { type Place, type PlaceMiss, placeHunk } from './place-hunk.ts'

export interface Patched {
  readonly bytes: Uint8Array
  /**
   * For each hunk: how exactly it matched, whether it is above an earlier hunk, and whether its new lines were reindented to match the
   * file.
   */
  readonly places: readonly (Pick<Place, 'pass' | 'outOfOrder' | 'start' | 'missing'> & { readonly isReindented: boolean })[]
}

/** `hunk` is the index of the hunk, from 0. */
export type PatchMiss =
  | { readonly kind: 'place'; readonly hunk: number; readonly why: PlaceMiss }
  | { readonly kind: 'overlap'; readonly hunk: number }
  /** The hunk was found loosely at `start` (0-based), but it is unclear which whitespace the new lines need in this file. */
  | { readonly kind: 'unclear'; readonly hunk: number; readonly start: number; readonly length: number; readonly why: Unclear }
  | { readonly kind: 'encoding' }

/** Applies all hunks of one file, or none. Context and removed lines must exist in the file. Context lines keep the bytes of the file. */
export function applyHunks(bytes: Uint8Array, form: TextForm, hunks: readonly Hunk[], defaultEnding: Ending): Result<Patched, PatchMiss> {
  const file = fileLines(bytes, form)
  const matches = createLineMatches(file.texts, hunks.flatMap(linesSought))
  const splices: Splice[] = []
  const places: (Place & { readonly isReindented: boolean })[] = []
  let from = 0
  for (const [index, hunk] of hunks.entries()) {
    const isTaken = (start: number, end: number): boolean => splices.some((own) => own.start < end && start < own.start + own.removed)
    const place = placeHunk(hunk, { lines: file.texts, matches, from, last: places.at(-1)?.start ?? 0, isTaken })
    if (!place.ok) return failed({ kind: 'place', hunk: index, why: place.failure })
    const { pass, start } = place.value
    const adapted = pass === 'exact' ? ok(place.value.lines) : asWrittenThere(place.value.lines, start, file.texts)
    if (!adapted.ok) return failed({ kind: 'unclear', hunk: index, start, length: oldLength(place.value.lines), why: adapted.failure })
    const own = splicesOf({ start, lines: adapted.value })
    if (own.some((splice) => splices.some((other) => collide(splice, other)))) return failed({ kind: 'overlap', hunk: index })
    splices.push(...own)
    places.push({ ...place.value, isReindented: isReindented(place.value.lines, adapted.value) })
    from = Math.max(from, place.value.start + oldLength(place.value.lines))
  }
  const spliced = spliceLines(
    file,
    splices.toSorted((a, b) => a.start - b.start || Math.min(a.removed, 1) - Math.min(b.removed, 1)),
    defaultEnding,
  )
  if (spliced === null) return failed({ kind: 'encoding' })
  const finished = withFinalNewline(spliced, file, hunks, places, defaultEnding)
  return ok({
    bytes: finished,
    places: places.map(({ pass, outOfOrder, start, missing, isReindented }) => ({ pass, outOfOrder, start, missing, isReindented })),
  })
}

/**
 * All lines of a hunk that are searched for in the file, including its anchors, because the search for an anchor is like that for a line.
 */
function linesSought({ anchors, lines }: Hunk): readonly string[] {
  return [...anchors, ...lines.filter((line) => line.kind !== 'add')].map(({ text }) => text)
}

/** Whether a new line differs from the corresponding line in the hunk. */
function isReindented(hunk: readonly HunkLine[], adapted: readonly HunkLine[]): boolean {
  const own = new Set(hunk.map(({ text }) => text))
  return adapted.some(({ kind, text }) => kind === 'add' && !own.has(text))
}

function oldLength(lines: readonly HunkLine[]): number {
  return lines.filter((line) => line.kind !== 'add').length
}

/** The parts of a hunk that change something. Equal removed and added lines at the start and end of each part are left out. */
export function splicesOf({ start, lines }: Pick<Place, 'start' | 'lines'>): readonly Splice[] {
  const splices: Splice[] = []
  let at = start
  let removed: string[] = []
  let added: string[] = []
  const close = (): void => {
    const most = Math.min(removed.length, added.length)
    let head = 0
    while (head < most && removed[head] === added[head]) head++
    let tail = 0
    while (tail < most - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail++
    const fresh = added.slice(head, added.length - tail)
    const gone = removed.length - head - tail
    if (gone > 0 || fresh.length > 0) splices.push({ start: at - removed.length + head, removed: gone, added: fresh })
    removed = []
    added = []
  }
  for (const { kind, text } of lines) {
    if (kind === 'context') close()
    if (kind === 'remove') removed.push(text)
    if (kind === 'add') added.push(text)
    else at++
  }
  close()
  return splices
}

/** Whether two splices collide. Several additions at one place do not collide. */
function collide(a: Splice, b: Splice): boolean {
  if (a.removed === 0 && b.removed === 0) return false
  return a.start < b.start + b.removed && b.start < a.start + a.removed
}

/** Applies `\ No newline at end of file` if its hunk reaches the end of the file. */
function withFinalNewline(
  bytes: Uint8Array,
  file: FileLines,
  hunks: readonly Hunk[],
  places: readonly Place[],
  defaultEnding: Ending,
): Uint8Array {
  const at = hunks.findIndex((hunk, index) => hunk.finalNewline !== null && reachesEnd(places[index], file))
  const wanted = hunks[at]?.finalNewline
  const now = fileLines(bytes, file.form)
  const last = now.texts.length - 1
  const has = last > 0 && now.texts[last] === ''
  if (wanted === undefined || wanted === null || wanted === has || bytes.length === file.form.bom) return bytes
  const splice = wanted ? { start: last + 1, removed: 0, added: [''] } : { start: last, removed: 1, added: [] }
  return spliceLines(now, [splice], defaultEnding) ?? bytes
}

function reachesEnd(place: Place | undefined, { texts }: FileLines): boolean {
  if (!place) return false
  const end = place.start + oldLength(place.lines)
  return end === texts.length || (end === texts.length - 1 && texts.at(-1) === '')
}
