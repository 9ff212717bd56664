import { expect, test } from 'vitest'
import { sameMembers } from '../../../renderer/state/same-members.ts'

const one = { id: 1 }

test.each([
  ['a list with the same members', [one, 2], [one, 2], true],
  ['a list that has grown', [one], [one, 2], false],
  ['a list with an equal but different member', [one], [{ id: 1 }], false],
  ['a record with the same members', { one, two: 2 }, { one, two: 2 }, true],
  ['a record with another member', { one }, { one: { id: 1 } }, false],
  ['a map with the same members', new Map([[1, one]]), new Map([[1, one]]), true],
  ['a list after no value', undefined, [], false],
])('%s', (_name, before, after, isSame) => {
  expect(sameMembers(before, after)).toBe(isSame)
})

test('lists are compared without building maps, because lists are compared at every event of a session', () => {
  const list: number[] = Object.assign([1, 2], {
    entries: () => {
      throw new Error('A map of the members was made.')
    },
  })
  expect(sameMembers(list, [1, 2])).toBe(true)
  expect(sameMembers([1], list)).toBe(false)
})
