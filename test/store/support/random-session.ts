import fc from 'fast-check'
import type { ApprovalId, BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { NO_USAGE } from '../../../shared/session/content.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { CONFIG } from './stores.ts'

const HASH = 'a'.repeat(64) as BlobHash
const TOOLS = ['read_file', 'edit_file', 'shell', 'grep'] as const

const call = fc.nat(8).map((n) => `call-${n}` as ToolCallId)
const approvalId = fc.nat(5).map((n) => `approval-${n}` as ApprovalId)
const text = fc.string({ maxLength: 30, unit: 'binary' })
const toolName = fc.constantFrom(...TOOLS)

const effect: fc.Arbitrary<Effect> = fc.oneof(
  fc.nat(3).map((n): Effect => {
    const place = { path: `/w/f${n}`, shown: `f${n}`, outside: false, control: false }
    return { kind: 'write', ...place, before: null, after: HASH, beforeBytes: 0, afterBytes: 3, lines: { added: 1, removed: 0 } }
  }),
  text.map((command): Effect => ({ kind: 'command', command, cwd: '/w', outside: false, env: {}, timeoutMs: 10_000, destructive: false })),
)
const effects = fc.array(effect, { maxLength: 3 })
const answer: fc.Arbitrary<Extract<DurableEvent, { kind: 'APPROVAL_ANSWERED' }>['answer']> = fc.constantFrom(
  { kind: 'signed' },
  { kind: 'refused', note: 'no', by: 'person' },
  { kind: 'withdrawn', why: 'superseded' },
)

/**
 * Any event at any moment, even in an order that no agent produces (an answer without a request, files changed after the end of a call).
 * Whatever a log contains, its row and its pages must match its fold.
 */
const event: fc.Arbitrary<DurableEvent> = fc.oneof(
  text.map((said): DurableEvent => ({ kind: 'USER_INPUT', inputId: 'i', text: said, delivery: 'prompt' })),
  fc.nat(3).map((n): DurableEvent => ({ kind: 'INPUT_QUEUED', inputId: `q${n}`, text: 'later', delivery: 'queue' })),
  fc.nat(3).map((n): DurableEvent => ({ kind: 'STEERING_INJECTED', inputId: `q${n}`, text: 'rather so', by: 'person' })),
  fc.tuple(text, fc.boolean()).map(([said, complete]): DurableEvent => {
    const parts = [{ kind: 'text', text: said } as const]
    return {
      kind: 'ASSISTANT_TURN',
      provider: 'anthropic',
      model: 'm',
      parts,
      stopReason: 'stop',
      responseId: null,
      usage: NO_USAGE,
      complete,
    }
  }),
  fc.nat(999).map((n): DurableEvent => ({ kind: 'USAGE', turn: NO_USAGE, total: { ...NO_USAGE, input: n }, costUsd: n / 1000 })),
  fc
    .tuple(call, toolName)
    .map(([toolCallId, name]): DurableEvent => ({ kind: 'TOOL_CALL_START', toolCallId, toolName: name, args: { a: 1 } })),
  fc.tuple(call, approvalId, effects, fc.boolean()).map(([toolCallId, id, wanted, destructive]): DurableEvent => {
    return {
      kind: 'APPROVAL_REQUESTED',
      approvalId: id,
      toolCallId,
      toolName: 'shell',
      effects: wanted,
      hash: 'h',
      reason: 'why',
      destructive,
    }
  }),
  fc.tuple(call, approvalId, answer).map(([toolCallId, id, said]): DurableEvent => {
    return { kind: 'APPROVAL_ANSWERED', approvalId: id, toolCallId, answer: said }
  }),
  fc.tuple(call, effects).map(([toolCallId, done]): DurableEvent => {
    return { kind: 'TOOL_EXECUTION_START', toolCallId, signedBy: { kind: 'person' }, effects: done }
  }),
  call.map((toolCallId): DurableEvent => {
    const modes = { beforeMode: null, afterMode: 0o644, beforeBytes: 0, afterBytes: 3 }
    return { kind: 'FILES_CHANGED', toolCallId, files: [{ path: '/w/f', shown: 'f', before: null, after: HASH, lines: null, ...modes }] }
  }),
  fc.tuple(call, text).map(([toolCallId, output]): DurableEvent => {
    const rest = { outputBlob: null, modelText: null, isError: false, outcome: 'done', durationMs: 3, details: null } as const
    return { kind: 'TOOL_CALL_END', toolCallId, toolName: 'shell', output, ...rest }
  }),
  fc.constantFrom<DurableEvent>(
    { kind: 'PROCESSING_END', reason: 'completed' },
    { kind: 'PROCESSING_END', reason: 'interrupted' },
    { kind: 'PROCESSING_END', reason: 'stopped' },
    { kind: 'STOP_REQUESTED' },
    { kind: 'RETRY_REQUESTED' },
    { kind: 'SESSION_RENAMED', name: 'Invoices' },
    { kind: 'SESSION_RENAMED', name: '' },
    { kind: 'CONTEXT_WARNING', usagePercent: 80 },
    { kind: 'COMPACTED', why: 'threshold', text: 'summary', kept: 1, dropped: 3, pinned: 1, tokensBefore: 90, tokensAfter: 20 },
    { kind: 'COMPACTION_UNDONE' },
    { kind: 'COMPACTION_REQUESTED', instructions: 'Keep the names.', alone: false },
    { kind: 'CONVERSATION_MOVED', to: 3, todos: [], compactions: [], wholeWanted: false, context: 7 },
    { kind: 'TURN_LIMIT', reason: 'max_tool_rounds', limit: 3 },
    { kind: 'SESSION_CONFIGURED', ...CONFIG, model: 'other', effort: 'high' },
    { kind: 'SESSION_CONFIGURED', ...CONFIG, model: 'another', was: { provider: CONFIG.provider, model: 'other', effort: 'high' } },
    { kind: 'ERROR', error: { code: 'x', what: 'what', kept: 'kept', todo: 'todo' } },
  ),
)

/**
 * Batches in the order in which they are appended. The first batch begins with SESSION_START. The same call id may occur twice, because
 * some services repeat ids.
 */
export function randomBatches(sessionId: SessionId): fc.Arbitrary<readonly (readonly [DurableEvent, ...DurableEvent[]])[]> {
  const start: DurableEvent = { kind: 'SESSION_START', sessionId, cwd: '/w', ...CONFIG }
  const batch = fc.array(event, { minLength: 1, maxLength: 5 }).map(([first, ...rest]) => [first ?? start, ...rest] as const)
  return fc.array(batch, { maxLength: 25 }).map((batches) => [[start], ...batches])
}
