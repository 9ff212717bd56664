import { expect, it } from 'vitest'
import { createWriteLock } from '../../main/workspace/write-lock.ts'

it('tasks run one at a time, in order of arrival', async () => {
  const lock = createWriteLock()
  const first = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const order: string[] = []
  const all = [
    lock.exclusively(async () => {
      order.push('a begins')
      begun.resolve()
      await first.promise
      order.push('a ends')
      return 1
    }),
    lock.exclusively(async () => void order.push('b')),
    lock.exclusively(async () => void order.push('c')),
  ]
  await begun.promise
  expect(order).toEqual(['a begins'])
  first.resolve()
  expect(await Promise.all(all)).toEqual([1, undefined, undefined])
  expect(order).toEqual(['a begins', 'a ends', 'b', 'c'])
})

it('a failed task lets the next one run, and its error goes to its caller', async () => {
  const lock = createWriteLock()
  const failing = lock.exclusively(() => Promise.reject(new Error('broken')))
  const next = lock.exclusively(() => Promise.resolve('fine'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('fine')
})

it('a task aborted while waiting never starts, and later tasks keep their order', async () => {
  const lock = createWriteLock()
  const first = Promise.withResolvers<void>()
  const stop = new AbortController()
  const order: string[] = []
  const a = lock.exclusively(() => first.promise.then(() => void order.push('a')))
  const b = lock.exclusively(async () => void order.push('b'), stop.signal)
  const c = lock.exclusively(async () => void order.push('c'))
  stop.abort(new Error('stopped'))
  await expect(b).rejects.toThrow('stopped')
  expect(order).toEqual([])
  first.resolve()
  await Promise.all([a, c])
  expect(order).toEqual(['a', 'c'])
})

it('an abort does not interrupt a running task, but an abort before the call rejects the call', async () => {
  const lock = createWriteLock()
  const stop = new AbortController()
  const work = lock.exclusively(async () => {
    stop.abort(new Error('stopped'))
    return 'done'
  }, stop.signal)
  expect(await work).toBe('done')
  await expect(lock.exclusively(() => Promise.resolve(), stop.signal)).rejects.toThrow('stopped')
})
