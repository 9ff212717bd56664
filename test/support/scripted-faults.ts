import type { ScriptedAnswer, ScriptedMessage } from '../../main/providers/rehearsal/scripted-answer.ts'
import { httpError } from './scripted-model.ts'

/** A fault of a service. Each fault works in the wire format of the request. */
export type ScriptedFault =
  /** Sends no byte, not even the status, before the promise settles. */
  | { readonly kind: 'delay'; readonly until: Promise<unknown> }
  /** Sends nothing after this many bytes, and keeps the connection open. */
  | { readonly kind: 'stall'; readonly at: number }
  /** Ends the body after this many bytes: cleanly, or by resetting the connection. */
  | { readonly kind: 'cut'; readonly at: number; readonly how: 'end' | 'reset' }
  | { readonly kind: 'status'; readonly status: 401 | 429 | 529; readonly retryAfter?: string }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'html' }
  /** Sends pieces of this many bytes, which splits characters. */
  | { readonly kind: 'split'; readonly bytes: number }
  /** Gives every call of the answer the same id. */
  | { readonly kind: 'duplicate_ids' }

/** Returns an answer with this fault. */
export function faulty(answer: ScriptedMessage, fault: ScriptedFault): ScriptedAnswer {
  switch (fault.kind) {
    case 'delay':
      return { ...answer, delivery: { hold: fault.until } }
    case 'stall':
      return { ...answer, delivery: { stops: [{ at: fault.at, next: 'stall' }] } }
    case 'cut':
      return { ...answer, delivery: { stops: [{ at: fault.at, next: fault.how }] } }
    case 'status':
      return httpError(fault.status, TYPES[fault.status], 'No.', fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter })
    case 'malformed':
      return { ...answer, garbled: true }
    case 'html':
      return { kind: 'raw', headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Sign in</title>' }
    case 'split':
      return { ...answer, delivery: { pieceBytes: fault.bytes } }
    case 'duplicate_ids':
      return { ...answer, blocks: answer.blocks.map((block) => (block.kind === 'call' ? { ...block, id: 'same' } : block)) }
  }
}

/** Error types that no service uses, so that the error can be recognized only by its status. */
const TYPES = { 401: 'refused', 429: 'refused', 529: 'refused' } as const
