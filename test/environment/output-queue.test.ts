import { expect, it } from 'vitest'
import { OutputQueue } from '../../main/environment/process/output-queue.ts'

const PIECES = 400

/** Works for 1 ms, as on a piece of output that has to be drawn. */
function workOn(): void {
  for (const end = performance.now() + 1; performance.now() < end;);
}

const nextRead = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function numbered(number: number): Buffer {
  return Buffer.from(`${number} `)
}

it('while output keeps coming, most of the work on it waits, and then all of it is done in order', async () => {
  const taken: string[] = []
  const queue = new OutputQueue(
    (bytes) => {
      workOn()
      taken.push(bytes.toString())
    },
    () => {},
  )
  for (let number = 0; number < PIECES; number++) {
    queue.write(numbered(number))
    await nextRead()
  }
  // Without rests, all pieces would have been worked on by now.
  expect([taken.length > 0, taken.length < PIECES / 2]).toEqual([true, true])
  await queue.end()
  expect(taken.join('')).toBe(Array.from({ length: PIECES }, (_, number) => `${number} `).join(''))
})

it('output that comes slowly is worked on at once', async () => {
  const taken: string[] = []
  const queue = new OutputQueue(
    (bytes) => void taken.push(bytes.toString()),
    () => {},
  )
  for (const letter of ['a', 'b', 'c']) {
    queue.write(Buffer.from(letter))
    expect(taken.at(-1)).toBe(letter)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})

it('the source pauses above 16 MB and resumes below 8 MB, and what comes meanwhile keeps its place', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const changes: (readonly [boolean, number])[] = []
  const order: string[] = []
  let written = 0
  let taken = 0
  const queue = new OutputQueue(
    (bytes) => {
      workOn()
      taken += bytes.length
      order.push('output')
    },
    (isFull) => changes.push([isFull, Math.round((written - taken) / piece.length)]),
  )
  while (changes.length === 0) {
    written += piece.length
    queue.write(piece)
  }
  queue.after(() => order.push('resize'))
  queue.write(numbered(1))
  await queue.end()
  expect([order.at(-2), order.at(-1)]).toEqual(['resize', 'output'])
  expect(changes).toEqual([
    [true, 17],
    [false, expect.any(Number)],
  ])
  expect(changes[1]?.[1]).toBeLessThanOrEqual(8)
})

it('small pieces that wait are worked on together, in blocks, and the source may overwrite its bytes', async () => {
  const taken: string[] = []
  const queue = new OutputQueue(
    (bytes) => void taken.push(bytes.toString()),
    () => {},
  )
  const source = Buffer.alloc(4096)
  const all: string[] = []
  queue.hold(true)
  for (let number = 0; number < 100; number++) {
    source.fill(`${number} `)
    all.push(source.toString())
    queue.write(source)
  }
  queue.hold(false)
  await queue.end()
  expect(taken.join('')).toBe(all.join(''))
  expect(taken.length).toBe(Math.ceil((100 * 4096) / (64 * 1024)))
})
