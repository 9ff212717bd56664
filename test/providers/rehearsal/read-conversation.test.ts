import { expect, test } from 'vitest'
import { anthropicBody } from '../../../main/providers/anthropic/anthropic-body.ts'
import { historyOf } from '../../../main/providers/rehearsal/script-facts.ts'
import { readConversation } from '../../../main/providers/rehearsal/read-conversation.ts'
import { request } from '../../support/collected.ts'
import { bodyOf } from '../support/bodies.ts'
import { asks, assistant, results, steering, user, words } from '../support/turns.ts'

const TURNS = [
  user('Mend it'),
  assistant([words('I look.'), asks('c1', 'read_file', '{"file_path":"a"}'), asks('c2', 'shell', '{"command":"x"}')]),
  results(['c1', 'seen'], ['c2', 'The user denied this call; nothing was executed. The user says: not so', true]),
  assistant([asks('c3', 'shell', '{"command":"y"}')]),
  results(['c3', 'ran']),
  steering('Hurry'),
]

test('the scripted model sees the conversation of a request', () => {
  const history = (turns: typeof TURNS) =>
    historyOf(readConversation(bodyOf(anthropicBody('anthropic'), request('m', { turns, system: 'Be good.' }))))
  expect(history(TURNS)).toEqual({
    opening: 'Mend it',
    calls: [
      { name: 'read_file', args: { file_path: 'a' }, outcome: { kind: 'done', text: 'seen' } },
      { name: 'shell', args: { command: 'x' }, outcome: { kind: 'refused', note: 'not so' } },
      { name: 'shell', args: { command: 'y' }, outcome: { kind: 'done', text: 'ran' } },
    ],
    said: ['Hurry'],
    hasSpoken: true,
    isNewTurn: false,
  })
  expect(history([user('A'), assistant([words('B')]), user('C')])).toMatchObject({ said: ['C'], isNewTurn: true, calls: [] })
})
