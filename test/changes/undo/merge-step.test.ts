import { expect, test } from 'vitest'
import { mergedBytes, mergeStep } from '../../../main/changes/undo/merge-step.ts'

const bytes = (lines: readonly string[]): Uint8Array => Buffer.from(lines.join('\n'))
const merge = (before: readonly string[], step: readonly string[], now: readonly string[]) =>
  mergeStep({ before: bytes(before), step: bytes(step), now: bytes(now) })

/** Returns the merged lines. Each conflict becomes one line. */
const merged = (before: string, step: string, now: string): string =>
  (merge([...before], [...step], [...now]) ?? [])
    .flatMap((part) => (part.kind === 'lines' ? part.lines : `<${part.now.join('')}|${part.before.join('')}>`))
    .join('')

test.each([
  ['changes of other lines are kept', 'abcdef', 'aBcdef', 'aBcdeF', 'abcdeF'],
  ['lines that the step added are removed', 'abcdef', 'abXcdef', 'abXcdEf', 'abcdEf'],
  ['lines that the step removed are restored', 'abcdef', 'abdef', 'abdeF', 'abcdeF'],
  ['a line that was changed back already is no conflict', 'abcdef', 'aBcdef', 'abcdeF', 'abcdeF'],
  ['a line that was changed again is a conflict', 'abcdef', 'aBcdef', 'aZcdef', 'a<Z|b>cdef'],
  ['neighboring changes are a conflict', 'abcdef', 'aBcdef', 'aBCdef', 'a<BC|bc>def'],
  ['two conflicts are separate', 'abcdef', 'aBcdEf', 'aYcdZf', 'a<Y|b>cd<Z|e>f'],
  ['a conflict with a removed line', 'abcdef', 'aBcdef', 'acdef', 'a<|b>cdef'],
])('%s', (_, before, step, now, wanted) => {
  expect(merged(before, step, now)).toBe(wanted)
})

test('a conflict says at which line of each version it begins', () => {
  const conflict = merge([...'abcdefg'], [...'a1bcDefg'], [...'a1bcZZefg'])?.find(({ kind }) => kind === 'conflict')
  expect(conflict).toMatchObject({
    region: { now: { line: 5, lines: ['Z', 'Z'] }, step: { line: 5, lines: ['D'] }, before: { line: 4, lines: ['d'] } },
  })
})

// A comparison whose cost grows with the number of equal lines would take hours here.
test.each([
  ['that are all equal', () => '}'],
  ['of which every second is empty', (line: number) => (line % 2 === 0 ? '' : `line ${line}`)],
])('later work is kept in a file of 40,000 lines %s', (_, lineAt) => {
  const between = Array.from({ length: 40_000 }, (__, line) => lineAt(line))
  const parts = merge(['a', ...between, 'z'], ['A', ...between, 'z'], ['A', ...between, 'Z'])
  expect(parts?.every(({ kind }) => kind === 'lines')).toBe(true)
  expect(mergedBytes(parts ?? [], [])).toEqual(bytes(['a', ...between, 'Z']))
})
