import type { ApprovalId, BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { type ContentPart, NO_USAGE, type ToolCallPart } from '../../../shared/session/content.ts'
import type { DurableEvent, Envelope } from '../../../shared/session/events.ts'

/** Short functions that create events for tests. Every field has the value that a normal run would give it. */
type Of<K extends DurableEvent['kind']> = Extract<DurableEvent, { kind: K }>

export const SESSION = 'ses_test' as SessionId
export const callId = (id: string): ToolCallId => id as ToolCallId
export const approvalId = (id: string): ApprovalId => id as ApprovalId
export const blobHash = (digit: string): BlobHash => digit.repeat(64).slice(0, 64) as BlobHash

export const call = (id: string, toolName = 'read_file', args: unknown = {}): ToolCallPart => ({
  kind: 'tool_call',
  toolCallId: callId(id),
  toolName,
  argsText: JSON.stringify(args),
})

export const started = (): Of<'SESSION_START'> => ({
  kind: 'SESSION_START',
  sessionId: SESSION,
  cwd: '/code',
  provider: 'anthropic',
  model: 'm',
  mode: 'ask',
  effort: null,
  baseUrl: null,
})

export const input = (text: string, delivery: 'prompt' | 'follow-up' = 'prompt'): Of<'USER_INPUT'> => ({
  kind: 'USER_INPUT',
  inputId: `in_${text}`,
  text,
  delivery,
})

export const steering = (text: string, by: 'person' | 'loop' = 'person'): Of<'STEERING_INJECTED'> => ({
  kind: 'STEERING_INJECTED',
  inputId: `in_${text}`,
  text,
  by,
})

export const answer = (parts: readonly ContentPart[], more: Partial<Of<'ASSISTANT_TURN'>> = {}): Of<'ASSISTANT_TURN'> => ({
  kind: 'ASSISTANT_TURN',
  provider: 'anthropic',
  model: 'm',
  parts,
  stopReason: parts.some((part) => part.kind === 'tool_call') ? 'tool_calls' : 'stop',
  responseId: null,
  usage: NO_USAGE,
  complete: true,
  ...more,
})

export const begun = (id: string, toolName = 'read_file', args: Of<'TOOL_CALL_START'>['args'] = {}): Of<'TOOL_CALL_START'> => ({
  kind: 'TOOL_CALL_START',
  toolCallId: callId(id),
  toolName,
  args,
})

export const ended = (id: string, output = `result of ${id}`, more: Partial<Of<'TOOL_CALL_END'>> = {}): Of<'TOOL_CALL_END'> => ({
  kind: 'TOOL_CALL_END',
  toolCallId: callId(id),
  toolName: 'read_file',
  output,
  outputBlob: null,
  modelText: null,
  isError: false,
  outcome: 'done',
  durationMs: 1,
  details: null,
  ...more,
})

export const requested = (id: string, approval: string, hash = 'h1'): Of<'APPROVAL_REQUESTED'> => ({
  kind: 'APPROVAL_REQUESTED',
  approvalId: approvalId(approval),
  toolCallId: callId(id),
  toolName: 'shell',
  effects: [{ kind: 'command', command: 'ls', cwd: '/code', outside: false, env: {}, timeoutMs: 1000, destructive: false }],
  hash,
  reason: 'It runs a command.',
  destructive: false,
})

export const answered = (id: string, approval: string, answer: Of<'APPROVAL_ANSWERED'>['answer']): Of<'APPROVAL_ANSWERED'> => ({
  kind: 'APPROVAL_ANSWERED',
  approvalId: approvalId(approval),
  toolCallId: callId(id),
  answer,
})

export const executing = (id: string): Of<'TOOL_EXECUTION_START'> => ({
  kind: 'TOOL_EXECUTION_START',
  toolCallId: callId(id),
  signedBy: { kind: 'person' },
  effects: [],
})

/** Wraps events in envelopes as the log would: `seq` counts from `first`, and the times are one millisecond apart. */
export function stamped(events: readonly DurableEvent[], first = 1): readonly Envelope[] {
  return events.map((event, index) => ({
    seq: first + index,
    sessionId: SESSION,
    after: first + index === 1 ? null : first + index - 1,
    at: 1000 + first + index,
    event,
  }))
}
