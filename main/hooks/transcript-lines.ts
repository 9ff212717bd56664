import { isObject } from '../../shared/lib/json.ts'
import type { ContentPart, JsonValue } from '../../shared/session/content.ts'
import { contentText } from '../../shared/session/content.ts'
import { type LoggedTurn, messageText } from '../../shared/session/conversation-turns.ts'
import { wholeForm } from './foreign-call.ts'

export interface LinePlace {
  readonly sessionId: string
  readonly cwd: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A turn as one line of a Claude Code transcript, for hooks that read the conversation. */
export function transcriptLine(turn: LoggedTurn, index: number, { sessionId, cwd, now }: LinePlace): string {
  const idOf = (at: number): string => `${sessionId}-${at}`
  return JSON.stringify({
    parentUuid: index === 0 ? null : idOf(index - 1),
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId,
    uuid: idOf(index),
    timestamp: new Date(now).toISOString(),
    ...messageOf(turn, cwd),
  })
}

function messageOf(turn: LoggedTurn, cwd: string): { readonly type: string; readonly message: JsonValue } {
  switch (turn.kind) {
    case 'user':
    case 'steering':
    case 'system':
      return { type: 'user', message: { role: 'user', content: messageText(turn.content) } }
    case 'tool_results':
      return {
        type: 'user',
        message: {
          role: 'user',
          content: turn.results.map(({ toolCallId, output, isError }) => ({
            type: 'tool_result',
            tool_use_id: toolCallId,
            content: contentText(output),
            ...(isError && { is_error: true }),
          })),
        },
      }
    case 'assistant': {
      const { input, output } = turn.usage
      const content = turn.content.flatMap((part) => partOf(part, cwd))
      return {
        type: 'assistant',
        message: { role: 'assistant', type: 'message', model: turn.model, content, usage: { input_tokens: input, output_tokens: output } },
      }
    }
  }
}

function partOf(part: ContentPart, cwd: string): readonly JsonValue[] {
  if (part.kind === 'text') return [{ type: 'text', text: part.text }]
  if (part.kind === 'thinking') return [{ type: 'thinking', thinking: part.text }]
  if (part.kind !== 'tool_call') return []
  const { toolName, input } = wholeForm({ toolName: part.toolName, args: argumentsOf(part.argsText) }, cwd)
  return [{ type: 'tool_use', id: part.toolCallId, name: toolName, input }]
}

function argumentsOf(text: string): { readonly [key: string]: JsonValue } {
  try {
    const value = JSON.parse(text) as JsonValue
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
