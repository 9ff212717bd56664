import { expect, test } from 'vitest'
import { bringInRequest } from '../../main/layers/bring-in-model.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'
import { ToolCallId, newId } from '../../shared/lib/ids.ts'

test.each([
  ['were applied', false, true],
  ['could not be applied, or were refused', true, false],
])('the last words of a bring-in know whether the changes %s', async (_, isError, isApplied) => {
  const told: boolean[] = []
  const request = bringInRequest({
    before: () => Promise.resolve(),
    after(applied) {
      told.push(applied)
      return Promise.resolve('The end.')
    },
  })
  const result = { toolCallId: ToolCallId.parse(newId('call')), toolName: 'bring_in', output: 'The changes.', isError }
  const turns: readonly Turn[] = [{ kind: 'tool_results', results: [result] }]
  for await (const event of request({} as never, { turns } as never, {} as never))
    if (event.kind === 'finish') expect(event.answer.parts).toEqual([{ kind: 'text', text: 'The end.' }])
  expect(told).toEqual([isApplied])
})
