import { expect, test } from 'vitest'
import { pathEnd } from '../../../../renderer/ui/text/middle-path.tsx'

test('a short name is kept with the slash before it, and a long name keeps its last 20 characters', () => {
  expect(
    ['src/dates/period.ts', 'period.ts', 'a\\b\\period.ts', 'src/an-uncommonly-long-name.test.tsx', '', 'src/'].map((path) =>
      pathEnd(path, 60),
    ),
  ).toEqual(['/period.ts', 'period.ts', '\\period.ts', 'monly-long-name.test.tsx'.slice(-20), '', '/'])
})

test('in a narrow space, the end of the name fills only part of the width, but always has at least one character', () => {
  expect([20, 10, 1, 0].map((room) => pathEnd('src/dates/periods-of-time.ts', room))).toEqual(['ds-of-time.ts', 'ime.ts', 's', 's'])
})

test('a character outside the basic plane is not split', () => {
  expect(pathEnd(`${'𝔸'.repeat(30)}.ts`, 60)).toBe(`${'𝔸'.repeat(17)}.ts`)
})
