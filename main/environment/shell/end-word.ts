/** Looks for a word in a stream of bytes, wherever the pieces part it. */
export interface EndWord {
  /** What stands before the word, as far as that is certain; `behind` is null until the word has come. */
  take(bytes: Buffer): { readonly before: Buffer; readonly behind: Buffer | null }
}

export function createEndWord(word: string): EndWord {
  const sought = Buffer.from(word)
  let held = Buffer.alloc(0)
  return {
    take(bytes) {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const at = all.indexOf(sought)
      if (at >= 0) {
        held = Buffer.alloc(0)
        return { before: all.subarray(0, at), behind: all.subarray(at + sought.length) }
      }
      const cut = all.length - beginningAtEnd(all, sought)
      held = Buffer.from(all.subarray(cut))
      return { before: all.subarray(0, cut), behind: null }
    },
  }
}

/** How many bytes at the end could begin the word. */
function beginningAtEnd(bytes: Buffer, word: Buffer): number {
  for (let length = Math.min(word.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(word.subarray(0, length))) return length
  }
  return 0
}
