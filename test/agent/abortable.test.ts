import { expect, test } from 'vitest'
import { abortable } from '../../main/agent/abortable.ts'

const REASON = new Error('stopped')

/** Returns the promise rejections that were left unhandled while `work` ran. */
async function unhandledWhile(work: () => Promise<void>): Promise<readonly unknown[]> {
  const found: unknown[] = []
  const note = (error: unknown): void => void found.push(error)
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', note)
  try {
    await work()
    await new Promise((resolve) => setTimeout(resolve, 20))
  } finally {
    process.off('unhandledRejection', note)
    for (const other of others) process.on('unhandledRejection', other)
  }
  return found
}

test.each([
  ['aborted before the call', (stop: AbortController) => stop.abort(REASON), () => {}],
  ['aborted during the call', () => {}, (stop: AbortController) => stop.abort(REASON)],
])('if the signal is %s, a promise that fails later causes no unhandled rejection', async (_, before, meanwhile) => {
  const found = await unhandledWhile(async () => {
    const stop = new AbortController()
    const { promise, reject } = Promise.withResolvers<never>()
    before(stop)
    const waiting = abortable(promise, stop.signal)
    meanwhile(stop)
    await expect(waiting).rejects.toBe(REASON)
    reject(new Error('too late'))
  })
  expect(found).toEqual([])
})

test('a promise that settles before an abort keeps its outcome', async () => {
  const { signal } = new AbortController()
  expect(await abortable(Promise.resolve(1), signal)).toBe(1)
  await expect(abortable(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
})
