/**
 * Returns the results of `work` for each value, in the order of the values. At most `atOnce` values are processed at a time. Rejects with
 * the first failure once nothing is running any more.
 */
export async function mapAtOnce<T, R>(values: readonly T[], atOnce: number, work: (value: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  let next = 0
  let hasFailed = false
  const lane = async (): Promise<void> => {
    for (let index = next++; index < values.length && !hasFailed; index = next++) {
      try {
        results[index] = await work(values[index] as T)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const lanes = Array.from({ length: Math.min(atOnce, values.length) }, lane)
  await Promise.allSettled(lanes)
  await Promise.all(lanes)
  return results
}
