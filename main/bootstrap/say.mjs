/** While a step runs, a line is printed at least this often (ms). */
const LINE_EVERY_MS = 4_000

/** @param {string} line */
export function say(line) {
  console.log(`countersign: ${line}`)
}

/** @param {number} sinceMs a `Date.now()` */
export function secondsSince(sinceMs) {
  return `${Math.round((Date.now() - sinceMs) / 1000)} s`
}

/**
 * Runs a step and prints its progress: one line at the start, then one every four seconds with what `detail` returns.
 * @template T
 * @param {string} what
 * @param {() => string} detail
 * @param {() => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function withProgress(what, detail, step) {
  const since = Date.now()
  say(`${what} …`)
  const timer = setInterval(
    () => say(`${what}: ${[detail(), secondsSince(since)].filter((part) => part !== '').join(', ')}`),
    LINE_EVERY_MS,
  )
  try {
    return await step()
  } finally {
    clearInterval(timer)
  }
}
