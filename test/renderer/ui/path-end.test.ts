import { expect, test } from 'vitest'
import { pathEnd } from '../../../renderer/ui/ledger/path-end.ts'

test('a short name stays whole with the slash before it, a long one keeps its last 20 characters', () => {
  expect(
    ['src/dates/period.ts', 'period.ts', 'a\\b\\period.ts', `src/${'long-'.repeat(12)}name.test.tsx`, '', 'src/'].map(pathEnd),
  ).toEqual(['/period.ts', 'period.ts', '\\period.ts', 'ng-long-name.test.tsx'.slice(-20), '', '/'])
})

test('a character outside the basic plane is not cut in two', () => {
  expect(pathEnd(`${'𝔸'.repeat(30)}.ts`)).toBe(`${'𝔸'.repeat(17)}.ts`)
})
