import { expect, test } from 'vitest'
import { byUse, createUsedChoices } from '../../../../renderer/state/stores/used-choices.ts'
import type { BrowserStorage } from '../../../../renderer/state/stores/browser-storage.ts'

function storageInMemory(): BrowserStorage {
  const notes = new Map<string, string>()
  return {
    getItem: (key) => notes.get(key) ?? null,
    setItem: (key, note) => void notes.set(key, note),
    removeItem: (key) => void notes.delete(key),
  }
}

test('choices that were used come first, the most recent at the top, even in a window that is opened afterwards', () => {
  const storage = storageInMemory()
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
  const storage = storageInMemory()
  storage.setItem('countersign.used-choices', '{"no":')
  expect(createUsedChoices(storage).after('')).toEqual([])
})
