import type { SecretMatch, SecretSearch } from './secret-search.ts'

/** A part of the data, from `start` to before `end`. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** The possible beginning of a secret at the end of the data. */
export interface Begun extends SecretMatch {
  /** Whether so much of the secret is there that this is no coincidence. */
  readonly isSure: boolean
  /** From here, the data must be searched again together with what follows. Not after `start`. */
  readonly keepFrom: number
}

/**
 * If this many bytes match the beginning of a secret, this is no coincidence. Where white space is left out, words such as a well-known
 * beginning of keys may come together by chance, so more bytes are needed.
 */
const SURE_BYTES = 8
const SURE_BYTES_SQUEEZED = 16

/** The data without some of its bytes, for a search. */
interface View {
  readonly bytes: Uint8Array
  /** The position in the data of each byte of the view. */
  readonly places: Int32Array
  readonly sureBytes: number
  /** Present if a match hides the rest of its line too. `complete`: the end of the last complete line in the data. */
  readonly hidesLines?: { readonly complete: number; startOf(place: number): number; endOf(place: number): number }
}

export interface SearchOptions {
  readonly escapes: readonly Place[]
  /** Whether nothing follows the data. */
  readonly isWhole: boolean
}

/**
 * Searches the data as it is, without its escape sequences, without white space (which `fold`, `base64` and `xxd -p` add), and without the
 * offsets and text columns of `xxd`, `hexdump` and `od`. Takes time in proportion to the length of the data.
 */
export function searchIn(search: SecretSearch, data: Buffer, { escapes, isWhole }: SearchOptions) {
  const views = [
    ...(escapes.length === 0 ? [] : [without(data, escapes, false, SURE_BYTES)]),
    ...(BLANKS.some((blank) => data.includes(blank)) ? [without(data, escapes, true, SURE_BYTES_SQUEEZED)] : []),
    ...dumpViews(data, isWhole),
  ]
  return {
    find(from: number): SecretMatch | null {
      const found = [search.find(data, from), ...views.map((view) => findIn(search, view, from))]
      return earliest(found)
    },
    unfinished(from: number): Begun | null {
      const asIs = search.unfinished(data, from)
      const found = [
        asIs && { ...asIs, keepFrom: asIs.start, isSure: asIs.end - asIs.start >= SURE_BYTES },
        ...views.flatMap((view) => [begunIn(search, view, from), cutIn(search, view, from)]),
      ]
      return earliest(found)
    },
  }
}

function earliest<M extends SecretMatch>(found: readonly (M | null)[]): M | null {
  return found.reduce((first, each) => (each !== null && (first === null || each.start < first.start) ? each : first), null)
}

function findIn(search: SecretSearch, view: View, from: number): SecretMatch | null {
  const match = matchIn(search, view, from)
  return match && match.end <= (view.hidesLines?.complete ?? Infinity) ? match : null
}

/** A secret in an incomplete line of a dump. The text column at the end of the line may repeat the secret. */
function cutIn(search: SecretSearch, view: View, from: number): Begun | null {
  if (!view.hidesLines) return null
  for (let match = matchIn(search, view, from); match; match = matchIn(search, view, match.end))
    if (match.end > view.hidesLines.complete) return { ...match, keepFrom: view.hidesLines.startOf(match.start), isSure: true }
  return null
}

function matchIn(search: SecretSearch, view: View, from: number): SecretMatch | null {
  const match = search.find(view.bytes, indexFrom(view, from))
  if (!match) return null
  const { places, hidesLines } = view
  const last = places[match.end - 1] ?? 0
  return { start: places[match.start] ?? 0, end: hidesLines ? hidesLines.endOf(last) : last + 1, marker: match.marker }
}

function begunIn(search: SecretSearch, view: View, from: number): Begun | null {
  const begun = search.unfinished(view.bytes, indexFrom(view, from))
  if (!begun) return null
  const { places, sureBytes, hidesLines } = view
  const start = places[begun.start] ?? 0
  return { ...begun, start, keepFrom: hidesLines?.startOf(start) ?? start, isSure: begun.end - begun.start >= sureBytes }
}

/** The index of the first place that is not before `from`. */
function indexFrom(view: View, from: number): number {
  if (from === 0) return 0
  const { places } = view
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return low
}

