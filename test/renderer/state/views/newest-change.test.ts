import { expect, test } from 'vitest'
import { stepBefore } from '../../../../renderer/state/views/step-before.ts'
import type { Item } from '../../../../shared/session/state.ts'

const message = (id: string) => ({ kind: 'user', id }) as Item
const call = (step: number) => ({ kind: 'call', id: `e${step}`, step }) as Item

test('the step before a message is the newest one above it', () => {
  const items = [message('m1'), call(1), call(2), message('m2'), message('m3'), call(3)]
  expect(stepBefore({ items, firstItem: 0 }, { id: 'm1' })).toBe(0)
  expect(stepBefore({ items, firstItem: 0 }, { id: 'm2' })).toBe(2)
  expect(stepBefore({ items, firstItem: 0 }, { id: 'm3' })).toBe(2)
})

test('it is unknown while entries above the first loaded message may contain a step', () => {
  expect(stepBefore({ items: [message('m1'), call(8)], firstItem: 40 }, { id: 'm1' })).toBeNull()
})

test('all messages of a ledger share one pass over its entries', () => {
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
