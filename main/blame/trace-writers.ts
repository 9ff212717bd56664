import type { Blame, LineWriter } from '../../shared/api/changes/blame.ts'
import type { BlobHash, SessionId } from '../../shared/lib/ids.ts'
import type { FileChange } from '../../shared/session/file-change.ts'
import { NO_TEXT, rewritten, runsOf, type TextWithWriters } from './text-with-writers.ts'

/** A recorded change to one file. `id`: identifies its writer. */
export interface RecordedChange extends Pick<FileChange, 'before' | 'after' | 'movedFrom'> {
  readonly id: number
  /** In ms since 1970. */
  readonly at: number
  /** The session in whose layer the change was made before it was brought in. If absent, it was not brought in. */
  readonly broughtFrom?: SessionId
}

export interface TraceParts {
  /** All recorded changes to a file, oldest first. */
  changesOf(path: string): readonly RecordedChange[]
  /** All recorded changes to a file in the folder below the layer, oldest first. Absent if the file is not in a layer. */
  readonly changesBelow?: (path: string) => readonly RecordedChange[]
  /** All recorded changes to a file in the layer of a session, oldest first. */
  changesIn(layer: SessionId): (path: string) => readonly RecordedChange[]
  /** Null if the content is no longer stored. */
  content(hash: BlobHash): Uint8Array | null
  writerOf(id: number): LineWriter
}

/** The version whose lines are traced: a stored version, or the bytes that are on disk now. `bytes` is null if there is no such file. */
export type Version = { readonly kind: 'stored'; readonly hash: BlobHash } | { readonly kind: 'now'; readonly bytes: Uint8Array | null }

/** Maximum number of moves that are followed back. */
const MAX_MOVES = 20

/**
 * Who wrote each line of a version of a file, from the captured contents before and after each recorded change. A line that a layer has got
 * from its folder, because the folder shows through or was taken over, was written by whoever wrote it in the folder. A line that was
 * brought in was written by whoever wrote it in the layer.
 */
export function traceWriters(path: string, version: Version, parts: TraceParts): Blame | null {
  const trace = createTrace(parts)
  const found = trace.follow(path, version.kind === 'stored' ? version.hash : null, parts.changesOf)
  const bytes = version.kind === 'now' ? (version.bytes ?? new Uint8Array()) : found.seen ? null : parts.content(version.hash)
  const text = bytes === null ? found.seen : rewritten(found.text, bytes, trace.outside(found.at, null))
  if (text === null) return null
  return trace.blame(parts.changesBelow ? trace.withWritersBelow(text, trace.follow(path, null, parts.changesBelow).text) : text)
}

interface Followed {
  readonly text: TextWithWriters
  /** When the newest change was recorded. Null if none was. */
  readonly at: number | null
  /** The text when it last had the requested content. Null if it never had that content. */
  readonly seen: TextWithWriters | null
}

type ChangesOf = TraceParts['changesOf']

function createTrace({ content, writerOf, changesIn }: TraceParts) {
  /** Functions that look up a writer. They are called at the end, and only for the writers of lines that still exist. */
  const writers: (() => LineWriter)[] = []
  const numbers = new Map<string, number>()
  const numberOf = (key: string, writer: () => LineWriter): number => {
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, writers.length)
    writers.push(writer)
    return writers.length - 1
  }
  /** Numbers of writers that no session recorded. */
  const unrecorded = new Set<number>()
  const outside = (since: number | null, until: number | null): number => {
    const number =
      since === null
        ? numberOf('earlier', () => ({ kind: 'earlier' }))
        : numberOf(`${since} ${until}`, () => ({ kind: 'outside', since, until }))
    unrecorded.add(number)
    return number
  }

  /** Follows the file up to the change at `untilId`. */
  const followUntil = (path: string, untilId: number, wanted: BlobHash | null, moves: number, changesOf: ChangesOf): Followed => {
    let text: TextWithWriters = NO_TEXT
    let hash: BlobHash | null = null
    let at: number | null = null
    let seen: TextWithWriters | null = null
    const become = (next: BlobHash | null, writer: () => number): void => {
      if (next !== hash) {
        const bytes = next === null ? NO_TEXT.bytes : content(next)
        // If this content is missing, the next known content is compared with the last known content.
        if (bytes === null) return
        text = rewritten(text, bytes, writer())
        hash = next
      }
      if (wanted !== null && hash === wanted) seen = text
    }
    for (const change of changesOf(path)) {
      if (change.id >= untilId) break
      const since = at
      if (change.movedFrom && moves > 0 && change.before === null) {
        const source = followUntil(change.movedFrom.path, change.id, null, moves - 1, changesOf)
        text = source.text
        hash = null
      } else become(change.before, () => outside(since, change.at))
      const own = numberOf(`change ${change.id}`, () => writerOf(change.id))
      become(change.after, () => own)
      if (change.broughtFrom) text = withWritersOf(text, own, inLayer(path, change.id, change.broughtFrom))
      at = change.at
    }
    return { text, at, seen }
  }
  /** The text in a layer before the change `untilId`. Results are kept, because one layer can be followed several times. */
  const layers = new Map<string, TextWithWriters>()
  const inLayer = (path: string, untilId: number, layer: SessionId): TextWithWriters => {
    const key = JSON.stringify([path, untilId, layer])
    const text = layers.get(key) ?? followUntil(path, untilId, null, MAX_MOVES, changesIn(layer)).text
    layers.set(key, text)
    return text
  }
  /** Returns the text with other writers: a line that the change `own` brought in gets the writer that it has in the layer. */
  const withWritersOf = (text: TextWithWriters, own: number, layer: TextWithWriters): TextWithWriters => {
    const shown = rewritten(layer, text.bytes, own).writers
    const writers = text.writers.map((writer, line) => {
      const found = shown[line] ?? writer
      return writer === own && !unrecorded.has(found) ? found : writer
    })
    return { ...text, writers }
  }
  return {
    follow: (path: string, wanted: BlobHash | null, changesOf: ChangesOf) => followUntil(path, Infinity, wanted, MAX_MOVES, changesOf),
    outside,
    /** The text with the folder's writers for the lines that nobody wrote in the layer, and that are the same in the folder. */
    withWritersBelow(text: TextWithWriters, below: TextWithWriters): TextWithWriters {
      const shown = rewritten(below, text.bytes, outside(null, null)).writers
      const writers = text.writers.map((writer, line) => {
        const found = shown[line] ?? writer
        return unrecorded.has(writer) && !unrecorded.has(found) ? found : writer
      })
      return { ...text, writers }
    },
    /** Looks up only the writers of the lines in `text`. */
    blame(text: TextWithWriters): Blame {
      // The writers are looked up in the order of their changes, because their requests are found fastest in that order.
      const used = [...new Set(text.writers)].toSorted((a, b) => a - b)
      const renumbered = new Map(used.map((writer, index) => [writer, index]))
      return {
        lines: text.writers.length,
        runs: runsOf(text.writers.map((writer) => renumbered.get(writer) ?? 0)),
        writers: used.flatMap((writer) => writers[writer]?.() ?? []),
      }
    },
  }
}
