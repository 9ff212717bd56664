/**
 * Takes every step, one after the other, whatever becomes of those before; then rejects with the first failure. For endings, where a step
 * that fails must not keep the others from being taken.
 */
export async function tryAll(...steps: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** The same for steps that may be taken at the same time. */
export async function tryAllAtOnce(steps: Iterable<Promise<unknown>>): Promise<void> {
  const outcomes = await Promise.allSettled(steps)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
}
