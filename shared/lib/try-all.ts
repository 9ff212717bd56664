/**
 * Runs every step, one after the other, even if earlier steps fail. Then rejects with the first failure. Used for shutdowns, in which a
 * failing step must not prevent the others.
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

/** The same as `tryAll`, for steps that may run at the same time. */
export async function tryAllAtOnce(steps: Iterable<Promise<unknown>>): Promise<void> {
  const outcomes = await Promise.allSettled(steps)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
}
