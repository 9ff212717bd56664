import { describe, expect, it } from 'vitest'
import { AsyncQueue } from '../../../shared/lib/async-queue.ts'

async function drain<T>(queue: AsyncQueue<T>): Promise<readonly T[]> {
  const values: T[] = []
  for await (const value of queue) values.push(value)
  return values
}

describe('queue with one consumer', () => {
  it('returns every value in order, including undefined, then ends', async () => {
    const queue = new AsyncQueue<number | undefined>()
    for (const value of [1, undefined, 3]) queue.push(value)
    queue.end()
    queue.push(4)
    expect(await drain(queue)).toEqual([1, undefined, 3])
  })

  it('loses nothing when thousands of values are alternately pushed and read', async () => {
    const queue = new AsyncQueue<number>()
    const reader = queue[Symbol.asyncIterator]()
    const read: number[] = []
    let next = 0
    for (let round = 0; round < 50; round++) {
      for (let index = 0; index < 700; index++) queue.push(next++)
      for (let index = 0; index < 500; index++) read.push((await reader.next()).value as number)
    }
    queue.end()
    read.push(...(await drain(queue)))
    expect(read).toEqual(Array.from({ length: 35_000 }, (_, index) => index))
  })

  it('throws its failure only once, after the values that were pushed before it', async () => {
    const queue = new AsyncQueue<number>()
    queue.push(1)
    queue.fail(new Error('broken'))
    const reader = queue[Symbol.asyncIterator]()
    expect(await reader.next()).toEqual({ value: 1, done: false })
    await expect(reader.next()).rejects.toThrow('broken')
    expect(await reader.next()).toEqual({ value: undefined, done: true })
  })

  it('a waiting reader gets the next value, end or failure', async () => {
    const first = new AsyncQueue<number>()
    const value = first[Symbol.asyncIterator]().next()
    first.push(7)
    const end = first[Symbol.asyncIterator]().next()
    first.end()
    const second = new AsyncQueue<number>()
    const failure = second[Symbol.asyncIterator]().next()
    second.fail(new Error('broken'))
    expect([await value, await end]).toEqual([
      { value: 7, done: false },
      { value: undefined, done: true },
    ])
    await expect(failure).rejects.toThrow('broken')
  })

  it('leaving the loop drops the remaining values and calls the callback once', async () => {
    let left = 0
    const queue = new AsyncQueue<number>(() => left++)
    queue.push(1)
    queue.push(2)
    for await (const value of queue) if (value === 1) break
    expect([left, await drain(queue)]).toEqual([1, []])
  })
})
