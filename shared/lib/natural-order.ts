/**
 * Compares two names as people order them: runs of digits count as numbers, so that `step-13` comes before `step-104`. Everything else is
 * compared by UTF-16 code unit, the same on every platform and in every locale. Distinct strings never compare as equal.
 */
export function naturalOrder(a: string, b: string): number {
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (isDigit(a, i) && isDigit(b, j)) {
      const [first, second] = [digitsFrom(a, i), digitsFrom(b, j)]
      const order = compareNumbers(first, second)
      if (order !== 0) return order
      i += first.length
      j += second.length
      continue
    }
    const order = a.charCodeAt(i) - b.charCodeAt(j)
    if (order !== 0) return order
    i++
    j++
  }
  return a.length - i - (b.length - j) || (a < b ? -1 : a > b ? 1 : 0)
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

function digitsFrom(text: string, start: number): string {
  let end = start
  while (isDigit(text, end)) end++
  return text.slice(start, end)
}

/** By value, however many digits there are. */
function compareNumbers(a: string, b: string): number {
  const [plainA, plainB] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')]
  if (plainA.length !== plainB.length) return plainA.length - plainB.length
  return plainA < plainB ? -1 : plainA > plainB ? 1 : 0
}
