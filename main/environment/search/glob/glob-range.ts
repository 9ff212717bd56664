/** What a range of braces names at most. */
const LONGEST = 1000

/** Letters or numbers, and how far apart they are. */
const RANGE = /^\{(?:(?<a>[a-zA-Z])\.\.(?<z>[a-zA-Z])|(?<from>-?\d{1,6})\.\.(?<to>-?\d{1,6}))(?:\.\.(?<step>-?\d{1,6}))?\}/u

/** The range that `rest` begins with, as shells have it: `{1..3}`, `{01..10}`, which keeps the digits, `{a..e}`, `{0..10..5}`. Null: there is none. */
export function globRangeAt(rest: string): { readonly text: string; readonly names: readonly string[] | null } | null {
  const found = RANGE.exec(rest)
  const { a, z, from = '', to = '', step = '1' } = found?.groups ?? {}
  if (!found) return null
  const [start, end] = a !== undefined && z !== undefined ? [a.charCodeAt(0), z.charCodeAt(0)] : [Number(from), Number(to)]
  const apart = Math.abs(Number(step)) || 1
  const count = Math.floor(Math.abs(end - start) / apart) + 1
  if (count > LONGEST) return { text: found[0], names: null }
  const digits = [from, to].some((each) => /^-?0\d/u.test(each)) ? Math.max(from.length, to.length) : 0
  const numbers = Array.from({ length: count }, (_, index) => start + Math.sign(end - start) * index * apart)
  return { text: found[0], names: numbers.map((number) => (a === undefined ? padded(number, digits) : String.fromCharCode(number))) }
}

function padded(number: number, digits: number): string {
  return number < 0 ? `-${String(-number).padStart(digits - 1, '0')}` : String(number).padStart(digits, '0')
}
