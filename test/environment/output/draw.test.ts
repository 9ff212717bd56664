import { expect, it } from 'vitest'
import { draw, openEmulator } from '../../../main/environment/output/terminal-emulator.ts'

const MARK = '\x1b]7777;\x07'
const CHARS = 16 * 1024
const MARKS = 24

it('however many terminals draw, at most 128 K characters are drawn per turn of the event loop', async () => {
  const terminals = await Promise.all([1, 2, 3].map(() => openEmulator({ columns: 80, rows: 24 }, 10)))
  let marks = 0
  for (const { parser } of terminals) parser.registerOscHandler(7777, () => ++marks > 0)
  const text = `${'x'.repeat(CHARS - MARK.length)}${MARK}`.repeat(MARKS)
  let isDrawn = false
  const all = Promise.all(terminals.map((terminal) => draw(terminal, text))).then(() => (isDrawn = true))
  let most = 0
  while (!isDrawn) {
    const before = marks
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, marks - before)
  }
  await all
  expect(marks).toBe(terminals.length * MARKS)
  expect(most * CHARS).toBeLessThanOrEqual(128 * 1024)
})
