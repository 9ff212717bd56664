import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { type Carrier, createLine, sayGone } from '../../main/host-process/wire/line.ts'
import { pieceOf } from '../../main/host-process/wire/line-pieces.ts'

const QUIET = 60_000

/** The two ends of a connection. `limit`: the connection breaks after this many bytes in both directions together. */
function connection(limit = Infinity): readonly [Carrier, Carrier] {
  const there = new PassThrough()
  const back = new PassThrough()
  const destroy = (): void => {
    there.destroy()
    back.destroy()
  }
  let passed = 0
  for (const stream of [there, back]) {
    const write = stream.write.bind(stream)
    stream.write = ((chunk: Buffer) => {
      passed += chunk.length
      if (passed <= limit) return write(chunk)
      destroy()
      return false
    }) as typeof stream.write
  }
  return [
    { input: back, output: there, destroy },
    { input: there, output: back, destroy },
  ]
}

test('all bytes arrive once and in order, wherever the connection breaks', async () => {
  const near = createLine(QUIET)
  const far = createLine(QUIET)
  let limit = 20
  const attach = (): void => {
    const [one, other] = connection((limit *= 3))
    near.attach(one)
    far.attach(other)
  }
  near.onDetached(() => setImmediate(attach))
  const asked = Array.from({ length: 3_000 }, (_, at) => `question ${at}\n`)
  const answers = Array.from({ length: 3_000 }, (_, at) => `a longer answer to question ${at}\n`)
  const heardFar = text(far.input)
  const heardNear = text(near.input)
  attach()
  for (const line of asked) near.output.write(line)
  for (const line of answers) far.output.write(line)
  near.output.end()
  far.output.end()
  expect(await heardFar).toBe(asked.join(''))
  expect(await heardNear).toBe(answers.join(''))
  expect(limit).toBeGreaterThan(20 * 3 ** 5)
  near.destroy('over')
  far.destroy('over')
})

test('a writer waits while too many bytes are unconfirmed', async () => {
  const near = createLine(QUIET)
  const far = createLine(QUIET)
  let written = 0
  const piece = Buffer.alloc(1024 ** 2)
  const more = (): void => {
    if (written < 64) near.output.write(piece, () => (written++, more()))
  }
  more()
  await vi.waitUntil(() => written > 0)
  expect(written).toBeLessThan(10)
  const [one, other] = connection()
  near.attach(one)
  far.attach(other)
  far.input.resume()
  await vi.waitUntil(() => written === 64, { timeout: 20_000 })
  near.destroy('over')
  far.destroy('over')
})

test('a side that repeats its greeting gets no bytes again, and loses the connection', async () => {
  const near = createLine(QUIET)
  const lost = Promise.withResolvers<string>()
  near.onDetached(lost.resolve)
  near.output.write(Buffer.alloc(1024 ** 2))
  const [one, other] = connection()
  near.attach(one)
  for (let at = 0; at < 100; at += 1) other.output.write(pieceOf('hello', Buffer.from('0')))
  expect(await lost.promise).toContain('second greeting')
  expect(one.output.writableLength).toBeLessThan(2 * 1024 ** 2)
  near.destroy('over')
})

test('a side that confirms bytes without reading them gets no more than the limit', async () => {
  const near = createLine(QUIET)
  const [one, other] = connection()
  near.attach(one)
  other.output.write(pieceOf('hello', Buffer.from('0')))
  await vi.waitUntil(() => near.isAttached())
  let written = 0
  for (let at = 1; at <= 64; at += 1) {
    near.output.write(Buffer.alloc(1024 ** 2), () => (written = at))
    other.output.write(pieceOf('received', Buffer.from(String(at * 1024 ** 2))))
    await new Promise(setImmediate)
    if (!near.isAttached()) break
  }
  expect(written).toBeLessThan(10)
  other.input.resume()
  near.destroy('over')
})

test('a line ends when the other side says that it is gone', async () => {
  const near = createLine(QUIET)
  const [one, other] = connection()
  near.attach(one)
  sayGone(other.output)
  near.input.resume()
  expect(await near.ended).toContain('has ended')
})

test.each([
  ['an unknown kind', Buffer.from([9, 0, 0, 0, 0])],
  ['a piece of two gigabytes', Buffer.from([1, 0x7f, 0xff, 0xff, 0xff])],
  ['a confirmation of what was never sent', Buffer.from([0, 0, 0, 0, 1, 0x39])],
  ['a confirmation that is no number', Buffer.from([0, 0, 0, 0, 1, 0x78])],
])('%s ends the connection, not the line', async (_, bytes) => {
  const near = createLine(QUIET)
  const lost = Promise.withResolvers<string>()
  near.onDetached(lost.resolve)
  const [one, other] = connection()
  near.attach(one)
  other.output.write(bytes)
  expect(await lost.promise).toContain('was not valid')
  expect(near.isAttached()).toBe(false)
  near.destroy('over')
})

test('a silent connection is lost', async () => {
  const near = createLine(40)
  const lost = Promise.withResolvers<string>()
  near.onDetached(lost.resolve)
  const [one, other] = connection()
  other.input.resume()
  near.attach(one)
  expect(await lost.promise).toContain('Nothing was heard')
  near.destroy('over')
})
