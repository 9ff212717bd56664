import { readFileSpec } from '../../../shared/tools/read-file.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import { cutChars } from '../truncation/cut.ts'
import { limitsOf } from '../truncation/limits.ts'

/**
 * Which lines of a file a reader gets to see whole: those asked for, without those that the limit of characters cuts away or apart.
 * `shown` are the lines as `output` begins with them. Undefined: all of the file.
 */
export function linesShown(shown: readonly string[], output: string, first: number, total: number): SeenLines | undefined {
  const { chars, mode } = limitsOf(readFileSpec.name)
  const cut = cutChars(output, chars, mode)
  const ranges = cut ? besideCut(shown, first, cut.head.length, output.length - cut.tail.length) : [rangeOf(first, shown.length)]
  const [only] = ranges
  if (total === 0 || (ranges.length === 1 && only?.[0] === 1 && only[1] >= total)) return undefined
  return { ranges: ranges.filter(([from, to]) => from <= to), total }
}

const rangeOf = (first: number, count: number): readonly [number, number] => [first, first + count - 1]

/** `head`: where the beginning that is left ends; `tail`: where the end that is left begins. */
function besideCut(shown: readonly string[], first: number, head: number, tail: number): readonly (readonly [number, number])[] {
  let [at, above, below] = [0, 0, 0]
  for (const line of shown) {
    if (at + line.length <= head) above++
    else if (at >= tail) below++
    at += line.length + 1
  }
  return [rangeOf(first, above), rangeOf(first + shown.length - below, below)]
}
