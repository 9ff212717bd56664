/**
 * Why a valid JSON text may not be taken as arguments although it parses: the same key twice in one object (which of the two was meant?),
 * or `__proto__`. Null when there is nothing of the kind. One pass over the text; `text` must be valid JSON.
 */
export function unsafeKey(text: string): string | null {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
        open.push(new Set())
        break
      case '[':
        open.push(null)
        break
      case '}':
      case ']':
        open.pop()
        break
      case '"': {
        const end = endOfString(text, at)
        const keys = open.at(-1)
        if (keys && isKey(text, end)) {
          const key = JSON.parse(text.slice(at, end)) as string
          if (key === '__proto__') return 'The key "__proto__" is not allowed in arguments.'
          if (keys.has(key)) return `The key ${JSON.stringify(key)} occurs twice in the arguments; send it once.`
          keys.add(key)
        }
        at = end - 1
        break
      }
      default:
    }
  }
  return null
}

/** The index behind the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** A string is a key when a colon follows it; as a value it is followed by a comma or a closing bracket. */
function isKey(text: string, end: number): boolean {
  let at = end
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return text[at] === ':'
}
