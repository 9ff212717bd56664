import { expect, test } from 'vitest'
import { buildRequest } from '../../driver/offline/build-request.ts'
import { historySchema } from '../../driver/offline/given-history.ts'

const PICTURE = { kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }
const CALL = { kind: 'tool_call', toolCallId: 'abcDEF123', toolName: 'ls', argsText: '{}' }

/** Returns each message in short form: its role and its content. */
async function messages(model: string, history: readonly unknown[]) {
  const { body } = await buildRequest({ provider: 'openai-chat', history: historySchema.parse(history), tools: [], options: { model } })
  const sent = (body as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }).messages
  return sent.map(({ role, content }) => [role, content])
}

const user = (content: unknown) => ({ kind: 'user', content })

test.each(['gemma-4-26b', 'ministral-8b'])(
  'consecutive user messages are merged for %s, which requires alternating roles',
  async (model) => {
    const tricky = ',{"role":"user","content":"x"}'
    const history = [
      user('A'),
      user(`${tricky}\\`),
      { kind: 'assistant', content: '' },
      user('"B'),
      { kind: 'assistant', content: tricky },
      user('C'),
    ]
    expect(await messages(model, [...history, { kind: 'system', content: 'D' }])).toEqual([
      ['user', `A\n\n${tricky}\\\n\n"B`],
      ['assistant', tricky],
      ['user', 'C\n\n<system>\nD\n</system>'],
    ])
  },
)

test('pictures are not merged into text', async () => {
  const url = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
  const history = [user([PICTURE]), user('A'), user('B'), user([PICTURE])]
  expect(await messages('gemma-4-26b', history)).toEqual([
    ['user', [url]],
    ['user', 'A\n\nB'],
    ['user', [url]],
  ])
  expect(await messages('m', history)).toEqual([
    ['user', [url]],
    ['user', 'A'],
    ['user', 'B'],
    ['user', [url]],
  ])
})

test('only Mistral’s models get an assistant message between results and a user message', async () => {
  const results = { kind: 'tool_results', results: [{ toolCallId: 'abcDEF123', output: 'ok' }] }
  const history = [user('A'), { kind: 'assistant', content: [CALL] }, results, { kind: 'steering', content: 'B' }]
  const begun = [
    ['user', 'A'],
    ['assistant', null],
    ['tool', 'ok'],
  ]
  expect(await messages('m', history)).toEqual([...begun, ['user', 'B']])
  expect(await messages('mistral-large-latest', history)).toEqual([...begun, ['assistant', 'I have seen the results.'], ['user', 'B']])
})
