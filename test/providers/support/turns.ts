import { type ContentPart, type ModelContent, NO_USAGE } from '../../../shared/session/content.ts'
import { ToolCallId } from '../../../shared/lib/ids.ts'
import type { AssistantTurn, ToolResultsTurn, Turn } from '../../../shared/session/conversation-turns.ts'

export const user = (content: string): Turn => ({ kind: 'user', content })
export const steering = (content: string): Turn => ({ kind: 'steering', content })
export const words = (text: string): ContentPart => ({ kind: 'text', text })
export const thought = (text: string, signature: string | null = 'sig'): ContentPart => ({ kind: 'thinking', text, signature })

export function asks(id: string, toolName: string, argsText: string): ContentPart {
  return { kind: 'tool_call', toolCallId: ToolCallId.parse(id), toolName, argsText }
}

export function assistant(content: readonly ContentPart[], from: Partial<Pick<AssistantTurn, 'provider' | 'model'>> = {}): AssistantTurn {
  return { kind: 'assistant', content, provider: 'anthropic', model: 'claude-sonnet-5-5', usage: NO_USAGE, responseId: 'msg_1', ...from }
}

export function results(...given: readonly (readonly [id: string, output: ModelContent, isError?: boolean])[]): ToolResultsTurn {
  return {
    kind: 'tool_results',
    results: given.map(([id, output, isError = false]) => ({ toolCallId: ToolCallId.parse(id), toolName: 'tool', output, isError })),
  }
}
