import { failed, ok, type Result } from '../../../../shared/lib/result.ts'

/** Maximum number of globs to which one glob is expanded. More would keep the process busy. */
const MAX_GLOBS = 1000

/** The parts of a glob. `[@+!](…)` and `(a|b)` are `extended`; all else that is no sign of alternatives is kept as it is. */
const PART =
  /(?<range>\{(?:[a-zA-Z]\.\.[a-zA-Z]|-?\d{1,6}\.\.-?\d{1,6})(?:\.\.-?\d{1,6})?\})|(?<extended>[@+!]\([^()]*\)|[?*]?\([^()]*\|[^()]*\))|(?<sign>[{},])|\\[^]|\[[!^]?\]?(?:\[:\w*:\]|\\[^]|[^\\\]])*\]|[^]/gu

/** The alternatives of one brace: the complete ones, and the current one, which has several forms if it contains braces. */
interface Group {
  readonly before: readonly string[]
  readonly here: readonly string[]
}

/**
 * Expands `{a,b}` and ranges as shells do: `{1..3}`, `{01..10}` (which keeps the leading zeros), `{a..e}`, `{0..10..5}`. The expanded globs
 * have no braces except escaped ones. A failure says what is malformed.
 */
export function expandBraces(glob: string): Result<readonly string[], string> {
  /** The groups around the current one, the innermost last. */
  const outer: Group[] = []
  let group: Group = { before: [], here: [''] }
  for (const { 0: part, groups: kind } of glob.matchAll(PART)) {
    const isInBrace = outer.length > 0
    let forms: readonly string[] = [part]
    // ripgrep would take these brackets literally, find nothing and give no reason.
    if (kind?.['extended'] !== undefined)
      return failed(`${part} is not supported; write {a,b} for alternatives, or \\( for the character itself`)
    if (kind?.['sign'] === '{') {
      outer.push(group)
      group = { before: [], here: [''] }
      continue
    }
    if (kind?.['sign'] === ',' && isInBrace) {
      group = { before: [...group.before, ...group.here], here: [''] }
      continue
    }
    if (kind?.['sign'] === '}') {
      const around = outer.pop()
      if (!around) return failed(String.raw`} has no {; write \} for the character itself`)
      forms = [...group.before, ...group.here]
      group = around
    }
    if (kind?.['range'] !== undefined) {
      const range = namesInRange(part)
      if (!range) return failed(`${part} stands for more than ${MAX_GLOBS} numbers`)
      forms = range
    }
    if (group.here.length * forms.length > MAX_GLOBS) return failed('its braces stand for too many paths; write fewer alternatives')
    group = { before: group.before, here: group.here.flatMap((start) => forms.map((form) => start + form)) }
  }
  if (outer.length > 0) return failed(String.raw`{ has no }; write \{ for the character itself`)
  return ok([...new Set(group.here)])
}

/** Null if there are too many. */
function namesInRange(range: string): readonly string[] | null {
  const [from = '', to = '', step = '1'] = range.slice(1, -1).split('..')
  const isLetters = /[a-z]/iu.test(from)
  const start = isLetters ? from.charCodeAt(0) : Number(from)
  const end = isLetters ? to.charCodeAt(0) : Number(to)
  const apart = Math.abs(Number(step)) || 1
  const count = Math.floor(Math.abs(end - start) / apart) + 1
  if (count > MAX_GLOBS) return null
  const digits = [from, to].some((each) => /^-?0\d/u.test(each)) ? Math.max(from.length, to.length) : 0
  const numbers = Array.from({ length: count }, (_, index) => start + Math.sign(end - start) * index * apart)
  return numbers.map((number) => (isLetters ? String.fromCharCode(number) : padded(number, digits)))
}

function padded(number: number, digits: number): string {
  return number < 0 ? `-${String(-number).padStart(digits - 1, '0')}` : String(number).padStart(digits, '0')
}
