import { expect, test } from 'vitest'
import { createStore } from 'zustand'
import { addDropped, canBeAdded, dragFile } from '../../../../../renderer/state/commands/files/dragged-files.ts'
import type { Desk } from '../../../../../renderer/state/desk.ts'
import { SessionId } from '../../../../../shared/lib/ids.ts'
import { SESSION } from '../../../../agent/support/events.ts'

const OTHER = SessionId.parse('s_other')
const desk = { list: createStore(() => ({ sessions: new Map([[OTHER, { folder: '/other' }]]) })) } as unknown as Desk

/** The data of a drag, without files. */
function transfer(): DataTransfer {
  const data = new Map<string, string>()
  return {
    files: [],
    get types() {
      return [...data.keys()]
    },
    setData: (type: string, text: string) => void data.set(type, text),
    getData: (type: string) => data.get(type) ?? '',
  } as unknown as DataTransfer
}

test('a file that is dragged from the tree of another folder is refused with its reason', async () => {
  const dragged = transfer()
  dragFile({ sessionId: OTHER, path: 'a.txt' }, dragged)
  expect(canBeAdded(dragged)).toBe(true)
  expect(await addDropped(desk, SESSION, dragged)).toMatchObject({ code: 'not_attached' })
})

test.each(['', 'no JSON', '{}', '["s_1","a.txt"]', '{"sessionId":"s_1","path":3}'])(
  'other data of this type adds nothing: %s',
  async (data) => {
    const dragged = transfer()
    dragged.setData('application/x-countersign-file', data)
    expect(await addDropped(desk, SESSION, dragged)).toBe(null)
  },
)
