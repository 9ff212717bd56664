const ESC = 0x1b
const WORD = Int32Array.BYTES_PER_ELEMENT
/** Maximum number of parameter bytes and of intermediate bytes (ECMA-48) of a control sequence. */
const MAX_PARAMETERS = 64
const MAX_INTERMEDIATES = 4
/** Initial capacity, in sequences. */
const FIRST_ROOM = 1024

/** A part of the data, from `start` to before `end`. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** Data without its escape sequences. */
export interface Cleaned {
  readonly bytes: Uint8Array
  /** The position in the data of a byte of `bytes`. */
  placeOf(index: number): number
  /** Maps a position in the data to `bytes`: the index of the first byte at or after it. */
  indexOf(place: number): number
  /** The escape sequences that are completely inside this part of the data. */
  sequencesIn(part: Place): readonly Place[]
}

/**
 * Removes escape sequences from one piece of output after another: colors and other control sequences, and sequences that select a
 * character set. The last sequence may be incomplete. A result is valid until the next call, because its memory is reused: colored output
 * has up to four sequences per line, and objects for each of them took longer than everything else that is done with the output.
 */
export class EscapeRemoval {
  #bytes = Buffer.alloc(0)
  /** Where each sequence begins and ends in the data, and the number of bytes of the result before it. */
  #starts = new Int32Array(FIRST_ROOM)
  #ends = new Int32Array(FIRST_ROOM)
  #indexes = new Int32Array(FIRST_ROOM)
  #count = 0

  /** Null if the data has no escape sequence. */
  from(data: Buffer): Cleaned | null {
    const first = data.indexOf(ESC)
    if (first < 0) return null
    const length = this.#copy(data, first)
    if (this.#count === 0) return null
    const bytes = this.#bytes.subarray(0, length)
    return {
      bytes,
      placeOf: (index) => index + this.#removedBefore(this.#upTo(this.#indexes, index)),
      indexOf: (place) => this.#indexOf(place),
      sequencesIn: (part) => this.#sequencesIn(part),
    }
  }

  /** Returns the length of the result. There is no ESC before `first`. */
  #copy(data: Buffer, first: number): number {
    if (this.#bytes.length < data.length) this.#bytes = Buffer.allocUnsafeSlow(data.length)
    const bytes = this.#bytes
    const written = new DataView(bytes.buffer)
    const read = new DataView(data.buffer, data.byteOffset, data.length)
    const lastWord = data.length - WORD
    data.copy(bytes, 0, 0, first)
    this.#count = 0
    let length = first
    for (let at = first; at < data.length;) {
      if (at <= lastWord) {
        const word = read.getInt32(at, true)
        const different = word ^ 0x1b1b1b1b
        // The top bit of a byte is set if the byte is ESC. Borrow can only cause false alarms.
        if (((different - 0x01010101) & ~different & 0x80808080) === 0) {
          written.setInt32(length, word, true)
          length += WORD
          at += WORD
          continue
        }
      }
      const byte = data[at] as number
      const end = byte === ESC ? endOfEscape(data, at) : null
      if (end === null) {
        bytes[length] = byte
        length++
        at++
      } else {
        this.#note(at, end, length)
        at = end
      }
    }
    return length
  }

  #note(start: number, end: number, index: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = doubled(this.#starts)
      this.#ends = doubled(this.#ends)
      this.#indexes = doubled(this.#indexes)
    }
    this.#starts[this.#count] = start
    this.#ends[this.#count] = end
    this.#indexes[this.#count] = index
    this.#count++
  }

  /** The number of sequences whose `value` is at most `most`. */
  #upTo(values: Int32Array, most: number): number {
    return countBefore(this.#count, (at) => (values[at] ?? 0) <= most)
  }

  /** The number of bytes in the first `count` sequences. */
  #removedBefore(count: number): number {
    return count === 0 ? 0 : (this.#ends[count - 1] ?? 0) - (this.#indexes[count - 1] ?? 0)
  }

  #indexOf(place: number): number {
    const count = this.#upTo(this.#starts, place)
    // A position inside an escape sequence belongs to what follows the sequence.
    const isInside = count > 0 && place < (this.#ends[count - 1] ?? 0)
    return isInside ? (this.#indexes[count - 1] ?? 0) : place - this.#removedBefore(count)
  }

  #sequencesIn({ start, end }: Place): readonly Place[] {
    const found: Place[] = []
    for (let at = this.#upTo(this.#starts, start - 1); at < this.#count && (this.#ends[at] ?? 0) <= end; at++)
      found.push({ start: this.#starts[at] ?? 0, end: this.#ends[at] ?? 0 })
    return found
  }
}

function doubled(values: Int32Array): Int32Array<ArrayBuffer> {
  const all = new Int32Array(values.length * 2)
  all.set(values)
  return all
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

/** Binary search: the number of positions at the beginning for which `isBefore` is true. It must be false for all later ones. */
export function countBefore(length: number, isBefore: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
