import { type Cleaned, countBefore } from './escape-sequences.ts'
import { type Beginning, BLANKS, hasBlanks, NOTHING, type PassedOver, type SecretMatch, type SecretSearch } from './secret-search.ts'

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

/** The data, or the data without some of its bytes, and how to search it. */
interface View {
  readonly bytes: Uint8Array
  readonly passedOver: PassedOver
  readonly sureBytes: number
  /** The position in the data of a byte of the view. */
  placeOf(index: number): number
  /** Maps a position in the data to the view: the index of the first byte of the view at or after it. */
  indexOf(place: number): number
  /** Present if a match hides the rest of its line too. `complete`: the end of the last complete line in the data. */
  readonly hidesLines?: { readonly complete: number; startOf(place: number): number; endOf(place: number): number }
}

export interface SearchOptions {
  /** The data without its escape sequences. Null if it has none, or if they are not searched. */
  readonly clean: Cleaned | null
  /** Whether nothing follows the data. */
  readonly isWhole: boolean
}

/**
 * Searches the data as it is, without its escape sequences, without white space (which `fold`, `base64` and `xxd -p` add), and without the
 * offsets and text columns of `xxd`, `hexdump` and `od`. Takes time in proportion to the length of the data.
 */
export function searchIn(search: SecretSearch, data: Buffer, { clean: cleaned, isWhole }: SearchOptions) {
  const asIs: View = { bytes: data, passedOver: NOTHING, sureBytes: SURE_BYTES, placeOf: (index) => index, indexOf: (place) => place }
  const views = [asIs, ...dumpViews(data, isWhole)]
  const clean: View = cleaned ? { ...cleaned, passedOver: NOTHING, sureBytes: SURE_BYTES } : asIs
  if (clean !== asIs) views.push(clean)
  const squeezed: View | null = hasBlanks(data) ? { ...clean, passedOver: BLANKS, sureBytes: SURE_BYTES_SQUEEZED } : null
  if (squeezed) views.push(squeezed)
  // A search that passes over white space also finds what contains none, so that one pass is enough.
  const searched = squeezed && !search.hasBlanks ? views.filter((view) => view !== clean) : views
  // Loops instead of arrays, because a pty delivers its output in pieces of a few KB, and each piece is searched.
  return {
    find(from: number): SecretMatch | null {
      let first: SecretMatch | null = null
      for (const view of searched) first = earlier(first, findIn(search, view, from))
      return first
    },
    unfinished(from: number): Begun | null {
      let first: Begun | null = null
      for (const view of views) first = earlier(earlier(first, begunIn(search, view, from)), cutIn(search, view, from))
      return first
    },
  }
}

function earlier<M extends SecretMatch>(one: M | null, other: M | null): M | null {
  if (one === null || other === null) return one ?? other
  return other.start < one.start ? other : one
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
  const match = search.find(view.bytes, view.indexOf(from), view.passedOver)
  if (!match) return null
  const last = view.placeOf(match.end - 1)
  return { start: view.placeOf(match.start), end: view.hidesLines?.endOf(last) ?? last + 1, marker: match.marker }
}

function begunIn(search: SecretSearch, view: View, from: number): Begun | null {
  const begun: Beginning | null = search.unfinished(view.bytes, view.indexOf(from), view.passedOver)
  if (!begun) return null
  const start = view.placeOf(begun.start)
  return { ...begun, start, keepFrom: view.hidesLines?.startOf(start) ?? start, isSure: begun.length >= view.sureBytes }
}

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
 * Where the last line begins, if it is unfinished and may belong to a dump. Such a line can only be read as a whole.
 * Otherwise the length of the data.
 */
export function dumpLineStart(data: Buffer): number {
  const start = data.lastIndexOf(0x0a) + 1
  return data.length - start <= MAX_LINE && MAYBE_DUMP.test(data.toString('latin1', start)) ? start : data.length
}

/** The bytes in the lines of a dump. Empty if the data contains no such line. */
function dumpViews(data: Buffer, isWhole: boolean): readonly View[] {
  if (!hasDumpLine(data)) return []
  const text = data.toString('latin1')
  const bytes = new Uint8Array(data.length)
  const places = new Int32Array(data.length)
  let length = 0
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
        if (BLANKS[byte] === 1) continue
        bytes[length] = byte
        places[length] = at
        length++
      }
    }
    start = end + 1
  }
  const hidesLines = {
    complete: isWhole ? text.length : text.lastIndexOf('\n'),
    startOf: (place: number): number => text.lastIndexOf('\n', place) + 1,
    endOf: (place: number): number => lineEnd(text, place),
  }
  return [
    {
      bytes: bytes.subarray(0, length),
      passedOver: NOTHING,
      sureBytes: SURE_BYTES_SQUEEZED,
      placeOf: (index) => places[index] ?? 0,
      indexOf: (place) => countBefore(length, (at) => (places[at] ?? 0) < place),
      hidesLines,
    },
  ]
}

/** Whether a line begins with an offset, as in a dump. Looks at bytes, because a copy of all output as text costs more than the search. */
function hasDumpLine(data: Buffer): boolean {
  for (let start = 0; ;) {
    if (beginsWithOffset(data, start)) return true
    const end = data.indexOf(0x0a, start)
    if (end < 0) return false
    start = end + 1
  }
}

const MIN_OFFSET = 6
const MAX_OFFSET = 16

function beginsWithOffset(data: Buffer, start: number): boolean {
  let at = start
  while (isHexDigit(data[at] ?? 0) && at - start <= MAX_OFFSET) at++
  if (at - start < MIN_OFFSET || at - start > MAX_OFFSET) return false
  const next = data[at] === 0x3a ? data[at + 1] : data[at]
  return next === 0x20 || next === 0x09
}

/** The digits of a dump's offset are in lower case. */
const isHexDigit = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)

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
