import { expect, test } from 'vitest'
import { hasOwnMakers, sharedMakers } from '../../../renderer/ui/diff/file-notes.tsx'

const by = (command: string) => ({ madeBy: [{ command, isFound: false }] })

test('the command that made most of many files is said once, and the others are said beside their files', () => {
  const files = [...Array.from({ length: 6 }, () => by('npm run format')), by('touch a'), { madeBy: [] }]
  const shared = sharedMakers(files)
  expect(shared).toEqual({ madeBy: [{ command: 'npm run format', isFound: false }], count: 6, of: 8 })
  expect(files.map((file) => hasOwnMakers(file, shared))).toEqual([false, false, false, false, false, false, true, false])
})

test('each of a few files says what made it', () => {
  const files = [by('npm run format'), by('npm run format')]
  expect(sharedMakers(files)).toBe(null)
  expect(files.map((file) => hasOwnMakers(file, null))).toEqual([true, true])
})
