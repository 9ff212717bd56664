/** Waits for the work, but at most this time in ms. The work goes on. */
export async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const overdue = Promise.withResolvers<void>()
  const timer = setTimeout(overdue.resolve, ms)
  await Promise.race([work, overdue.promise])
  clearTimeout(timer)
}
