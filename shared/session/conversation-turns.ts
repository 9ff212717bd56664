import type { ToolCallId } from '../lib/ids.ts'
import type { ContentPart, ModelContent, ProviderId, TextPart, Usage, UserPart, Picture } from './content.ts'

/** A user's message. A string stands for one text part. */
export interface UserTurn<P = UserPart> {
  readonly kind: 'user'
  readonly content: string | readonly P[]
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
    /** Set if the model wrote the arguments of the call as plain text. */
    readonly freeForm?: true
    readonly output: ModelContent
    readonly isError: boolean
  }[]
}

interface SystemTurn {
  readonly kind: 'system'
  readonly content: string
}

/** A message that reached the agent in the middle of its work. The model sees it in the user's role. */
interface SteeringTurn<P = UserPart> {
  readonly kind: 'steering'
  readonly content: string | readonly P[]
  /** Set if the agent loop wrote the message. If left out, the user wrote it. */
  readonly by?: 'loop'
}

/** One entry of the conversation that the model sees. Turn objects never change, so adapters may cache by identity. */
export type Turn<P = UserPart> = UserTurn<P> | AssistantTurn | ToolResultsTurn | SystemTurn | SteeringTurn<P>

/** A turn as the log stores it: the user's pictures are hashes, not the data that the model gets. */
export type LoggedTurn = Turn<TextPart | Picture>

/** The text of a message, without its pictures. */
export function messageText(content: string | readonly ({ readonly kind: string } | TextPart)[]): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
}
