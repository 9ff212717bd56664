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
  /** Adds ASCII text as bytes, which must not be changed afterwards. Only the bytes that are kept are decoded. */
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
  const units = Buffer.allocUnsafe(2 * length)
  let pushed = 0
  /**
   * The newest text, not yet copied to `units`. When output is fast, most of it is dropped before it is read, so it need not be copied. The
   * items are bytes, with occasional strings between them.
   */
  let waiting: (Buffer | string)[] = []
  let waitingLength = 0
  const put = (text: string): void => {
    const at = pushed % length
    const fits = text.slice(0, length - at)
    units.write(fits, 2 * at, 'utf16le')
    pushed += fits.length
    if (fits.length < text.length) put(text.slice(fits.length))
  }
  const push = (text: string): void => {
    const excess = Math.max(0, text.length - length)
    pushed += excess
    if (length === 0) return
    put(excess > 0 ? text.slice(excess) : text)
  }
  const takeIn = (): void => {
    for (const piece of waiting) push(typeof piece === 'string' ? piece : piece.toString('latin1'))
    waiting = []
    waitingLength = 0
  }
  const wait = (piece: Buffer | string): void => {
    waiting.push(piece)
    waitingLength += piece.length
    for (let first = waiting[0]; first !== undefined && waitingLength - first.length >= length; first = waiting[0]) {
      pushed += first.length
      waitingLength -= first.length
      waiting.shift()
    }
  }
  return {
    push(text) {
      // A string is copied immediately unless bytes wait before it, because waiting strings would survive a garbage collection.
      if (typeof (waiting.at(-1) ?? '') === 'string') {
        takeIn()
        push(text)
      } else wait(text)
    },
    pushAscii: wait,
    held() {
      takeIn()
      const at = pushed > length ? pushed % length : 0
      const text = units.toString('utf16le', 2 * at, 2 * Math.min(pushed, length)) + units.toString('utf16le', 0, 2 * at)
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
