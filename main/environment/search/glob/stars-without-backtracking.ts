/** Any number of characters of a name. */
const STAR = '[^/]*'
/** Matches a piece that stands for exactly one character that is not a slash. */
const ONE = /^(?:\[\^\/\]|\(\?!\/\)\[[^]*\]|\\[^/]|[^|()/\\])$/u

/**
 * Joins the pieces of a glob's regular expression so that, of several stars between two slashes, only the last star backtracks: text
 * between two stars is matched at its first occurrence, because the second star can match everything after it. Otherwise a name of two
 * hundred letters and a pattern of six stars (for example in a `.gitignore`) would keep the process busy for minutes.
 */
export function joinedWithoutBacktracking(pieces: readonly string[]): string {
  let source = ''
  let groups = 0
  /** The pieces after the last star. Null if there was no star yet. */
  let behind: string | null = null
  const close = (): void => {
    if (behind !== null) source += STAR + behind
    behind = null
  }
  for (const piece of pieces) {
    if (piece === STAR) {
      if (behind !== null && behind !== '') source += `(?=(?<s${++groups}>[^/]*?${behind}))\\k<s${groups}>`
      behind = ''
    } else if (behind !== null && ONE.test(piece)) behind += piece
    else {
      close()
      source += piece
    }
  }
  close()
  return source
}
