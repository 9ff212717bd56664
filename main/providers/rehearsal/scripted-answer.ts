import type { MessageCreateParamsStreaming, StopReason } from '@anthropic-ai/sdk/resources/messages'

/** One part of a scripted message. `args` is the raw text of a call's arguments, so that a script can also contain broken JSON. */
export type ScriptedBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly signature: string }
  | { readonly kind: 'redacted'; readonly data: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: string; readonly id?: string }

/** Token counts that the scripted service reports. `input` excludes tokens that were read from or written to the cache. */
export interface ScriptedUsage {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly thinking?: number
}

/**
 * What happens after `at` bytes of the body: `end` ends the response normally, `reset` breaks the connection, `stall` sends nothing more,
 * and a promise pauses until it settles.
 */
export interface Stop {
  readonly at: number
  readonly next: 'end' | 'reset' | 'stall' | Promise<unknown>
}

/** How the bytes of an answer are sent. Default: all at once. */
export interface Delivery {
  /** Nothing, not even the status line, is sent until this settles. */
  readonly hold?: Promise<unknown>
  /** Positions where the body pauses or ends, in order. */
  readonly stops?: readonly Stop[]
  /** The body is sent in pieces of this many bytes. */
  readonly pieceBytes?: number
  /** Milliseconds between two events of the stream, so that a user can read along. */
  readonly paceMs?: number
}

/** A complete message as the model would stream it. */
export interface ScriptedMessage {
  readonly kind: 'message'
  readonly blocks: readonly ScriptedBlock[]
  /** Default: `tool_use` if there are calls, otherwise `end_turn`. */
  readonly stopReason?: StopReason
  readonly usage?: ScriptedUsage
  /** Whether to add an event that is not JSON to the middle of the stream. */
  readonly garbled?: boolean
  readonly delivery?: Delivery
}

/** The scripted answer to one request. `raw` is any HTTP response. `hang_up` closes the connection without sending a byte. */
export type ScriptedAnswer =
  | ScriptedMessage
  | {
      readonly kind: 'raw'
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: string | Uint8Array
      readonly delivery?: Delivery
    }
  /** An HTTP error in the request's wire format; `type` is the vendor's name for it. */
  | {
      readonly kind: 'refusal'
      readonly status: number
      readonly type: string
      readonly words: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'hang_up' }

export type WireName = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini'

/** A request as it arrived. */
export interface ScriptedRequest {
  /** The wire format, determined from the path. */
  readonly format: WireName
  /** Number of the request, counted from 0 in order of arrival. */
  readonly index: number
  readonly path: string
  /** The client's port. Requests on the same connection have the same port. */
  readonly connection: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly bytes: Uint8Array
  /** The body of an Anthropic request. Use `json` for other formats. */
  readonly body: MessageCreateParamsStreaming
  readonly json: Readonly<Record<string, unknown>>
  /** How the exchange ended for the server: it sent the complete answer, or the connection closed before that. */
  readonly ended: Promise<'sent' | 'closed'>
}

/** The words of the text, each with the whitespace after it, as models stream them. */
export function wordsOf(text: string): readonly string[] {
  // A pattern that matches whole words would need a deep stack for a word of megabytes.
  return text === '' ? [] : text.split(/(?<=\s)(?=\S)/u)
}

export function slicesOf(text: string, size: number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}
