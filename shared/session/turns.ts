import type { ToolCallId } from '../lib/ids.ts'
import type { ContentPart, ModelContent, ProviderId, Usage } from './content.ts'

export interface UserTurn {
  readonly kind: 'user'
  readonly content: string
}

export interface AssistantTurn {
  readonly kind: 'assistant'
  readonly content: readonly ContentPart[]
  readonly provider: ProviderId
  readonly model: string
  readonly usage: Usage
  readonly responseId: string | null
}

export interface ToolResultsTurn {
  readonly kind: 'tool_results'
  readonly results: readonly {
    readonly toolCallId: ToolCallId
    readonly toolName: string
    readonly output: ModelContent
    readonly isError: boolean
  }[]
}

export interface SystemTurn {
  readonly kind: 'system'
  readonly content: string
}

/** Words of the user that reached the agent in the middle of its work; the model sees them in the user's role (S-11). */
export interface SteeringTurn {
  readonly kind: 'steering'
  readonly content: string
  /** Left out: the person's words; else the loop's own. */
  readonly by?: 'loop'
}

/** One entry of the conversation as the model sees it (P2-09…13). Turn objects are never changed, so adapters may cache by identity. */
export type Turn = UserTurn | AssistantTurn | ToolResultsTurn | SystemTurn | SteeringTurn
