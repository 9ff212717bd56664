/** Words with the whitespace after them, as models stream them. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*|\s+/g) ?? []
}

export function slicesOf(text: string, size: number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}
