import { troubleOf } from '../../../main/providers/failures/trouble-of-failure.ts'
import { failure } from '../../../main/providers/failures/failures.ts'
import { retryAfterMs } from '../../../main/providers/failures/retry-after.ts'
import { clockTime, shortAge } from '../../../renderer/ui/format.ts'

/**
 * Prints as JSON how the app interprets or shows times. Run it with `TZ` in the environment. Each argument is `kind text [text]`, separated
 * by `|`.
 */
const TOLD: Readonly<Record<string, (first: string, second: string) => unknown>> = {
  /**
   * Returns the time that `Retry-After: first` asks to wait, in an answer with `Date: second`, on a computer whose clock is wrong by a
   * day.
   */
  wait: (first, second) =>
    retryAfterMs({
      header: (name) => (name === 'retry-after' ? first : name === 'date' ? second : null),
      body: '',
      nowMs: Date.parse(second) + 86_400_000,
    }),
  /**
   * Returns the text that says when the next request is possible. `first` is the current time, and `second` is the number of milliseconds
   * to wait.
   */
  again: (first, second) =>
    troubleOf({ ...failure('rate_limit', 'Slow down.'), retryAfterMs: Number(second) }, { nowMs: Date.parse(first) }).todo,
  clock: (first) => clockTime(Date.parse(first)),
  /** Returns the age of `first` as a list shows it at the time `second`. */
  age: (first, second) => shortAge(Date.parse(first), Date.parse(second)).replaceAll('\u00a0', ' '),
}

const told = process.argv.slice(2).map((argument) => {
  const [kind = '', first = '', second = ''] = argument.split('|')
  return TOLD[kind]?.(first, second) ?? null
})
process.stdout.write(JSON.stringify(told))
