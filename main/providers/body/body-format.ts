import type { ProviderId } from '../../../shared/session/content.ts'
import type { Turn } from '../../../shared/session/conversation-turns.ts'
import type { OverriddenRequest } from './body-overrides.ts'
import type { Message, TurnBlocks } from './request-messages.ts'

/** The model for which a request is written. Reasoning is sent back only to the provider and model that produced it. */
export interface Target {
  readonly provider: ProviderId
  readonly model: string
  /** Whether the service refused tools that are called with plain text. The calls of such tools are then written as JSON. */
  readonly jsonToolsOnly?: boolean
}

/** A vendor's request format. The JSON of a turn depends only on the turn and the target. */
export interface BodyFormat {
  readonly provider: ProviderId
  turnBlocks(turn: Turn, target: Target): TurnBlocks
  /**
   * Returns the JSON of one message. `blocks` contains its blocks, separated by commas. A format whose messages are flat returns only the
   * blocks.
   */
  message(role: Message['role'], blocks: string, model: string): string
  /**
   * Returns everything before the first message. The caller reuses the result while the prompt, tools and options are the same objects and
   * `situation` returns the same value (false if the format has no `situation`).
   */
  head(request: OverriddenRequest, situation: boolean): string
  situation?(request: OverriddenRequest): boolean
  /** The user block to put before a conversation that starts with an answer. Absent if the service accepts such a conversation. */
  readonly opening?: string
  /** Everything after the last message. */
  readonly tail: string
  /** Adds cache marks to the messages that may still change. Absent if the format has no marks. */
  marked?(messages: readonly Message[], request: OverriddenRequest): readonly string[]
}
