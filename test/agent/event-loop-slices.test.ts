import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createSlices, eventLoopTurn } from '../../main/agent/event-loop-slices.ts'

test('each turn of the event loop resumes one waiting caller, in order, and other work can run in between', async () => {
  const log: string[] = []
  const others = (async () => {
    for (let n = 0; n < 4; n++) {
      await new Promise<void>((resolve) => void setImmediate(resolve))
      log.push('other')
    }
  })()
  await Promise.all([...['a', 'b', 'c'].map((name) => eventLoopTurn().then(() => log.push(name))), others])
  expect(log).toEqual(['other', 'other', 'a', 'other', 'b', 'other', 'c'])
})

test('waiting for a turn of the event loop lets due timers run, even right after a file read', async () => {
  await readFile(import.meta.filename)
  const log: string[] = []
  setTimeout(() => log.push('timer'), 1)
  const until = performance.now() + 5
  while (performance.now() < until);
  await eventLoopTurn()
  expect(log).toEqual(['timer'])
})

test('long work yields the thread between slices, and short work never does', async () => {
  const short = createSlices()
  let turns = 0
  const count = setInterval(() => turns++, 0)
  try {
    for (let n = 0; n < 100; n++) await short()
    expect(turns).toBe(0)
    const long = createSlices()
    for (let n = 0; n < 10; n++) {
      const until = performance.now() + 9
      while (performance.now() < until);
      await long()
    }
    expect(turns).toBeGreaterThanOrEqual(5)
  } finally {
    clearInterval(count)
  }
})
