/** Characters of a name that are kept at most: the longest usual endings (`.module.css`, `.spec.tsx`) and a word before them. */
const LONGEST_END = 20

/** The end of a path that stays when its middle leaves: its name after the last slash, or the end of that where it is long. */
export function pathEnd(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0))
  const letters = [...name]
  return letters.length <= LONGEST_END ? name : letters.slice(-LONGEST_END).join('')
}
