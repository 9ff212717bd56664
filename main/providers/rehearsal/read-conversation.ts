import type { WireName } from './scripted-answer.ts'

/** A block of a conversation, independent of the wire format. */
export type ConversationBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  /** `isError` is null if the format has no member for it. */
  | { readonly kind: 'result'; readonly id: string; readonly text: string; readonly isError: boolean | null }

export interface ConversationMessage {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly ConversationBlock[]
}

type Fields = Readonly<Record<string, unknown>>

/** The conversation of a request, without the system prompt. */
export function readConversation(format: WireName, body: Fields): readonly ConversationMessage[] {
  switch (format) {
    case 'anthropic':
      return listOf(body['messages']).map(anthropicMessage)
    case 'openai-responses':
      return listOf(body['input']).map(responsesItem)
    case 'openai-chat':
      return listOf(body['messages']).flatMap((message) => (message['role'] === 'system' ? [] : [chatMessage(message)]))
    case 'gemini':
      return geminiMessages(listOf(body['contents']))
  }
}

function anthropicMessage({ role, content }: Fields): ConversationMessage {
  const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)).flatMap(
    (block: Fields): readonly ConversationBlock[] => {
      if (block['type'] === 'text') return [text(block['text'])]
      if (block['type'] === 'tool_use')
        return [{ kind: 'call', id: String(block['id']), name: String(block['name']), args: fields(block['input']) }]
      if (block['type'] !== 'tool_result') return []
      return [{ kind: 'result', id: String(block['tool_use_id']), text: textIn(block['content']), isError: block['is_error'] === true }]
    },
  )
  return { role: roleOf(role), blocks }
}

function responsesItem(item: Fields): ConversationMessage {
  const id = String(item['call_id'])
  if (item['type'] === 'function_call')
    return { role: 'assistant', blocks: [{ kind: 'call', id, name: String(item['name']), args: parsed(item['arguments']) }] }
  if (item['type'] === 'function_call_output')
    return { role: 'user', blocks: [{ kind: 'result', id, text: textIn(item['output']), isError: null }] }
  const words = textIn(item['content'])
  return { role: item['type'] === 'reasoning' ? 'assistant' : roleOf(item['role']), blocks: words === '' ? [] : [text(words)] }
}

function chatMessage({ role, content, tool_calls: calls, tool_call_id: id }: Fields): ConversationMessage {
  if (role === 'tool') return { role: 'user', blocks: [{ kind: 'result', id: String(id), text: textIn(content), isError: null }] }
  const words = textIn(content)
  const called = listOf(calls).map((call): ConversationBlock => {
    const made = fields(call['function'])
    return { kind: 'call', id: String(call['id']), name: String(made['name']), args: parsed(made['arguments']) }
  })
  return { role: roleOf(role), blocks: [...(words === '' ? [] : [text(words)]), ...called] }
}

/** Calls and results without an id are matched by order. */
function geminiMessages(contents: readonly Fields[]): readonly ConversationMessage[] {
  let [calls, results] = [0, 0]
  return contents.map(({ role, parts }) => {
    const blocks = listOf(parts).flatMap((part): readonly ConversationBlock[] => {
      if (part['functionCall'] !== undefined) {
        const { id = `#${calls}`, name, args } = fields(part['functionCall'])
        calls++
        return [{ kind: 'call', id: String(id), name: String(name), args: fields(args) }]
      }
      if (part['functionResponse'] !== undefined) {
        const { id = `#${results}`, response } = fields(part['functionResponse'])
        results++
        const { output, error } = fields(response)
        return [{ kind: 'result', id: String(id), text: textIn(error ?? output), isError: error !== undefined }]
      }
      return part['thought'] === true ? [] : [text(part['text'])]
    })
    return { role: role === 'model' ? 'assistant' : 'user', blocks }
  })
}

const text = (words: unknown): ConversationBlock => ({ kind: 'text', text: typeof words === 'string' ? words : '' })
const roleOf = (role: unknown): ConversationMessage['role'] => (role === 'assistant' ? 'assistant' : 'user')
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as readonly Fields[]) : [])
const fields = (value: unknown): Fields => (value !== null && typeof value === 'object' ? (value as Fields) : {})

/** The string itself, or the text of a list's parts. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .flatMap(({ text: words }) => (typeof words === 'string' ? [words] : []))
    .join('\n')
}

function parsed(args: unknown): Fields {
  try {
    return fields(JSON.parse(String(args)))
  } catch {
    return {}
  }
}
