import type { RedactedStream } from '../agent/ports/redactor.ts'
import { dumpLineStart, type Place, searchIn } from './output-views.ts'
import type { SecretSearch } from './secret-search.ts'

/**
 * Maximum time in ms for which output is held back because it may be the beginning of a secret. After this time the output is shown, so
 * that a prompt that only looks like the beginning of a secret appears.
 */
const HELD_MS = 20
/** Maximum number of bytes that are held back. Without a limit, escape sequences between the bytes of a secret could fill the memory. */
const MAX_HELD = 65_536

/**
 * `current` returns the search for the secrets known so far; null if there are none. The bytes that `emit` gets are valid only during the
 * call.
 */
export function redactedStream(current: () => SecretSearch | null, emit: (bytes: Buffer) => void): RedactedStream {
  let held: Buffer = Buffer.alloc(0)
  /** Number of bytes of `held` that were already emitted because they had been held back for too long. */
  let shown = 0
  /** If the output ends now, this text replaces `held`. Null if `held` may match a secret only by coincidence. */
  let marker: string | null = null
  let timer: NodeJS.Timeout | undefined
  /** Reused for all pieces, because a new block of memory per piece costs more than the search in it. */
  let joined: Buffer = Buffer.alloc(0)
  const join = (bytes: Buffer): Buffer => {
    const length = held.length + bytes.length
    if (joined.length < length) joined = Buffer.allocUnsafeSlow(length + MAX_HELD)
    held.copy(joined)
    bytes.copy(joined, held.length)
    return joined.subarray(0, length)
  }
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
    const data = held.length > 0 ? join(bytes) : bytes
    const escapes = escapesIn(data)
    const { find, unfinished } = searchIn(search, data, { escapes, isWhole: false })
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
    const isHeld = begun !== null && data.length - begun.keepFrom <= MAX_HELD
    const end = isHeld ? begun.start : data.length
    const keep = Math.min(isHeld ? begun.keepFrom : data.length, dumpLineStart(data))
    show(data, next, end)
    held = Buffer.from(data.subarray(keep))
    shown = Math.max(end, next) - keep
    marker = held.length > 0 && begun?.isSure === true ? begun.marker : null
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

const ESC = 0x1b
/** Maximum number of parameter bytes and of intermediate bytes (ECMA-48) of a control sequence. */
const MAX_PARAMETERS = 64
const MAX_INTERMEDIATES = 4

/**
 * Colors and other control sequences, and sequences that select a character set. The last sequence may be incomplete. Looks at bytes,
 * because nearly every line of colored output has two sequences, and a copy of it as text costs more than the search.
 */
function escapesIn(data: Buffer): readonly Place[] {
  const found: Place[] = []
  for (let start = data.indexOf(ESC); start >= 0;) {
    const end = endOfEscape(data, start)
    if (end !== null) found.push({ start, end })
    start = data.indexOf(ESC, end ?? start + 1)
  }
  return found
}

/** Null if no known sequence begins at `start`. */
function endOfEscape(data: Buffer, start: number): number | null {
  const kind = data[start + 1]
  if (kind === undefined) return data.length
  if (kind === 0x28 || kind === 0x29) return endOfCharacterSet(data, start + 2)
  return kind === 0x5b ? endOfControl(data, start + 2) : null
}

function endOfCharacterSet(data: Buffer, at: number): number | null {
  const set = data[at]
  if (set === undefined) return data.length
  return (set >= 0x30 && set <= 0x39) || set === 0x41 || set === 0x42 ? at + 1 : null
}

function endOfControl(data: Buffer, from: number): number | null {
  const parameters = skipped(data, from, MAX_PARAMETERS, 0x30, 0x3f)
  const at = skipped(data, parameters, MAX_INTERMEDIATES, 0x20, 0x2f)
  const last = data[at]
  if (last === undefined) return data.length
  return last >= 0x40 && last <= 0x7e ? at + 1 : null
}

/** The position after at most `most` bytes that are between `low` and `high`. */
function skipped(data: Buffer, from: number, most: number, low: number, high: number): number {
  let at = from
  while (at < from + most && (data[at] ?? 0) >= low && (data[at] ?? 0) <= high) at++
  return at
}
