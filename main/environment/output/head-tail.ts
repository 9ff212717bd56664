/**
 * The content of a `HeadTail`: the text with a note in place of its missing middle. `omitted`: the number of missing characters.
 * `shorterBy`: how many characters shorter the text is than everything that was added.
 */
export interface KeptText {
  readonly text: string
  readonly omitted: number
  readonly shorterBy: number
}

/** Text of any length in bounded memory: keeps the beginning and the end, and counts the middle. Lengths are in UTF-16 units. */
export interface HeadTail {
  push(text: string): void
  /** Adds ASCII text as bytes, without decoding them. */
  pushAscii(bytes: Buffer): void
  kept(): KeptText
}

/** Keeps `headLength` + `tailLength` characters. Never splits a surrogate pair. */
export function createHeadTail(headLength: number, tailLength: number): HeadTail {
  let head = ''
  let tail: Ring | null = null
  const push = (text: string): void => {
    if (tail) return tail.push(text)
    const all = head + text
    if (all.length <= headLength) {
      head = all
      return
    }
    const cut = splitsPair(all, headLength) ? headLength - 1 : headLength
    head = all.slice(0, cut)
    tail = createRing(tailLength)
    tail.push(all.slice(cut))
  }
  return {
    push,
    pushAscii: (bytes) => (tail ? tail.pushAscii(bytes) : push(bytes.toString('latin1'))),
    kept() {
      const end = tail?.held() ?? { text: '', dropped: 0 }
      if (end.dropped === 0) return { text: head + end.text, omitted: 0, shorterBy: 0 }
      const mark = `${head.endsWith('\n') ? '' : '\n'}[... ${end.dropped} characters of output omitted here ...]\n`
      return { text: `${head}${mark}${end.text}`, omitted: end.dropped, shorterBy: end.dropped - mark.length }
    },
  }
}

interface Ring extends Pick<HeadTail, 'push' | 'pushAscii'> {
  held(): { readonly text: string; readonly dropped: number }
}

/** The last `length` characters, in one block of memory, because strings that survive a garbage collection would let the heap grow. */
function createRing(length: number): Ring {
  const units = new Uint16Array(length)
  let pushed = 0
  const bytesOfUnits = Buffer.from(units.buffer)
  const put = (text: string): void => {
    const at = pushed % length
    const fits = text.slice(0, length - at)
    bytesOfUnits.write(fits, 2 * at, 'utf16le')
    pushed += fits.length
    if (fits.length < text.length) put(text.slice(fits.length))
  }
  const putAscii = (bytes: Buffer): void => {
    const at = pushed % length
    const fits = bytes.subarray(0, length - at)
    units.set(fits, at)
    pushed += fits.length
    if (fits.length < bytes.length) putAscii(bytes.subarray(fits.length))
  }
  /** Passes over what would be overwritten at once. Returns where the part that is kept begins. */
  const passOver = (added: number): number => {
    const excess = Math.max(0, added - length)
    pushed += excess
    return excess
  }
  return {
    push(text) {
      const from = passOver(text.length)
      if (length > 0) put(from > 0 ? text.slice(from) : text)
    },
    pushAscii(bytes) {
      const from = passOver(bytes.length)
      if (length > 0) putAscii(bytes.subarray(from))
    },
    held() {
      const at = pushed > length ? pushed % length : 0
      const text = bytesOfUnits.toString('utf16le', 2 * at, 2 * Math.min(pushed, length)) + bytesOfUnits.toString('utf16le', 0, 2 * at)
      // If the first half of a character was dropped, the second half is dropped too.
      const half = pushed > length && /^[\udc00-\udfff]/.test(text) ? 1 : 0
      return { text: text.slice(half), dropped: Math.max(0, pushed - length) + half }
    },
  }
}

/** Whether a cut before `index` would split a surrogate pair. */
export function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
