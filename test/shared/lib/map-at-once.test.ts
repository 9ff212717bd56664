import { expect, test } from 'vitest'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'

test('results are in the order of the values, and the limit of parallel tasks is never exceeded', async () => {
  let running = 0
  let most = 0
  const values = Array.from({ length: 50 }, (_, index) => index)
  const doubled = await mapAtOnce(values, 4, async (value) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, (value * 7) % 5))
    running--
    return value * 2
  })
  expect({ doubled, most }).toEqual({ doubled: values.map((value) => value * 2), most: 4 })
})

test('after a failure nothing more is started, and the promise rejects once all running tasks have ended', async () => {
  const begun: number[] = []
  let ended = 0
  const failing = mapAtOnce([0, 1, 2, 3, 4, 5], 2, async (value) => {
    begun.push(value)
    await new Promise((resolve) => setTimeout(resolve, value === 1 ? 1 : 20))
    ended++
    if (value === 1) throw new Error('one failed')
  })
  await expect(failing).rejects.toThrow('one failed')
  expect({ begun, ended }).toEqual({ begun: [0, 1], ended: 2 })
})

test('without values, the function is never called', async () => {
  expect(await mapAtOnce([], 4, () => Promise.reject(new Error('called')))).toEqual([])
})
