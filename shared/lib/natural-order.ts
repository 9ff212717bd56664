/**
 * Compares two names in the order that people expect: sequences of digits count as numbers, so that `step-13` comes before `step-104`.
 * Everything else is compared by UTF-16 code unit, so the result is the same on every platform and in every locale. Distinct strings
 * never compare as equal.
 */
export function naturalOrder(a: string, b: string): number {
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    if (isDigit(a, i) && isDigit(b, j)) {
      const endA = endOfDigits(a, i)
      const endB = endOfDigits(b, j)
      const order = compareNumbers(a, i, endA, b, j, endB)
      if (order !== 0) return order
      i = endA
      j = endB
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

function endOfDigits(text: string, start: number): number {
  let end = start
  while (isDigit(text, end)) end++
  return end
}

/**
 * Compares two sequences of digits by value, however long they are. It creates no substrings, because sorting thousands of paths needs
 * tens of thousands of comparisons.
 */
function compareNumbers(a: string, startA: number, endA: number, b: string, startB: number, endB: number): number {
  const fromA = withoutZeros(a, startA, endA)
  const fromB = withoutZeros(b, startB, endB)
  const lengths = endA - fromA - (endB - fromB)
  if (lengths !== 0) return lengths
  for (let at = 0; fromA + at < endA; at++) {
    const order = a.charCodeAt(fromA + at) - b.charCodeAt(fromB + at)
    if (order !== 0) return order
  }
  return 0
}

function withoutZeros(text: string, start: number, end: number): number {
  let from = start
  while (from < end - 1 && text.charCodeAt(from) === 48) from++
  return from
}
