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

/** Holds at most `headLength` + 2 × `tailLength` characters; never cuts a surrogate pair. */
export function createHeadTail(headLength: number, tailLength: number): HeadTail {
  let head = ''
  let headIsOpen = true
  let tail = ''
  let omitted = 0

  const cutTail = (): void => {
    const excess = tail.length - tailLength
    const cut = splitsPair(tail, excess) ? excess + 1 : excess
    tail = tail.slice(cut)
    omitted += cut
  }
  return {
    push(text) {
      if (!headIsOpen) tail += text
      else if (head.length + text.length <= headLength) head += text
      else {
        const all = head + text
        const cut = splitsPair(all, headLength) ? headLength - 1 : headLength
        head = all.slice(0, cut)
        tail = all.slice(cut)
        headIsOpen = false
      }
      // Cut at twice the length, so that a character is copied a bounded number of times.
      if (tail.length > 2 * tailLength) cutTail()
    },
    kept() {
      if (tail.length > tailLength) cutTail()
      if (omitted === 0) return { text: head + tail, omitted }
      return { text: `${head}${head.endsWith('\n') ? '' : '\n'}[... ${omitted} characters of output omitted here ...]\n${tail}`, omitted }
    },
  }
}

/** Whether a cut before `index` would part the two halves of one character. */
export function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
