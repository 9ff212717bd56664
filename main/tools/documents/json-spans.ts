/** The offsets of a value in a JSON text, so that it can be replaced without changing the rest. */
export interface JsonSpan {
  readonly start: number
  readonly end: number
  /** For an object, its members by name; for a list, its elements by index. Empty for other values. */
  readonly members: ReadonlyMap<string, JsonSpan>
}

const BLANK = /[ \t\r\n]*/uy
const SCALAR = /"(?:[^"\\]|\\.)*"|[^\s,[\]{}":]+/suy

/** `text` must be valid JSON. */
export function jsonSpans(text: string): JsonSpan {
  let at = 0
  const blank = (): void => {
    BLANK.lastIndex = at
    BLANK.test(text)
    at = BLANK.lastIndex
  }
  const scalar = (): string => {
    SCALAR.lastIndex = at
    const found = SCALAR.exec(text)?.[0] ?? ''
    at += Math.max(1, found.length)
    return found
  }
  const value = (): JsonSpan => {
    blank()
    const start = at
    const opener = text[at]
    const members = new Map<string, JsonSpan>()
    if (opener === '{' || opener === '[') {
      at++
      for (blank(); at < text.length && text[at] !== '}' && text[at] !== ']'; blank()) {
        if (text[at] === ',') {
          at++
          continue
        }
        const name = opener === '{' ? (JSON.parse(scalar()) as string) : String(members.size)
        if (opener === '{') {
          blank()
          at++
        }
        members.set(name, value())
      }
      at++
    } else scalar()
    return { start, end: at, members }
  }
  return value()
}
