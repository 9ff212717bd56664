import { describe, expect, test } from 'vitest'
import { tryAll, tryAllAtOnce } from '../../../shared/lib/try-all.ts'

const failing = (name: string) => Promise.reject(new Error(name))

describe('endings', () => {
  test('take every step in order, then say what failed first', async () => {
    const taken: number[] = []
    const step = (number: number, does?: () => unknown) => () => {
      taken.push(number)
      return does?.()
    }
    const thrown = (): never => {
      throw new Error('third')
    }
    await expect(
      tryAll(
        step(1),
        step(2, () => failing('second')),
        step(3, thrown),
        step(4),
      ),
    ).rejects.toThrow('second')
    expect(taken).toEqual([1, 2, 3, 4])
    await expect(tryAll(step(5))).resolves.toBeUndefined()
  })

  test('at once: wait for all, also for those behind a failure', async () => {
    let ended = false
    const slow = new Promise((resolve) => setImmediate(resolve)).then(() => (ended = true))
    await expect(tryAllAtOnce([failing('first'), slow])).rejects.toThrow('first')
    expect(ended).toBe(true)
  })
})
