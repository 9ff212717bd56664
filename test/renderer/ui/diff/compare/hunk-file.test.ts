import { expect, test } from 'vitest'
import { hunkFile } from '../../../../../renderer/ui/diff/compare/request-diff.ts'
import { computeDiff } from '../../../../../renderer/ui/diff/compare/compute-diff.ts'

const text = (...changed: readonly number[]): string =>
  Array.from({ length: 60 }, (_, at) => (changed.includes(at) ? `new ${at}\n` : `line ${at}\n`)).join('')

test('a hunk that is shown alone has no fold that counts changed lines above it as unchanged', () => {
  const { hunks } = computeDiff({ path: 'a.txt', before: text(), after: text(10, 50), language: 'text' })
  const files = hunks.map(({ patch }) => hunkFile('a.txt', 'text', patch))
  expect(files.map((file) => file?.hunks.map(({ collapsedBefore, additionStart }) => [collapsedBefore, additionStart]))).toEqual([
    [[0, 8]],
    [[0, 48]],
  ])
})