const BLANKS = [0x20, 0x0a, 0x0d, 0x09, 0x0b, 0x0c] as const
/** 0 for white space, 1 for all other bytes. Adding this to the length is three times as fast as comparing each byte. */
const KEPT = Uint8Array.from({ length: 256 }, (_, byte) => (BLANKS.some((blank) => blank === byte) ? 0 : 1))
const EVERY_BYTE = new Uint8Array(256).fill(1)

/** The positions are only needed after a match, and finding them takes longer than the search. */
function without(data: Buffer, escapes: readonly Place[], leavesOutBlanks: boolean, sureBytes: number): View {
  const parts = [...escapes, { start: data.length, end: data.length }]
  const kept = leavesOutBlanks ? KEPT : EVERY_BYTE
  const bytes = new Uint8Array(data.length)
  let length = 0
  let from = 0
  for (const { start, end } of parts) {
    for (let at = from; at < start; at++) {
      const byte = data[at] ?? 0
      bytes[length] = byte
      length += kept[byte] ?? 0
    }
    from = end
  }
  let places: Int32Array | null = null
  return {
    bytes: bytes.subarray(0, length),
    get places() {
      places ??= placesOf(data, parts, kept, length)
      return places
    },
    sureBytes,
  }
}

function placesOf(data: Buffer, parts: readonly Place[], kept: Uint8Array, length: number): Int32Array {
  const places = new Int32Array(length)
  let count = 0
  let from = 0
  for (const { start, end } of parts) {
    for (let at = from; at < start; at++) if (kept[data[at] ?? 0] === 1) places[count++] = at
    from = end
  }
  return places
}

function keeper(most: number) {
  const bytes = new Uint8Array(most)
  const places = new Int32Array(most)
  let length = 0
  return {
    keep(byte: number, place: number): void {
      bytes[length] = byte
      places[length] = place
      length++
    },
    view: () => ({ bytes: bytes.subarray(0, length), places: places.subarray(0, length) }),
  }
}

/** A line that begins with an offset, as in a dump. */
const OFFSET = /(?:^|\n)[\da-f]{6,16}:?[ \t]/u
/** The forms of a line of `xxd`, of `hexdump -C` and `od -tx1z`, and of other dumps. The second group contains the bytes. */
const DUMP_LINES = [
  /^([\da-f]{6,16}:)((?: [\da-f]+)+) {2,}.*$/u,
  /^([\da-f]{6,16})((?: +[\da-f]{2})+) +[|>].*$/u,
  /^([\da-f]{6,16}:?)((?:[ \t]+\S{1,8})+)[ \t]*$/u,
] as const
/** Length of the longest line that may be one of a dump. */
const MAX_LINE = 400

/** The beginning of a line that may be one of a dump. */
const MAYBE_DUMP = /^[\da-f]{1,16}(?:$|:$|:?[ \t])/u

/**
 * Where the unfinished last line begins, if it may be a line of a dump: its end can only be understood together with its beginning. Otherwise
 * the length of the data.
 */
export function dumpLineStart(data: Buffer): number {
  const start = data.lastIndexOf(0x0a) + 1
  return data.length - start <= MAX_LINE && MAYBE_DUMP.test(data.toString('latin1', start)) ? start : data.length
}

/** The bytes in the lines of a dump. Empty if the data contains no such line. */
function dumpViews(data: Buffer, isWhole: boolean): readonly View[] {
  const text = data.toString('latin1')
  if (!OFFSET.test(text)) return []
  const kept = keeper(data.length)
  let start = 0
  while (start < text.length) {
    const end = lineEnd(text, start)
    const line = end - start <= MAX_LINE ? text.slice(start, end).replace(/\r$/u, '') : ''
    const found = firstMatch(line)
    if (found) {
      const [, offset = '', body = ''] = found
      const first = start + offset.length
      for (let at = first; at < first + body.length; at++) {
        const byte = data[at] ?? 0
        if (KEPT[byte] === 1) kept.keep(byte, at)
      }
    }
    start = end + 1
  }
  const complete = isWhole ? text.length : text.lastIndexOf('\n')
  const hidesLines = {
    complete,
    startOf: (place: number): number => text.lastIndexOf('\n', place) + 1,
    endOf: (place: number): number => lineEnd(text, place),
  }
  return [{ ...kept.view(), sureBytes: SURE_BYTES_SQUEEZED, hidesLines }]
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function firstMatch(line: string): RegExpExecArray | null {
  for (const form of DUMP_LINES) {
    const found = form.exec(line)
    if (found) return found
  }
  return null
}
