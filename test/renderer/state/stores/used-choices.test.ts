import { expect, test } from 'vitest'
import { byUse, createUsedChoices } from '../../../../renderer/state/stores/used-choices.ts'
import { memoryStorage } from '../memory-storage.ts'

test('choices that were used come first, the most recent at the top, even in a window that is opened afterwards', () => {
  const storage = memoryStorage()
  const one = createUsedChoices(storage)
  const other = createUsedChoices(storage)
  one.use('path:/w:a.ts')
  other.use('path:/w:b.ts')
  one.use('command:plan')
  const later = createUsedChoices(storage)
  expect(later.after('path:/w:')).toEqual(['b.ts', 'a.ts'])
  const options = ['command:fix', 'path:/w:a.ts', 'command:plan'].map((used) => ({ used }))
  expect(byUse(options, later).map(({ used }) => used)).toEqual(['command:plan', 'path:/w:a.ts', 'command:fix'])
})

test('if the storage is damaged, no choice counts as used', () => {
  const storage = memoryStorage()
  storage.setItem('countersign.used-choices', '{"no":')
  expect(createUsedChoices(storage).after('')).toEqual([])
})
