import type { ScriptedAnswer, ScriptedMessage } from '../../main/providers/rehearsal/scripted-answer.ts'
import { httpError } from './scripted-model.ts'

/** What a service can do wrong; each plays in whichever wire format is asked. */
export type ScriptedFault =
  /** Not a byte, not even of the status, before it settles. */
  | { readonly kind: 'delay'; readonly until: Promise<unknown> }
  /** Sends nothing after this many bytes, and keeps the connection open. */
  | { readonly kind: 'stall'; readonly at: number }
  /** The body ends after so many bytes: politely, or with the connection. */
  | { readonly kind: 'cut'; readonly at: number; readonly how: 'end' | 'reset' }
  | { readonly kind: 'status'; readonly status: 401 | 429 | 529; readonly retryAfter?: string }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'html' }
  /** Pieces of so many bytes: characters are split. */
  | { readonly kind: 'split'; readonly bytes: number }
  /** Every call of the answer has the same id. */
  | { readonly kind: 'duplicate_ids' }

/** An answer with this fault. */
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

/** Words that no service uses for anything else, so that the status decides. */
const TYPES = { 401: 'refused', 429: 'refused', 529: 'refused' } as const
