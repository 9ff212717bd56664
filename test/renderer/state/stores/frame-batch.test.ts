import { describe, expect, test } from 'vitest'
import { FrameBatch } from '../../../../renderer/state/stores/frame-batch.ts'
import { testWindow } from '../support/window.ts'

const window = testWindow()

describe('values collected for a frame', () => {
  test('a hundred thousand values of one frame are delivered together, in order', () => {
    const pieces: (readonly number[])[] = []
    const batch = new FrameBatch<number>((values) => pieces.push(values))
    const values = Array.from({ length: 100_000 }, (_, index) => index)
    batch.add(values.slice(0, 50_000))
    batch.add(values.slice(50_000))
    expect({ pieces: pieces.length, frames: window.asked }).toEqual({ pieces: 0, frames: 1 })
    window.draw()
    expect(pieces).toEqual([values])
  })

  test('each frame delivers as many values as the limit allows, or an eighth of the backlog if that is more, and no value is lost', () => {
    const pieces: (readonly number[])[] = []
    const batch = new FrameBatch<number>((values) => pieces.push(values), { isCounted: (value) => value % 2 === 0, perFrame: 10 })
    const values = Array.from({ length: 200 }, (_, index) => index)
    batch.add(values)
    window.draw()
    window.draw()
    expect(pieces.map(({ length }) => length)).toEqual([26, 22])
    while (window.asked > 0) window.draw()
    expect(pieces.map(({ length }) => length)).toEqual([26, 22, ...Array.from({ length: 7 }, () => 20), 12])
    expect(pieces.flat()).toEqual(values)
  })

  test('one callback delivers all batches of a frame, and dropping a batch does not cancel the frame for the others', () => {
    const pieces: (readonly string[])[] = []
    const [one, other, dropped] = [1, 2, 3].map(() => new FrameBatch<string>((values) => pieces.push(values)))
    one?.add(['a'])
    dropped?.add(['c'])
    other?.add(['b'])
    dropped?.drop()
    expect(window.asked).toBe(1)
    window.draw()
    expect(pieces).toEqual([['a'], ['b']])
    other?.add(['d'])
    expect(window.asked).toBe(1)
    other?.drop()
    expect(window.asked).toBe(0)
  })

  test('a batch that is dropped while another batch is delivered in the same frame delivers nothing', () => {
    const delivered: (readonly string[])[] = []
    const dropped = new FrameBatch<string>((values) => delivered.push(values))
    const first = new FrameBatch<string>(() => dropped.drop())
    first.add(['a'])
    dropped.add(['b'])
    window.draw()
    expect({ delivered, frames: window.asked }).toEqual({ delivered: [], frames: 0 })
  })

  test('a window that draws no frames still gets the values', async () => {
    const handed = Promise.withResolvers<readonly string[]>()
    const batch = new FrameBatch<string>(handed.resolve, { isCounted: () => true, perFrame: 1 })
    batch.add(['a', 'b'])
    expect(await handed.promise).toEqual(['a', 'b'])
    expect(window.asked).toBe(0)
  })

  test('dropped values are never delivered, and no frame is requested', () => {
    const pieces: (readonly string[])[] = []
    const batch = new FrameBatch<string>((values) => pieces.push(values))
    batch.add([])
    expect(window.asked).toBe(0)
    batch.add(['a'])
    batch.drop()
    window.draw()
    batch.flush()
    expect(pieces).toEqual([])
  })
})
