import { readFileSpec } from '../../../shared/tools/read-file.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import { cutChars } from '../truncation/cut.ts'
import { limitsOf } from '../truncation/limits.ts'

/**
 * The lines of a file that the model sees completely: the requested lines, without those that the character limit cuts or removes.
 * `shown`: the lines with which `output` begins. Undefined: the whole file.
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

/** `head`: where the kept beginning ends; `tail`: where the kept end begins. */
function besideCut(shown: readonly string[], first: number, head: number, tail: number): readonly (readonly [number, number])[] {
  let [at, above, below] = [0, 0, 0]
  for (const line of shown) {
    if (at + line.length <= head) above++
    else if (at >= tail) below++
    at += line.length + 1
  }
  return [rangeOf(first, above), rangeOf(first + shown.length - below, below)]
}
