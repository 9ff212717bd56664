/** A block of a conversation. */
export type ConversationBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'result'; readonly id: string; readonly text: string; readonly isError: boolean }

export interface ConversationMessage {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly ConversationBlock[]
}

type Fields = Readonly<Record<string, unknown>>

/** The conversation of a request in Anthropic's format, without the system prompt. */
export function readConversation(body: Fields): readonly ConversationMessage[] {
  return listOf(body['messages']).map(readMessage)
}

function readMessage({ role, content }: Fields): ConversationMessage {
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
