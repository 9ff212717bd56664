import { expect, test } from 'vitest'
import { createEditedTexts } from '../../../../../renderer/state/stores/drafts/edited-texts.ts'
import { SESSION } from '../../../../agent/support/events.ts'
import { memoryStorage } from '../../memory-storage.ts'

test('unsaved edits of files survive a reload, until they are saved or discarded', () => {
  const storage = memoryStorage()
  const before = createEditedTexts(storage)
  before.set(SESSION, '/code/a.txt', { shown: 'one\n', written: 'two\n' })
  before.set(SESSION, '/code/b.txt', { shown: 'b\n', written: 'c\n' })
  before.set(SESSION, '/code/b.txt', null)
  before.flush()
  const after = createEditedTexts(storage)
  expect(after.get(SESSION, '/code/a.txt')).toEqual({ shown: 'one\n', written: 'two\n' })
  expect(after.get(SESSION, '/code/b.txt')).toBe(null)
  after.set(SESSION, '/code/a.txt', null)
  after.flush()
  expect(createEditedTexts(storage).get(SESSION, '/code/a.txt')).toBe(null)
})

test('a stored note that is not a list of edits is ignored', () => {
  const storage = memoryStorage()
  storage.setItem('countersign.edited-texts', '[[1]]')
  expect(createEditedTexts(storage).get(SESSION, '/code/a.txt')).toBe(null)
})
