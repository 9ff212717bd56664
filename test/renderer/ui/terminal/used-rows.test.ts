import { expect, test } from 'vitest'
import { usedRows } from '../../../../renderer/ui/terminal/used-rows.ts'

const screen = (lines: readonly string[], more: Partial<Parameters<typeof usedRows>[0]> = {}): Parameters<typeof usedRows>[0] => ({
  type: 'normal',
  baseY: 0,
  cursorY: lines.length,
  rows: 24,
  textOf: (row) => lines[row] ?? '',
  ...more,
})

test('the output of a finished command is shown up to its last non-empty line', () => {
  expect(usedRows(screen(['a', '', 'b', '']), false)).toBe(3)
})

test('the output of a running command has room for the cursor', () => {
  expect(usedRows(screen(['a', '', 'b']), true)).toBe(4)
})

test('scrolled output and full-screen programs use the full height', () => {
  expect(usedRows(screen(['a'], { baseY: 1 }), false)).toBe(24)
  expect(usedRows(screen(['a'], { type: 'alternate' }), false)).toBe(24)
})

test('an empty screen is one row high', () => {
  expect(usedRows(screen([], { cursorY: 0 }), true)).toBe(1)
  expect(usedRows(screen([]), false)).toBe(1)
})
