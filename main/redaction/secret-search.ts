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

/** Number of bytes at the end of the window that are examined at once. */
const BLOCK = 2

/**
 * Finds any of many byte strings in one pass (Wu and Manber's algorithm), instead of one pass for each. The search moves a window that is
 * as long as the shortest form. The last two bytes in the window tell how far it may move, so most bytes are never examined.
 */
export class SecretSearch {
  /** Forms that are not ASCII, longest first. */
  readonly others: readonly SecretForm[]
  readonly #forms: readonly SecretForm[]
  readonly #shortest: number
  readonly #longest: number
  readonly #shifts = new Uint16Array(65_536)
  readonly #byBlock = new Map<number, SecretForm[]>()
  readonly #byFirst = new Map<number, SecretForm[]>()

  constructor(forms: readonly SecretForm[]) {
    // Longest first, so that the first form that matches is the longest.
    this.#forms = forms.toSorted((a, b) => b.bytes.length - a.bytes.length)
    this.others = this.#forms.filter(({ bytes }) => bytes.some((byte) => byte > 127))
    this.#shortest = Math.min(...forms.map(({ bytes }) => bytes.length))
    this.#longest = Math.max(0, ...forms.map(({ bytes }) => bytes.length))
    this.#shifts.fill(Math.min(this.#shortest, 65_535) - BLOCK + 1)
    for (const form of this.#forms) this.#learn(form)
  }

  /** The first secret at or after `from`. */
  find(data: Uint8Array, from: number): SecretMatch | null {
    if (this.#forms.length === 0) return null
    const shifts = this.#shifts
    for (let last = from + this.#shortest - 1; last < data.length;) {
      const block = ((data[last - 1] ?? 0) << 8) | (data[last] ?? 0)
      const shift = shifts[block] ?? 1
      if (shift > 0) last += shift
      else {
        const start = last - this.#shortest + 1
        const form = this.#byBlock.get(block)?.find(({ bytes }) => isAt(data, start, bytes, bytes.length))
        if (form) return { start, end: start + form.bytes.length, marker: form.marker }
        last++
      }
    }
    return null
  }

  /** The beginning of a secret, at or after `from`, that reaches to the end of the data; null if there is none. */
  unfinished(data: Uint8Array, from: number): SecretMatch | null {
    for (let start = Math.max(from, data.length - this.#longest + 1); start < data.length; start++) {
      const length = data.length - start
      const forms = this.#byFirst.get(data[start] ?? 0)
      const form = forms?.find(({ bytes }) => bytes.length > length && isAt(data, start, bytes, length))
      if (form) return { start, end: data.length, marker: form.marker }
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
    listed(this.#byFirst, bytes[0] ?? 0, form)
  }
}

function listed(lists: Map<number, SecretForm[]>, key: number, form: SecretForm): void {
  const list = lists.get(key)
  if (list) list.push(form)
  else lists.set(key, [form])
}

/** Whether the first `length` bytes of `form` are at `start`. */
function isAt(data: Uint8Array, start: number, form: Uint8Array, length: number): boolean {
  if (start + length > data.length) return false
  for (let at = 0; at < length; at++) if (data[start + at] !== form[at]) return false
  return true
}
