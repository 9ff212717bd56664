/**
 * Whether a name fits a pattern that says something of its own: letters besides `*` and `?`. Sets in brackets stand for any one
 * character, so that it errs towards a match. In time proportional to both lengths.
 */
export function globMatches(pattern: string, name: string): boolean {
  if (!/[^*?]/u.test(pattern)) return false
  return matches(pattern, name)
}

/** As the shell matches one component of a path; brackets as above. */
export function matches(pattern: string, name: string): boolean {
  const parts = pattern.match(/\[(?:!|\^)?\]?[^\]]*\]|[^]/gu) ?? []
  let part = 0
  let char = 0
  let star = -1
  let from = 0
  while (char < name.length) {
    const now = parts[part]
    if (now === '*') {
      star = part++
      from = char
    } else if (now === '?' || now === name[char] || (now !== undefined && now.length > 1)) {
      part++
      char++
    } else if (star >= 0) {
      part = star + 1
      char = ++from
    } else return false
  }
  return parts.slice(part).every((rest) => rest === '*')
}
