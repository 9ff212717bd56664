/** What a `HeadTail` holds: the text with a note where its middle is missing, and how many characters that were. */
export interface KeptText {
  readonly text: string
  readonly omitted: number
}

/** Text of any length in bounded memory: its beginning and its end are kept, the middle is counted. Lengths in UTF-16 units. */
export interface HeadTail {
  push(text: string): void
  kept(): KeptText
}

/** Small pieces are put together up to this length, so that their number stays small. */
const PIECE = 16 * 1024

/** Holds `headLength` + `tailLength` characters and one piece more; never cuts a surrogate pair. */
export function createHeadTail(headLength: number, tailLength: number): HeadTail {
  let head = ''
  let headIsOpen = true
  const tail: string[] = []
  let tailHeld = 0
  let omitted = 0

  /** Whole pieces only: nothing is copied on the way, however much comes. */
  const pushTail = (text: string): void => {
    tailHeld += text.length
    const last = tail.at(-1)
    if (last !== undefined && last.length + text.length <= PIECE) tail[tail.length - 1] = last + text
    else tail.push(text)
    for (let first = tail[0]; first !== undefined && tailHeld - first.length >= tailLength; first = tail[0]) {
      tail.shift()
      tailHeld -= first.length
      omitted += first.length
    }
  }
  return {
    push(text) {
      if (!headIsOpen) return pushTail(text)
      const all = head + text
      headIsOpen = all.length <= headLength
      const cut = headIsOpen ? all.length : splitsPair(all, headLength) ? headLength - 1 : headLength
      head = all.slice(0, cut)
      if (!headIsOpen) pushTail(all.slice(cut))
    },
    kept() {
      const held = tail.join('')
      const excess = Math.max(0, held.length - tailLength)
      const cut = splitsPair(held, excess) ? excess + 1 : excess
      const missing = omitted + cut
      if (missing === 0) return { text: head + held, omitted: 0 }
      const mark = `[... ${missing} characters of output omitted here ...]`
      return { text: `${head}${head.endsWith('\n') ? '' : '\n'}${mark}\n${held.slice(cut)}`, omitted: missing }
    },
  }
}

/** Whether a cut before `index` would part the two halves of one character. */
export function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
