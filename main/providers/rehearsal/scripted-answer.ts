import type { MessageCreateParamsStreaming, StopReason } from '@anthropic-ai/sdk/resources/messages'

/** One part of a scripted message. `args` is the raw text of a call's arguments, so that broken JSON can be scripted too. */
export type ScriptedBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly signature: string }
  | { readonly kind: 'redacted'; readonly data: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: string; readonly id?: string }

/**
 * Tokens, as the service counts them: `input` excludes tokens that were read from or written to the cache.
 */
export interface ScriptedUsage {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly thinking?: number
}

/**
 * After `at` bytes of the body: `end` ends the response normally, `reset` breaks the connection, `stall` sends nothing more; a promise
 * pauses until it settles.
 */
export interface Stop {
  readonly at: number
  readonly next: 'end' | 'reset' | 'stall' | Promise<unknown>
}

/** How the bytes of an answer travel. Left out: at once and to the end. */
export interface Delivery {
  /** The answer begins when this settles; until then not even the status line is sent. */
  readonly hold?: Promise<unknown>
  /** Places where the body pauses or ends, in order. */
  readonly stops?: readonly Stop[]
  /** The body travels in pieces of so many bytes. */
  readonly pieceBytes?: number
  /** Milliseconds between two events of the stream, so that a person can read along. */
  readonly paceMs?: number
}

/** A whole message as the model would stream it. */
export interface ScriptedMessage {
  readonly kind: 'message'
  readonly blocks: readonly ScriptedBlock[]
  /** Left out: `tool_use` when there are calls, else `end_turn`. */
  readonly stopReason?: StopReason
  readonly usage?: ScriptedUsage
  /** An event that is not JSON stands in the middle of the stream. */
  readonly garbled?: boolean
  readonly delivery?: Delivery
}

/** What a scripted model answers to one request. `raw` is any HTTP response at all; `hang_up` closes the connection without a byte. */
export type ScriptedAnswer =
  | ScriptedMessage
  | {
      readonly kind: 'raw'
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: string | Uint8Array
      readonly delivery?: Delivery
    }
  /** An HTTP error in the form of the format that was asked in; `type` is the vendor's own name for it. */
  | {
      readonly kind: 'refusal'
      readonly status: number
      readonly type: string
      readonly words: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'hang_up' }

/** The four formats in which models are asked. */
export type WireName = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini'

/** A request as it arrived. */
export interface ScriptedRequest {
  /** The format that its path tells. */
  readonly format: WireName
  /** Counts from 0 in order of arrival. */
  readonly index: number
  readonly path: string
  /** The client's port: equal for requests on one connection. */
  readonly connection: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly bytes: Uint8Array
  /** As Anthropic has it; a request of another format is `json`. */
  readonly body: MessageCreateParamsStreaming
  readonly json: Readonly<Record<string, unknown>>
  /** How the exchange ended, seen from the server: the whole answer was handed over, or the connection closed before that. */
  readonly ended: Promise<'sent' | 'closed'>
}
