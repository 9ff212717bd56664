import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Merge, mergedPieces, mergeStep, mergeStepInSlices } from '../../../main/changes/undo/merge-step.ts'

const bytes = (lines: readonly string[]): Uint8Array => Buffer.from(lines.join('\n'))
const merge = (before: readonly string[], step: readonly string[], now: readonly string[]) =>
  mergeStep({ before: bytes(before), step: bytes(step), now: bytes(now) })

const conflictsOf = (done: Merge | null) => done?.parts.filter((part) => part.kind === 'conflict')

/** The merged bytes. Null if there are conflicts. */
function bytesOf(done: Merge | null): Uint8Array | null {
  const pieces = done && mergedPieces(done, [])
  return pieces && Buffer.concat(pieces)
}

/** Returns the merged lines of one character each. Each conflict becomes one line. */
function merged(before: string, step: string, now: string): string {
  const { above = null, parts = [], below = null } = merge([...before], [...step], [...now]) ?? {}
  const lines = parts.flatMap((part) => (part.kind === 'lines' ? part.lines : `<${part.now.join('')}|${part.before.join('')}>`))
  return [above ?? '', ...lines, below ?? ''].join('').replaceAll('\n', '')
}

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
  const done = merge([...'abcdefg'], [...'a1bcDefg'], [...'a1bcZZefg'])
  expect(conflictsOf(done)).toMatchObject([
    {
      region: { now: { line: 5, lines: ['Z', 'Z'] }, step: { line: 5, lines: ['D'] }, before: { line: 4, lines: ['d'] } },
    },
  ])
})

// A comparison whose cost grows with the number of equal lines would take hours here.
test.each([
  ['that are all equal', () => '}'],
  ['of which every second is empty', (line: number) => (line % 2 === 0 ? '' : `line ${line}`)],
])('later work is kept in a file of 40,000 lines %s', (_, lineAt) => {
  const between = Array.from({ length: 40_000 }, (__, line) => lineAt(line))
  const done = merge(['a', ...between, 'z'], ['A', ...between, 'z'], ['A', ...between, 'Z'])
  expect(bytesOf(done)).toEqual(bytes(['a', ...between, 'Z']))
})

test('lines of a conflict are shown as UTF-8, without line breaks', () => {
  const done = merge(['a\r', 'é\r', '\r', 'z\r'], ['a\r', 'x\r', 'z\r'], ['a\r', 'ü\r', 'z\r'])
  expect(conflictsOf(done)).toMatchObject([{ region: { now: { lines: ['ü'] }, step: { lines: ['x'] }, before: { lines: ['é', ''] } } }])
})

test('other work runs during a merge in which every line differs', async () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`)
  const versions = {
    before: bytes(lines.map((line) => `${line}!`)),
    step: bytes(lines),
    now: bytes(lines.map((line, at) => (at % 2 === 0 ? line : `${line}?`))),
  }
  let turns = 0
  const count = setInterval(() => turns++, 0)
  const done = await mergeStepInSlices(versions)
  clearInterval(count)
  expect(turns).toBeGreaterThan(1)
  expect(Buffer.concat((done && mergedPieces(done, ['before'])) ?? []).equals(versions.before)).toBe(true)
})

test('every byte is kept if only the step or only somebody else changed the file', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n'), maxLength: 12 }).map((chars) => Buffer.from(chars))
  fc.assert(
    fc.property(text, text, (x, y) => {
      expect(bytesOf(mergeStep({ before: x, step: x, now: y }))).toEqual(y)
      expect(bytesOf(mergeStep({ before: x, step: y, now: y }))).toEqual(x)
    }),
    { numRuns: 500 },
  )
})

test('the last line may be removed as the decision of a conflict', () => {
  const done = merge(['a', 'b'], ['a', 'B'], ['a', 'Z'])
  expect(Buffer.concat((done && mergedPieces(done, [{ text: '' }])) ?? []).toString()).toBe('a')
})

test('only the lines from the first to the last change are split, however long the file is', () => {
  const ends = Array.from({ length: 60_000 }, (_, line) => `line ${line}`)
  const done = merge([...ends, 'a', 'b', 'c', ...ends], [...ends, 'A', 'b', 'c', ...ends], [...ends, 'A', 'b', 'C', ...ends])
  expect(bytesOf(done)).toEqual(bytes([...ends, 'a', 'b', 'C', ...ends]))
  expect(done?.parts.flatMap((part) => (part.kind === 'lines' ? part.lines : []))).toEqual(['a', 'b', 'C'])
})

test.each([
  ['lines', '\n'.repeat(50_001)],
  ['bytes', `${'x'.repeat(8 * 1024 * 1024)}\n`],
])('versions with too many different %s are not merged', (_, long) => {
  const [before, step, now] = ['a', 'b', 'c'].map((char) => Buffer.from(`${char}\n${long}${char}\n`))
  expect(before && step && now && mergeStep({ before, step, now })).toBeNull()
})
