import { anthropicBody } from '../../main/providers/anthropic/anthropic-body.ts'
import { geminiBody } from '../../main/providers/gemini/gemini-body.ts'
import { chatBody } from '../../main/providers/openai-compatible/chat-body.ts'
import { responsesBody } from '../../main/providers/openai/responses-body.ts'
import { requestBodies } from '../conformance/request-body.ts'

type Fields = Readonly<Record<string, unknown>>

const listIn = (value: unknown, name: string): readonly Fields[] => {
  const list = (value as Fields | undefined)?.[name]
  return Array.isArray(list) ? (list as readonly Fields[]) : []
}
const named = (values: readonly unknown[], name: string): readonly string[] => values.map((value) => String((value as Fields)[name]))
const unmarked = (body: string): string => body
const opaque = { kind: 'opaque', data: { type: 'FOREIGN' } } as const

requestBodies({
  format: anthropicBody('anthropic'),
  model: 'claude-sonnet-5-5',
  unmarked: (body) => body.replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
  pairs: (body) => {
    const blocks = listIn(body, 'messages').flatMap((message) => listIn(message, 'content'))
    const of = (type: string) => blocks.filter((block) => block['type'] === type)
    return { calls: named(of('tool_use'), 'id'), results: named(of('tool_result'), 'tool_use_id') }
  },
  foreign: [opaque],
})

requestBodies({
  format: responsesBody,
  model: 'gpt-5.5',
  unmarked,
  pairs: (body) => {
    const of = (type: string) => listIn(body, 'input').filter((item) => item['type'] === type)
    return { calls: named(of('function_call'), 'call_id'), results: named(of('function_call_output'), 'call_id') }
  },
  foreign: [opaque, { kind: 'thinking', text: 'FOREIGN', signature: null, item: { type: 'reasoning', encrypted_content: 'FOREIGN' } }],
})

requestBodies({
  format: chatBody,
  model: 'qwen3-coder',
  unmarked,
  pairs: (body) => {
    const messages = listIn(body, 'messages')
    const tools = messages.filter(({ role }) => role === 'tool')
    return {
      calls: named(
        messages.flatMap((message) => listIn(message, 'tool_calls')),
        'id',
      ),
      results: named(tools, 'tool_call_id'),
    }
  },
  foreign: [{ kind: 'opaque', data: { reasoning_details: ['FOREIGN'] } }],
})

requestBodies({
  format: geminiBody,
  model: 'gemini-3.8-flash',
  unmarked,
  pairs: (body) => {
    const parts = listIn(body, 'contents').flatMap((content) => listIn(content, 'parts'))
    const of = (name: string) => parts.flatMap((part) => (part[name] === undefined ? [] : [part[name]]))
    return { calls: named(of('functionCall'), 'id'), results: named(of('functionResponse'), 'id') }
  },
  foreign: [opaque],
})
