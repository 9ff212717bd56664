/** One form in which a secret may appear, in UTF-8. */
export interface SecretForm {
  readonly bytes: Buffer
  /** The text that replaces the secret. */
  readonly marker: string
}

export interface SecretMatch {
  readonly start: number
  readonly end: number
  readonly marker: string
}

/** The beginning of a secret at the end of the data. */
export interface Beginning extends SecretMatch {
  /** Number of bytes of the secret that are there. */
  readonly length: number
}

/** Number of bytes at the end of the window that are examined at once. */
const BLOCK = 2
const WHITE_SPACE = [0x20, 0x0a, 0x0d, 0x09, 0x0b, 0x0c] as const
/** By byte: 1 for the bytes that a search passes over, as if they were not in the data. */
export type PassedOver = Uint8Array
export const NOTHING: PassedOver = new Uint8Array(256)
export const BLANKS: PassedOver = Uint8Array.from({ length: 256 }, (_, byte) => (WHITE_SPACE.some((blank) => blank === byte) ? 1 : 0))

const NO_FORMS: readonly SecretForm[] = []

export const hasBlanks = (data: Uint8Array): boolean => WHITE_SPACE.some((blank) => data.includes(blank))

/**
 * Finds any of many byte strings in one pass (Wu and Manber's algorithm), instead of one pass for each. The search moves a window that is
 * as long as the shortest form. The last two bytes in the window tell how far it may move, so most bytes are never examined. Bytes that are
 * passed over do not count, so a move can only be too short, and no secret is missed.
 */
export class SecretSearch {
  /** Forms that are not ASCII, longest first. */
  readonly others: readonly SecretForm[]
  /** Whether a form contains white space. */
  readonly hasBlanks: boolean
  readonly #forms: readonly SecretForm[]
  readonly #shortest: number
  /** The last bytes of the data, as many as may be the beginning of a secret, and their places. Reused for all data. */
  readonly #end: Uint8Array
  readonly #endPlaces: Int32Array
  readonly #shifts = new Uint16Array(65_536)
  readonly #byBlock = new Map<number, SecretForm[]>()
  readonly #byFirst: (SecretForm[] | undefined)[] = Array.from({ length: 256 })

  constructor(forms: readonly SecretForm[]) {
    // Longest first, so that the first form that matches is the longest.
    this.#forms = forms.toSorted((a, b) => b.bytes.length - a.bytes.length)
    this.others = this.#forms.filter(({ bytes }) => bytes.some((byte) => byte > 127))
    this.hasBlanks = forms.some(({ bytes }) => hasBlanks(bytes))
    this.#shortest = Math.min(...forms.map(({ bytes }) => bytes.length))
    this.#end = new Uint8Array(Math.max(1, ...forms.map(({ bytes }) => bytes.length)) - 1)
    this.#endPlaces = new Int32Array(this.#end.length)
    this.#shifts.fill(Math.min(this.#shortest, 65_535) - BLOCK + 1)
    for (const form of this.#forms) this.#learn(form)
  }

  /** The first secret at or after `from`. */
  find(data: Uint8Array, from: number, passedOver: PassedOver): SecretMatch | null {
    if (this.#forms.length === 0) return null
    const shifts = this.#shifts
    const length = data.length
    for (let last = from + this.#shortest - 1; last < length;) {
      const byte = data[last] as number
      if (passedOver[byte] === 1) {
        last++
        continue
      }
      let before = last - 1
      while (before > from && passedOver[data[before] as number] === 1) before--
      const block = before < 0 ? byte : ((data[before] as number) << 8) | byte
      const shift = shifts[block] as number
      if (shift > 0) last += shift
      else {
        const match = this.#matchEnding(data, { from, last, block, passedOver })
        if (match) return match
        last++
      }
    }
    return null
  }

  /** The beginning of a secret, at or after `from`, that reaches to the end of the data; null if there is none. */
  unfinished(data: Uint8Array, from: number, passedOver: PassedOver): Beginning | null {
    const bytes = this.#end
    const places = this.#endPlaces
    let first = bytes.length
    for (let at = data.length - 1; at >= from && first > 0; at--) {
      const byte = data[at] ?? 0
      if (passedOver[byte] === 1) continue
      first--
      bytes[first] = byte
      places[first] = at
    }
    for (let start = first; start < bytes.length; start++) {
      const forms = this.#byFirst[bytes[start] ?? 0] ?? NO_FORMS
      const length = bytes.length - start
      for (const form of forms) {
        const isBegun = form.bytes.length > length && endOf(bytes, start, form.bytes, length, NOTHING) !== null
        if (isBegun) return { start: places[start] ?? 0, end: data.length, length, marker: form.marker }
      }
    }
    return null
  }

  /** The secret whose beginning, as long as the shortest form, ends at `last`. Null if there is none. */
  #matchEnding(
    data: Uint8Array,
    {
      from,
      last,
      block,
      passedOver,
    }: { readonly from: number; readonly last: number; readonly block: number; readonly passedOver: PassedOver },
  ): SecretMatch | null {
    let start = last
    for (let left = this.#shortest - 1; left > 0; left--) {
      start--
      while (start >= from && passedOver[data[start] ?? 0] === 1) start--
    }
    if (start < from) return null
    for (const { bytes, marker } of this.#byBlock.get(block) ?? []) {
      const end = endOf(data, start, bytes, bytes.length, passedOver)
      if (end !== null) return { start, end, marker }
    }
    return null
  }

  #learn(form: SecretForm): void {
    const { bytes } = form
    for (let at = 0; at + BLOCK <= this.#shortest; at++) {
      const block = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
      const shift = this.#shortest - BLOCK - at
      this.#shifts[block] = Math.min(this.#shifts[block] ?? 0, shift)
      if (shift === 0) listed(this.#byBlock, block, form)
    }
    const first = bytes[0] ?? 0
    this.#byFirst[first] = [...(this.#byFirst[first] ?? NO_FORMS), form]
  }
}

function listed(lists: Map<number, SecretForm[]>, key: number, form: SecretForm): void {
  const list = lists.get(key)
  if (list) list.push(form)
  else lists.set(key, [form])
}

/** Where the first `length` bytes of `form` end in the data, if they begin at `start`; otherwise null. */
function endOf(data: Uint8Array, start: number, form: Uint8Array, length: number, passedOver: PassedOver): number | null {
  let place = start
  for (let at = 0; at < length; at++) {
    while (at > 0 && passedOver[data[place] ?? 0] === 1) place++
    if (place >= data.length || data[place] !== form[at]) return null
    place++
  }
  return place
}
