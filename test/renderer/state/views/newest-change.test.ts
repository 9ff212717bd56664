import { expect, test } from 'vitest'
import { newestChange, stepBefore } from '../../../../renderer/state/views/newest-change.ts'
import type { Item } from '../../../../shared/session/state.ts'

const message = (id: string) => ({ kind: 'user', id }) as Item
const call = (step: number, ...files: readonly { path: string; before: string | null; after: string | null }[]) =>
  ({ kind: 'call', id: `e${step}`, step, files }) as unknown as Item

test('the step before a message is the newest step above that message', () => {
  const items = [message('m1'), call(1), call(2), message('m2'), message('m3'), call(3)]
  expect(stepBefore({ items, firstItem: 0 }, { id: 'm1' })).toBe(0)
  expect(stepBefore({ items, firstItem: 0 }, { id: 'm2' })).toBe(2)
  expect(stepBefore({ items, firstItem: 0 }, { id: 'm3' })).toBe(2)
})

test('the step before a message is unknown if no step above the message is loaded and older entries are not loaded yet', () => {
  expect(stepBefore({ items: [message('m1'), call(8)], firstItem: 40 }, { id: 'm1' })).toBeNull()
})

test('the steps of all messages in a ledger are found in one pass over its entries', () => {
  let reads = 0
  const counted = (at: number): Item =>
    Object.defineProperty({ ...message(`m${at}`) }, 'kind', {
      get() {
        reads++
        return 'user'
      },
    })
  const items = Array.from({ length: 100 }, (_, at) => counted(at))
  for (const { id } of items) stepBefore({ items, firstItem: 0 }, { id })
  expect(reads).toBeLessThanOrEqual(2 * items.length)
})

test('undoing a turn goes back to the step before its message, even if that step is not loaded', () => {
  const made = { path: 'made', before: null, after: 'a' }
  const edited = { path: 'edited', before: 'a', after: 'b' }
  const turn = [message('m2'), call(8, made), call(9, edited, { ...made, before: 'a', after: 'b' }), call(10)]
  const newest = { step: 9, turnFrom: 7, words: '1 file created, 1 modified' }
  expect(newestChange({ items: [message('m1'), call(7), ...turn], firstItem: 0, rollbacks: [] })).toEqual(newest)
  expect(newestChange({ items: turn, firstItem: 40, rollbacks: [] })).toEqual(newest)
  expect(newestChange({ items: turn.slice(1), firstItem: 41, rollbacks: [] })).toEqual(newest)
  expect(newestChange({ items: [message('m1'), call(1, made)], firstItem: 0, rollbacks: [] })?.turnFrom).toBe(0)
})

test('what the user refused of the newest turn is not among its changes', () => {
  const made = { path: '/a', before: null, after: 'h' }
  const refused = { kind: 'rollback', id: 'r1', target: { kind: 'refused', note: null }, files: [{ path: '/a', before: 'h', after: null }] }
  const items = [message('m1'), call(1, made), call(2, { ...made, path: '/b' })]
  expect(newestChange({ items, firstItem: 0, rollbacks: [] })?.words).toBe('2 files created')
  expect(newestChange({ items: [...items, refused as unknown as Item], firstItem: 0, rollbacks: [] })?.words).toBe('1 file created')
})
