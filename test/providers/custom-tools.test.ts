import { expect, test } from 'vitest'
import { ToolCallId } from '../../shared/lib/ids.ts'
import { NO_USAGE } from '../../shared/session/content.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'
import { parseArguments } from '../../main/agent/answer/parse-arguments.ts'
import { createBodyWriter } from '../../main/providers/body/body-writer.ts'
import { ResponsesAnswer } from '../../main/providers/openai/responses-answer.ts'
import { responsesBody } from '../../main/providers/openai/responses-body.ts'
import { firstRequests } from '../support/prompts/first-requests.ts'

const PATCH = '*** Begin Patch\n*** Add File: a.txt\n+"quoted"\n*** End Patch\n'
const [request] = firstRequests('openai')
const tools = request?.tools ?? []

interface Body {
  readonly tools: readonly { readonly type: string; readonly name: string; readonly format?: object }[]
  readonly input: readonly { readonly type?: string }[]
}

function bodyFor(model: string, turns: readonly Turn[]): Body {
  const pieces = createBodyWriter(responsesBody)({ model, system: '', tools, turns, effort: null })
  return JSON.parse(Buffer.concat([...pieces]).toString()) as Body
}

const answer = (): ReturnType<ResponsesAnswer['answer']> => {
  const reader = new ResponsesAnswer()
  const item = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'apply_patch' }
  const events = [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, input: '' } },
    { type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'ctc_1', delta: PATCH.slice(0, 9) },
    { type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'ctc_1', delta: PATCH.slice(9) },
    { type: 'response.custom_tool_call_input.done', output_index: 0, item_id: 'ctc_1', input: PATCH },
    { type: 'response.output_item.done', output_index: 0, item: { ...item, input: PATCH } },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [{ ...item, input: PATCH }] } },
  ]
  for (const event of events) reader.take(event)
  return reader.answer()
}

test('a plain-text call is accepted by its tool and logged with the canonical argument names', () => {
  const { parts, stopReason } = answer()
  expect(stopReason).toBe('tool_calls')
  expect(parts).toEqual([
    { kind: 'tool_call', toolCallId: 'call_1', toolName: 'apply_patch', argsText: JSON.stringify({ input: PATCH }), freeForm: true },
  ])
  const tool = request?.registry.get('apply_patch')
  expect(tool?.validate({ input: PATCH })).toEqual({ ok: true, value: { patch: PATCH } })
  expect(tool?.canonicalArguments?.({ input: PATCH })).toEqual({ patch: PATCH })
})

test('a truncated plain-text call is not executed, and the part that was received is sent back', () => {
  const reader = new ResponsesAnswer()
  const item = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'apply_patch', status: 'incomplete' }
  reader.take({ type: 'response.output_item.added', output_index: 0, item: { ...item, input: '' } })
  reader.take({ type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'ctc_1', delta: '*** "Begin' })
  const end = { id: 'r', status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  reader.take({ type: 'response.incomplete', response: { ...end, output: [{ ...item, input: '*** "Begin' }] } })
  const { parts, stopReason } = reader.answer()
  const [call] = parts
  expect(stopReason).toBe('length')
  expect(call?.kind === 'tool_call' && parseArguments(call.argsText, stopReason)).toMatchObject({ ok: false })
  const turns: readonly Turn[] = [
    { kind: 'assistant', content: parts, provider: 'openai', model: 'gpt-5.5', usage: NO_USAGE, responseId: null },
  ]
  expect(bodyFor('gpt-5.5', turns).input).toContainEqual(expect.objectContaining({ type: 'custom_tool_call', input: '*** "Begin' }))
})

test.each([
  ['gpt-5.5', 'custom'],
  ['gpt-6', 'custom'],
  ['gpt-5-chat-latest', 'function'],
  ['gpt-4.1', 'function'],
  ['o3', 'function'],
])('%s gets apply_patch as a %s tool, and its calls are sent back in that form', (model, type) => {
  const id = ToolCallId.parse('call_1')
  const turns: readonly Turn[] = [
    { kind: 'user', content: 'Make it' },
    { kind: 'assistant', content: answer().parts, provider: 'openai', model, usage: NO_USAGE, responseId: null },
    { kind: 'tool_results', results: [{ toolCallId: id, toolName: 'apply_patch', freeForm: true, output: 'Applied.', isError: false }] },
  ]
  const body = bodyFor(model, turns)
  const offered = body.tools.find(({ name }) => name === 'apply_patch')
  expect(offered?.type).toBe(type)
  expect(body.tools.find(({ name }) => name === 'grep')?.type).toBe('function')
  if (type === 'custom') {
    expect(offered?.format).toMatchObject({ type: 'grammar', syntax: 'lark' })
    expect(body.input.slice(1)).toEqual([
      { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: PATCH },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Applied.' },
    ])
  } else {
    expect(body.input.slice(1)).toEqual([
      { type: 'function_call', call_id: 'call_1', name: 'apply_patch', arguments: JSON.stringify({ input: PATCH }) },
      { type: 'function_call_output', call_id: 'call_1', output: 'Applied.' },
    ])
  }
})

const done = { id: 'resp_1', status: 'completed' }
const patchItem = (id: string) => ({ type: 'custom_tool_call', id, call_id: 'call_1', name: 'apply_patch', input: PATCH })
const said = (id: string, text: string) => ({ type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text }] })

test.each<[string, readonly object[], readonly object[]]>([
  [
    'an index is skipped, and the final list omits the message',
    [
      { type: 'response.output_item.done', output_index: 0, item: said('msg_1', 'Now.') },
      { type: 'response.output_item.done', output_index: 2, item: patchItem('ctc_1') },
    ],
    [patchItem('ctc_1')],
  ],
  [
    'the final list has other ids',
    [
      { type: 'response.output_item.done', output_index: 0, item: said('msg_1', 'Now.') },
      { type: 'response.output_item.done', output_index: 1, item: patchItem('ctc_1') },
    ],
    [said('msg_x', 'Now.'), patchItem('ctc_x')],
  ],
  [
    'the call is complete only in the final list',
    [
      { type: 'response.output_item.done', output_index: 0, item: said('msg_1', 'Now.') },
      { type: 'response.output_item.added', output_index: 3, item: { ...patchItem('ctc_1'), input: '' } },
      { type: 'response.custom_tool_call_input.delta', output_index: 3, item_id: 'ctc_1', delta: PATCH.slice(0, 9) },
    ],
    [said('msg_1', 'Now.'), patchItem('ctc_1')],
  ],
  [
    'only the final list contains the call',
    [{ type: 'response.output_item.done', output_index: 0, item: said('msg_1', 'Now.') }],
    [said('msg_1', 'Now.'), patchItem('ctc_1')],
  ],
])('the message and the call are complete and appear once (P8): %s', (_, events, output) => {
  const reader = new ResponsesAnswer()
  for (const event of [{ type: 'response.created', response: { id: 'resp_1' } }, ...events]) reader.take(event)
  reader.take({ type: 'response.completed', response: { ...done, output } })
  expect(reader.answer().parts).toEqual([
    { kind: 'text', text: 'Now.' },
    { kind: 'tool_call', toolCallId: 'call_1', toolName: 'apply_patch', argsText: JSON.stringify({ input: PATCH }), freeForm: true },
  ])
})
