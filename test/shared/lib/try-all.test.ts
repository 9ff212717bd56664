import { describe, expect, test } from 'vitest'
import { tryAll, tryAllAtOnce } from '../../../shared/lib/try-all.ts'

const failing = (name: string) => Promise.reject(new Error(name))

describe('tryAll', () => {
  test('runs every step in order, then throws the first error', async () => {
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

  test('in parallel: waits for all, even after a failure', async () => {
    let ended = false
    const slow = new Promise((resolve) => setImmediate(resolve)).then(() => (ended = true))
    await expect(tryAllAtOnce([failing('first'), slow])).rejects.toThrow('first')
    expect(ended).toBe(true)
  })
})
