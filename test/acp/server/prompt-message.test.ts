import type { ContentBlock } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { messageOf } from '../../../main/acp/server/prompt-message.ts'

function textOf(...content: readonly ContentBlock[]): string {
  const message = messageOf(content, {
    keep: () => {
      throw new Error('There are no pictures.')
    },
  })
  if (!message.ok) throw new Error(message.failure.what)
  return message.value.text
}
const link = (uri: string): ContentBlock => ({ type: 'resource_link', uri, name: 'name' })

test.each([
  ['file:///w/a%20b.ts', '/w/a b.ts'],
  ['file:///w/a.ts#L3:5', '/w/a.ts (lines 3 to 5)'],
  ['file:///w/a.ts#L3:3', '/w/a.ts (line 3)'],
  ['file:///w/a.ts#L7', '/w/a.ts (line 7)'],
  ['file:///w/a.ts#L3-L5', '/w/a.ts (lines 3 to 5)'],
  ['file:///w/a.ts?symbol=sum%20of#L3:5', '/w/a.ts (sum of, lines 3 to 5)'],
  ['zed:///agent/selection?path=%2Fw%2Fa.ts#L3:5', '/w/a.ts (lines 3 to 5)'],
  ['zed:///agent/symbol/sum?path=/w/a.ts#L3:5', '/w/a.ts (sum, lines 3 to 5)'],
  ['zed:///agent/directory?path=/w/src', '/w/src'],
  ['zed:///agent/untitled-buffer#L1:2', 'an unsaved file (lines 1 to 2)'],
  ['zed:///agent/thread/abc?name=Earlier', 'zed:///agent/thread/abc?name=Earlier'],
  ['https://example.com/a#L3:5', 'https://example.com/a#L3:5'],
  ['file:///w/a.ts#heading', '/w/a.ts'],
  ['no address', 'no address'],
])('a link of an editor to %s is named as %s', (uri, words) => {
  expect(textOf({ type: 'text', text: 'See ' }, link(uri))).toBe(`See ${words}`)
})

test('a selection in the message is below its file and lines', () => {
  const uri = 'file:///w/a.ts#L3:4'
  expect(textOf({ type: 'text', text: 'Why ' }, { type: 'resource', resource: { uri, text: 'const a = 1\nconst b = 2' } })).toBe(
    'Why /w/a.ts (lines 3 to 4)\n\n/w/a.ts (lines 3 to 4):\n```\nconst a = 1\nconst b = 2\n```',
  )
})
