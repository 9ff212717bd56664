import { assertNever } from '../../lib/assert-never.ts'
import type { SessionId, ToolCallId } from '../../lib/ids.ts'
import { NO_USAGE, partsText, tokensOf } from '../content.ts'
import type { AnyEnvelope, DurableEvent, Envelope } from '../events.ts'
import { foldNotice, foldStop, foldUnread, modelChangeNotice } from './fold-notice.ts'
import { type CallEvent, callItem, type Draft, findCall, foldCall, withoutUnfinishedCopy } from './fold-call.ts'
import { foldInput, hold } from './fold-input.ts'
import { foldLive } from './fold-live.ts'
import { foldRollback } from './fold-rollback.ts'
import { foldWorkflow, todosAfterWork } from './fold-workflow.ts'
import { runState } from './run-state.ts'
import { cleanName, endsWithQuestion } from '../session-title.ts'
import type { SessionState } from '../state.ts'

/** The state of a session before its first event. */
export function emptySession(sessionId: SessionId): SessionState {
  return {
    sessionId,
    cwd: '',
    config: { provider: 'anthropic', model: '', mode: 'ask', effort: null, baseUrl: null },
    parent: null,
    forkedFrom: null,
    title: '',
    requestTitle: '',
    run: 'IDLE',
    ended: null,
    turnEnd: null,
    failedCommand: null,
    startedAt: 0,
    updatedAt: 0,
    cursor: 0,
    steps: 0,
    answers: 0,
    usage: NO_USAGE,
    costUsd: null,
    context: 0,
    compactions: [],
    wholeWanted: false,
    rollbacks: [],
    moves: [],
    rollingBack: null,
    open: [],
    workflow: null,
    modeBefore: null,
    todos: [],
    queue: [],
    firstItem: 0,
    items: [],
    live: null,
  }
}

/**
 * Applies events to a state. The screen is a fold of the log, and the same function serves live view, replay, export and tests. The
 * function is pure: `state` is not changed. An event that was already applied (`seq` ≤ cursor) changes nothing, so a snapshot and later
 * events may overlap.
 */
export function fold(state: SessionState, ...envelopes: readonly AnyEnvelope[]): SessionState {
  return foldAll(state, envelopes)
}

/** `fold` for many events, in time linear in the number of events plus the number of items. */
export function foldAll(state: SessionState, envelopes: Iterable<AnyEnvelope>): SessionState {
  const draft: Draft = { ...state, items: state.items.slice() }
  for (const envelope of envelopes) {
    if (envelope.seq === null) foldLive(draft, envelope.event, envelope.at)
    else if (envelope.seq > draft.cursor) foldStored(draft, envelope)
  }
  return draft
}

function foldStored(draft: Draft, envelope: Envelope): void {
  draft.cursor = envelope.seq
  // A new name does not count as a recent change.
  if (envelope.event.kind !== 'SESSION_RENAMED') draft.updatedAt = envelope.at
  foldDurable(draft, envelope.event, envelope)
  draft.workflow = foldWorkflow(draft, envelope.event, envelope.at)
  draft.todos = todosAfterWork(draft.todos, draft.workflow)
  draft.run = runState(draft, envelope.event)
}

