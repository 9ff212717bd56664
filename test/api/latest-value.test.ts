import { expect, test } from 'vitest'
import { latestValue } from '../../main/api/latest-value.ts'

test('a value is sent immediately and after each change, unless it is the same as the last one', async () => {
  let value = 1
  let reads = 0
  let changed = (): void => {}
  const stop = new AbortController()
  const values = latestValue(
    () => {
      reads++
      return value
    },
    (onChange) => {
      changed = onChange
      return { dispose: () => {} }
    },
    stop.signal,
    (last, next) => last === next,
  )
  const become = (next: number): void => {
    value = next
    changed()
  }
  const next = async (): Promise<unknown> => (await values.next()).value
  expect(await next()).toBe(1)
  const second = next()
  become(1)
  await expect.poll(() => reads).toBe(2)
  become(2)
  expect(await second).toBe(2)
  become(1)
  expect(await next()).toBe(1)
  stop.abort()
  expect(await values.next()).toEqual({ done: true, value: undefined })
})
