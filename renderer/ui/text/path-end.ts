/** Characters of a name that are kept at most: the longest usual endings (`.module.css`, `.spec.tsx`) and a word before them. */
const LONGEST_END = 20
/** Of the room for a path, what its end takes at most, so that its beginning is still there. */
const SHARE = 0.65

/**
 * The end of a path that stays when its middle leaves, given room for so many characters: its name after the last slash, or the end of
 * that where it is long.
 */
export function pathEnd(path: string, room: number): string {
  const name = [...path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0))]
  const kept = Math.max(1, Math.min(LONGEST_END, Math.floor(room * SHARE)))
  return name.slice(-kept).join('')
}