function foldDurable(draft: Draft, event: DurableEvent, { seq, at }: Envelope): void {
  const id = `e${seq}`
  switch (event.kind) {
    case 'SESSION_START':
      return begin(draft, event, at)
    case 'SESSION_CONFIGURED':
      if (event.was) draft.items.push({ kind: 'notice', id, at, level: 'info', trouble: modelChangeNotice(event.was, event) })
      return configure(draft, event)
    case 'SESSION_RENAMED':
      draft.title = cleanName(event.name) || draft.requestTitle
      return
    case 'USER_INPUT':
    case 'INPUT_QUEUED':
    case 'INPUT_WITHDRAWN':
    case 'STEERING_INJECTED':
      return foldInput(draft, event, { id, at })
    case 'ASSISTANT_TURN': {
      draft.live = null
      draft.ended = null
      draft.answers++
      const text = partsText(event.parts, 'text')
      const thinking = partsText(event.parts, 'thinking')
      if (text || thinking) draft.items.push({ kind: 'prose', id, at, text, thinking, complete: event.complete })
      return
    }
    case 'USAGE':
      draft.usage = event.total
      draft.costUsd = event.costUsd
      if (!event.beside) draft.context = tokensOf(event.turn)
      return
    case 'TOOL_CALL_START':
      draft.ended = null
      draft.items.push(callItem(draft, event, id, at))
      draft.open = [...draft.open, event.toolCallId]
      return
    case 'APPROVAL_REQUESTED':
    case 'APPROVAL_ANSWERED':
    case 'COPY_STARTED':
    case 'COPY_ENDED':
    case 'COPY_FAILED':
    case 'TOOL_EXECUTION_START':
      return updateCall(draft, event, at)
    case 'FILES_CHANGED':
      updateCall(draft, event, at)
      return foldUnread(draft, event.unread ?? [], { id, at })
    case 'TOOL_CALL_END':
      draft.open = draft.open.filter((open) => open !== event.toolCallId)
      return updateCall(draft, event, at)
    case 'PROCESSING_END':
      return foldTurnEnd(draft, event, { id, at, seq })
    case 'ROLLBACK_STARTED':
    case 'ROLLED_BACK':
    case 'CONVERSATION_MOVED':
      return foldRollback(draft, event, { id, at, seq })
    case 'TODOS_CHANGED':
      draft.todos = event.todos
      return
    case 'ERROR':
    case 'WARNING':
    case 'TURN_LIMIT':
    case 'COMPACTED':
    case 'COMPACTION_UNDONE':
    case 'HOOK_RAN':
      return foldNotice(draft, event, { id, at })
    case 'RETRY_REQUESTED':
      return endRetryWait(draft, at)
    case 'RESUME_REQUESTED':
      draft.ended = null
      return hold(draft, false)
    case 'SESSION_END':
    case 'STOP_REQUESTED':
    case 'REQUEST_CONTEXT':
    case 'LOOP_DETECTION':
    case 'CONTEXT_WARNING':
    case 'COMPACTION_REQUESTED':
      return
    default:
      assertNever(event, 'event')
  }
}

/** Ends the wait for a retry: the next attempt starts now, not at the end of its countdown. */
function endRetryWait(draft: Draft, at: number): void {
  const awaited = draft.live?.waitingFor
  if (draft.live && awaited?.retry) draft.live = { ...draft.live, waitingFor: { ...awaited, untilMs: at } }
}

function begin(draft: Draft, event: Extract<DurableEvent, { kind: 'SESSION_START' }>, at: number): void {
  draft.startedAt = at
  draft.cwd = event.cwd
  draft.parent = event.parent ?? null
  draft.forkedFrom = event.forkedFrom ?? null
  configure(draft, event)
}

function configure(draft: Draft, event: Extract<DurableEvent, { kind: 'SESSION_START' | 'SESSION_CONFIGURED' }>): void {
  const { provider, model, mode, effort, baseUrl, course } = event
  if (mode === 'plan' && draft.config.mode !== 'plan' && event.kind === 'SESSION_CONFIGURED') draft.modeBefore = draft.config.mode
  const isSame = provider === draft.config.provider && model === draft.config.model && effort === draft.config.effort
  if (event.kind === 'SESSION_CONFIGURED' && event.forTurn) draft.afterTurn = event.forTurn.back
  else if (!isSame) delete draft.afterTurn
  const where = event.kind === 'SESSION_START' ? event.where : draft.config.where
  draft.config = { provider, model, mode, effort, baseUrl, ...(course && { course }), ...(where && { where }) }
}

function asksAtEnd({ items }: Draft): boolean {
  const last = items.at(-1)
  return last?.kind === 'prose' && endsWithQuestion(last.text)
}

function foldTurnEnd(
  draft: Draft,
  event: Extract<DurableEvent, { kind: 'PROCESSING_END' }>,
  { id, at, seq }: { readonly id: string; readonly at: number; readonly seq: number },
): void {
  draft.live = null
  draft.ended = event.reason
  draft.turnEnd = { seq, asks: event.reason === 'completed' && (event.asks ?? asksAtEnd(draft)) }
  for (const toolCallId of draft.open) endUnfinishedCopy(draft, toolCallId)
  if (event.reason === 'stopped') foldStop(draft, { id, at }, event.withdrawn)
  hold(draft, true)
}

function endUnfinishedCopy(draft: Draft, toolCallId: ToolCallId): void {
  const index = findCall(draft.items, toolCallId)
  const item = draft.items[index]
  if (item?.kind === 'call') draft.items[index] = withoutUnfinishedCopy(item)
}

function updateCall(draft: Draft, event: CallEvent, at: number): void {
  const index = findCall(draft.items, event.toolCallId)
  const item = draft.items[index]
  if (item?.kind === 'call') draft.items[index] = foldCall(item, event, at)
}
