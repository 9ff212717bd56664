/**
 * Whether a shell may match `name`, one component of a path, with `pattern`. A bracket expression is treated like `?`, so the answer can be
 * a false yes but never a false no. The time is at most proportional to the product of both lengths.
 */
export function fitsGlob(pattern: string, name: string): boolean {
  const parts = pattern.match(/\[(?:!|\^)?\]?[^\]]*\]|[^]/gu) ?? []
  let part = 0
  let char = 0
  // Where matching goes on if it fails: after the last star, which then stands for one character more.
  let afterStar: { part: number; char: number } | null = null
  while (char < name.length) {
    const next = parts[part]
    if (next === '*') {
      part++
      afterStar = { part, char }
    } else if (next !== undefined && (next === '?' || next === name[char] || next.length > 1)) {
      part++
      char++
    } else if (afterStar) {
      afterStar.char++
      part = afterStar.part
      char = afterStar.char
    } else return false
  }
  return parts.slice(part).every((rest) => rest === '*')
}
