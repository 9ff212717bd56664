import type { ProviderId } from '../../../shared/session/content.ts'
import type { Turn } from '../../../shared/session/turns.ts'
import type { ShapedRequest } from './body-shape.ts'
import type { Message, TurnBlocks } from './messages.ts'

/** Who a request is written for. Reasoning goes back only to the provider and model that produced it. */
export interface Target {
  readonly provider: ProviderId
  readonly model: string
  /** The service refused tools that are called with plain text, so their calls are written as JSON. */
  readonly jsonToolsOnly?: boolean
}

/** A vendor's request format. The JSON of a turn depends only on the turn and the target. */
export interface BodyFormat {
  readonly provider: ProviderId
  turnBlocks(turn: Turn, target: Target): TurnBlocks
  /** One message of these blocks, which are parted by commas; in a flat format the blocks themselves. */
  message(role: Message['role'], blocks: string, model: string): string
  /**
   * Everything before the first message. Written once as long as the parts of the request are the same objects and the turns keep the same
   * `situation`, which is false where a format has none.
   */
  head(request: ShapedRequest, situation: boolean): string
  situation?(request: ShapedRequest): boolean
  /** A block in which a person begins a conversation that an answer begins; left out: that is taken as it is. */
  readonly opening?: string
  /** Everything behind the last message. */
  readonly tail: string
  /** The messages that may still change, with whatever marks they carry; left out: as they are. */
  marked?(messages: readonly Message[], request: ShapedRequest): readonly string[]
}
