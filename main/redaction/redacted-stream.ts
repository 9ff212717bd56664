import type { RedactedStream } from '../agent/ports/redactor.ts'
import type { SecretMatch, SecretSearch } from './secret-search.ts'

/**
 * Maximum time in ms for which output is held back because it may be the beginning of a secret. After this time the output is shown, so
 * that a prompt that only looks like the beginning of a secret appears.
 */
const HELD_MS = 20
/**
 * If this many bytes match the beginning of a secret, this is no coincidence. They are held back until more output arrives, and hidden if
 * the output ends there.
 */
const SURE_BYTES = 8
/** Maximum number of bytes that are held back. Without a limit, escape sequences between the bytes of a secret could fill the memory. */
const MAX_HELD = 65_536

/** `current` returns the search for the secrets known so far; null if there are none. */
export function redactedStream(current: () => SecretSearch | null, emit: (bytes: Buffer) => void): RedactedStream {
  let held: Buffer = Buffer.alloc(0)
  /** Number of bytes of `held` that were already emitted because they had been held back for too long. */
  let shown = 0
  /** If the output ends now, this text replaces `held`. Null if `held` may match a secret only by coincidence. */
  let marker: string | null = null
  let timer: NodeJS.Timeout | undefined
  const show = (data: Buffer, from: number, to: number): void => {
    if (from < to) emit(data.subarray(from, to))
  }
  /** Emits the escape sequences inside a secret, because a color that begins there also applies to the text after the secret. */
  const showEscapes = (data: Buffer, escapes: readonly Place[], { start, end }: Place): void => {
    for (const escape of escapes) if (escape.start >= start && escape.end <= end) show(data, escape.start, escape.end)
  }
  const release = (): void => {
    clearTimeout(timer)
    timer = undefined
    show(held, shown, held.length)
    shown = held.length
  }
  const write = (bytes: Buffer): void => {
    const search = current()
    if (!search) {
      release()
      held = Buffer.alloc(0)
      shown = 0
      return emit(bytes)
    }
    const data = held.length > 0 ? Buffer.concat([held, bytes]) : bytes
    const escapes = escapesIn(data)
    const { find, unfinished } = searchIn(search, data, escapes)
    let next = shown
    let from = 0
    for (let match = find(from); match; match = find(from)) {
      from = match.end
      if (match.end <= next) continue
      show(data, next, match.start)
      emit(Buffer.from(match.marker))
      showEscapes(data, escapes, { start: Math.max(match.start, next), end: match.end })
      next = match.end
    }
    const begun = unfinished(from)
    const keep = begun && data.length - begun.start <= MAX_HELD ? begun.start : data.length
    show(data, next, keep)
    held = Buffer.from(data.subarray(keep))
    shown = Math.max(0, next - keep)
    marker = held.length > 0 && begun && data.length - begun.start - lengthOf(escapes, begun.start) >= SURE_BYTES ? begun.marker : null
    clearTimeout(timer)
    timer = marker === null && shown < held.length ? setTimeout(release, HELD_MS) : undefined
  }
  return {
    write,
    end() {
      if (marker === null || shown >= held.length) return release()
      emit(Buffer.from(marker))
      showEscapes(held, escapesIn(held), { start: shown, end: held.length })
      shown = held.length
    },
  }
}

/** Matches colors and other control sequences, and sequences that select a character set. The last sequence may be incomplete. */
const ESCAPE = /\x1b(?:\[[0-?]{0,64}[ -/]{0,4}(?:[@-~]|$)|[()](?:[0-9AB]|$)|$)/g
const ESC = 0x1b

/** Total length in bytes of the escape sequences that start at or after `from`. */
const lengthOf = (escapes: readonly Place[], from: number): number =>
  escapes.reduce((sum, { start, end }) => (start >= from ? sum + end - start : sum), 0)

interface Place {
  readonly start: number
  readonly end: number
}

function escapesIn(data: Buffer): readonly Place[] {
  if (!data.includes(ESC)) return []
  return Array.from(data.toString('latin1').matchAll(ESCAPE), ({ index, 0: text }) => ({ start: index, end: index + text.length }))
}

/** Searches the raw data, and then the data without its escape sequences, because color codes may interrupt a secret. */
function searchIn(search: SecretSearch, data: Buffer, escapes: readonly Place[]) {
  const plain = withoutEscapes(data, escapes)
  const inData = ({ start, end, marker }: SecretMatch): SecretMatch => ({
    start: plain.placeOf(start),
    end: plain.placeOf(end - 1) + 1,
    marker,
  })
  const first = (find: (bytes: Buffer, from: number) => SecretMatch | null, from: number): SecretMatch | null => {
    const asIs = find(data, from)
    if (escapes.length === 0) return asIs
    const match = find(plain.bytes, plain.indexFrom(from))
    if (!match) return asIs
    const colored = inData(match)
    return asIs && asIs.start <= colored.start ? asIs : colored
  }
  return {
    find: (from: number) => first((bytes, at) => search.find(bytes, at), from),
    /** The possible beginning of a secret at the end of the data; null if there is none. */
    unfinished: (from: number) => first((bytes, at) => search.unfinished(bytes, at), from),
  }
}

/** The data without its escape sequences, and the position of each remaining byte in the data. */
function withoutEscapes(data: Buffer, escapes: readonly Place[]) {
  const pieces: { readonly at: number; readonly start: number; readonly bytes: Buffer }[] = []
  let length = 0
  let from = 0
  for (const { start, end } of [...escapes, { start: data.length, end: data.length }]) {
    const bytes = data.subarray(from, start)
    if (bytes.length > 0) pieces.push({ at: length, start: from, bytes })
    length += bytes.length
    from = end
  }
  return {
    bytes: escapes.length === 0 ? data : Buffer.concat(pieces.map(({ bytes }) => bytes)),
    placeOf(index: number): number {
      const piece = pieces.findLast(({ at }) => at <= index)
      return piece ? piece.start + index - piece.at : index
    },
    indexFrom(place: number): number {
      const piece = pieces.find(({ start, bytes }) => place < start + bytes.length)
      return piece ? piece.at + Math.max(0, place - piece.start) : length
    },
  }
}
