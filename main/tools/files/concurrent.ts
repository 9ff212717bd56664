/** How many files are read or written at the same time. Node has four threads for them; the disk combines the syncs of those that wait. */
export const CONCURRENT_FILES = 16

/**
 * Works on at most `limit` items at the same time, started in their order. After a failure no further item is started; rejects with the
 * first failure once all started work has ended, so nothing is still in progress then.
 */
export async function forEachConcurrent<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  const rest = items.values()
  const lane = async (): Promise<void> => {
    for (const item of rest) {
      try {
        await work(item)
      } catch (error) {
        failures.push(error)
      }
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
}
