import type { ContentPart } from '../../shared/session/content.ts'
import { type LoggedTurn, messageText } from '../../shared/session/conversation-turns.ts'

export interface UserTurn {
  readonly kind: 'user'
  readonly content: string
}

export interface AssistantTurn {
  readonly kind: 'assistant'
  readonly content: ReadonlyArray<ContentPart>
}

export interface ToolResultEntry {
  readonly toolCallId: string
  readonly output: string
  readonly isError: boolean
}

export interface ToolResultsTurn {
  readonly kind: 'tool_results'
  readonly results: ReadonlyArray<ToolResultEntry>
}

export interface SystemTurn {
  readonly kind: 'system'
  readonly content: string
}

export interface SteeringTurn {
  readonly kind: 'steering'
  readonly content: string
}

/** One entry of a conversation, in the shape that the specification defines (the public API). */
export type Turn = UserTurn | AssistantTurn | ToolResultsTurn | SystemTurn | SteeringTurn

/** Converts a turn of the log to the shape that the specification defines, which has no pictures. */
export function seedTurn(turn: LoggedTurn): Turn {
  switch (turn.kind) {
    case 'assistant':
      return { kind: 'assistant', content: turn.content }
    case 'tool_results':
      return {
        kind: 'tool_results',
        results: turn.results.map(({ toolCallId, output, isError }) => ({ toolCallId, output: messageText(output), isError })),
      }
    default:
      return { kind: turn.kind, content: messageText(turn.content) }
  }
}
