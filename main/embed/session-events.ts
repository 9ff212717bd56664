import type { BlobHash } from '../../shared/lib/ids.ts'
import type { AnyEnvelope, SessionEvent as LoggedEvent } from '../../shared/session/events.ts'
import { AgentError } from './agent-error.ts'

type Logged<K extends LoggedEvent['kind']> = Extract<LoggedEvent, { readonly kind: K }>

/** Event kinds whose payload is converted to the shape that the specification defines. */
type Reshaped = 'TOOL_CALL_START' | 'TOOL_CALL_END' | 'TURN_LIMIT' | 'ERROR' | 'SUBAGENT_EVENT'

type SeedLimit = 'max_tool_rounds' | 'max_turns'

/** Every event of a session: the thirteen kinds of the specification with their payloads, and Countersign's own kinds in the same style. */
export type SessionEvent =
  | Exclude<LoggedEvent, { readonly kind: Reshaped }>
  | (Omit<Logged<'TOOL_CALL_START'>, 'args'> & { readonly args: Record<string, unknown> })
  /**
   * `output` is the complete output. If it is longer than 16 MiB, `output` contains only its start and end, and `outputBlob` contains all
   * of it.
   */
  | Logged<'TOOL_CALL_END'>
  | { readonly kind: 'TURN_LIMIT'; readonly reason: SeedLimit; readonly limit: number }
  /** A limit on tokens, money or time. The specification has no event for these limits. */
  | { readonly kind: 'BUDGET_LIMIT'; readonly reason: Exclude<Logged<'TURN_LIMIT'>['reason'], SeedLimit>; readonly limit: number }
  | { readonly kind: 'ERROR'; readonly error: AgentError }
  | { readonly kind: 'SUBAGENT_EVENT'; readonly subagentId: string; readonly event: SessionEvent }

/** `seq` orders stored events. It is null for live events, which are not stored. `at`: milliseconds since 1970. */
export interface EventStamp {
  readonly sessionId: string
  readonly seq: number | null
  readonly at: number
}

export type StampedEvent = SessionEvent & EventStamp

/** Maximum size in bytes of an output that is passed on as one string. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

export function stampedEvent({ sessionId, seq, at, event }: AnyEnvelope, bytes: (hash: BlobHash) => Uint8Array): StampedEvent {
  return { ...sessionEvent(event, bytes), sessionId, seq, at }
}

function sessionEvent(event: LoggedEvent, bytes: (hash: BlobHash) => Uint8Array): SessionEvent {
  switch (event.kind) {
    case 'TOOL_CALL_START':
      return { ...event, args: { ...event.args } }
    case 'TOOL_CALL_END': {
      const { outputBlob: whole } = event
      return whole && whole.bytes <= MAX_OUTPUT_BYTES ? { ...event, output: Buffer.from(bytes(whole.hash)).toString('utf8') } : event
    }
    case 'TURN_LIMIT': {
      const { reason, limit } = event
      return reason === 'max_tool_rounds' || reason === 'max_turns'
        ? { kind: 'TURN_LIMIT', reason, limit }
        : { kind: 'BUDGET_LIMIT', reason, limit }
    }
    case 'ERROR':
      return { kind: 'ERROR', error: new AgentError(event.error) }
    case 'SUBAGENT_EVENT':
      return { ...event, event: sessionEvent(event.event, bytes) }
    default:
      return event
  }
}
