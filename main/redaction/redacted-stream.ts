import type { RedactedStream } from '../agent/ports/redactor.ts'
import { type Cleaned, EscapeRemoval, type Place } from './escape-sequences.ts'
import { dumpLineStart, searchIn } from './output-views.ts'
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
  const escapes = new EscapeRemoval()
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
  const showEscapes = (data: Buffer, clean: Cleaned | null, part: Place): void => {
    for (const { start, end } of clean?.sequencesIn(part) ?? []) show(data, start, end)
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
    const clean = escapes.from(data)
    const { find, unfinished } = searchIn(search, data, { clean, isWhole: false })
    let next = shown
    let from = 0
    for (let match = find(from); match; match = find(from)) {
      from = match.end
      if (match.end <= next) continue
      show(data, next, match.start)
      emit(Buffer.from(match.marker))
      showEscapes(data, clean, { start: Math.max(match.start, next), end: match.end })
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
      showEscapes(held, escapes.from(held), { start: shown, end: held.length })
      shown = held.length
    },
  }
}
