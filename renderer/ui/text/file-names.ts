/** A place that a text names: a file, and a line (from 1) if the text names one. */
export interface NamedPlace {
  readonly path: string
  readonly line: number | null
}

/** Longer words are not checked. */
const LONGEST_WORD = 300

/** `src/money.js`, `src/money.js:12`, `src/money.js:12:5`, `src/money.js:12-20`, `src/money.js#L12-L20`. */
const PLACE = /^(.+?)(?::(\d{1,7})(?:[:-]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)?$/

/** Reads a word as the name of a file. Null if it does not look like one. Does not check whether the file exists. */
export function placeOf(word: string): NamedPlace | null {
  if (word.length > LONGEST_WORD || /\s|:\/\//.test(word)) return null
  const [, path = '', colonLine, hashLine] = PLACE.exec(word) ?? []
  const line = Number(colonLine ?? hashLine) || null
  const isFile = /[^/\\]$/.test(path) && (/[/\\]/.test(path) || /\.[a-z]\w{0,9}$/i.test(path) || line !== null)
  return isFile ? { path, line } : null
}

/** A part of a text: other words, or a word that may name a file. */
export type WordsPart = { readonly text: string; readonly place: NamedPlace | null }

/** Splits a text at the words that may name files. The parts together are the text. Takes time in proportion to its length. */
export function partsOf(text: string): readonly WordsPart[] {
  const parts: WordsPart[] = []
  let other = ''
  for (const piece of text.split(/([\s"'`“”‘’()<>[\]{},;|*]+)/)) {
    const word = piece.length > LONGEST_WORD ? piece : piece.replace(/[.:!?]+$/, '')
    const place = /[./\\:]/.test(word) ? placeOf(word) : null
    if (place === null) {
      other += piece
      continue
    }
    if (other !== '') parts.push({ text: other, place: null })
    parts.push({ text: word, place })
    other = piece.slice(word.length)
  }
  if (other !== '') parts.push({ text: other, place: null })
  return parts
}

/** Maximum number of files of one answer that become links. */
const MOST = 100

/** The paths that a Markdown text may name, each once. */
export function pathsIn(markdown: string): readonly string[] {
  const paths = new Set<string>()
  for (const { place } of partsOf(markdown)) {
    if (place !== null) paths.add(place.path)
    if (paths.size === MOST) break
  }
  return [...paths]
}
