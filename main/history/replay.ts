import { partsText } from '../../shared/session/content.ts'
import {
  type AgentMoment,
  type ReplayMoment,
  type ReplayOutline,
  REPLAY_ITEMS,
  type ReplayStop,
  type ReplayStopKind,
  type ReplayTurn,
} from '../../shared/api/replay.ts'
import type { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../shared/session/events.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { changedFiles } from '../../shared/session/fold/changed-files.ts'
import type { CallItem, Item, SessionState } from '../../shared/session/state.ts'
import { messageAsTyped } from '../../shared/session/person-message.ts'
import { emptyProjection, project, rowOf, summaryOf } from '../store/log/projection.ts'
import type { EventRange } from '../store/log/event-reader.ts'

interface Recorded {
  readonly envelope: Envelope
  readonly step: number
}

export interface RecordedEvents {
  /** Events in order, one batch at a time. */
  stored(sessionId: SessionId, range: EventRange): Iterable<readonly Recorded[]>
  count(sessionId: SessionId): number
  /** All subagents below a session. */
  agents(sessionId: SessionId): readonly SessionId[]
}

export interface Replay {
  outline(sessionId: SessionId): ReplayOutline
  moment(sessionId: SessionId, seq: number): ReplayMoment
}

/** Number of events between two cached states. Reading this many events takes 40 ms if each has an output of 60 KB. */
const KEEP_EVERY = 100
/**
 * Number of characters at the end of an output that a replayed state keeps: as many as the ledger shows. The full output is in the terminal
 * view of the command.
 */
const OUTPUT_CHARS = 4_000
const TITLE_CHARS = 200

/**
 * Rebuilds past states of sessions with the same fold that makes the live screen. Caches states of one session, so that a jump has to
 * fold few events.
 */
export function createReplay(events: RecordedEvents): Replay {
  let kept: { readonly sessionId: SessionId; readonly states: SessionState[] } | null = null
  const statesOf = (sessionId: SessionId): SessionState[] => {
    if (kept?.sessionId !== sessionId) kept = { sessionId, states: [emptySession(sessionId)] }
    return kept.states
  }
  return {
    outline: (sessionId) => outlineOf(sessionId, events),
    moment(sessionId, seq) {
      const states = statesOf(sessionId)
      let state = states.findLast(({ cursor }) => cursor <= seq) ?? emptySession(sessionId)
      let newest = states.at(-1)?.cursor ?? 0
      let waiting: Envelope[] = []
      for (const batch of events.stored(sessionId, { after: state.cursor, to: seq })) {
        waiting = [...waiting, ...batch.map(({ envelope }) => envelope)]
        if (waiting.length < KEEP_EVERY) continue
        state = withShortOutputs(foldAll(state, waiting))
        waiting = []
        if (state.cursor <= newest) continue
        states.push(state)
        newest = state.cursor
      }
      return momentOf(withShortOutputs(foldAll(state, waiting)))
    },
  }
}

/** Shortens outputs, so that a long session needs little memory and a state is small when it is sent to the window. */
function withShortOutputs(state: SessionState): SessionState {
  const isLong = (item: Item): item is CallItem => item.kind === 'call' && item.output.length > OUTPUT_CHARS
  if (!state.items.some(isLong)) return state
  const short = (item: Item): Item => (isLong(item) ? { ...item, output: `…${item.output.slice(-OUTPUT_CHARS + 1)}` } : item)
  return { ...state, items: state.items.map(short) }
}

function momentOf(state: SessionState): ReplayMoment {
  const firstItem = Math.max(state.firstItem, state.firstItem + state.items.length - REPLAY_ITEMS)
  const files = changedFiles(state.items.filter((item) => (item.kind === 'call' || item.kind === 'rollback') && item.files.length > 0))
  return { state: { ...state, firstItem, items: state.items.slice(-REPLAY_ITEMS) }, files }
}

/** Events that start a turn, or continue it after its end. */
const CONTINUES: ReadonlySet<DurableEvent['kind']> = new Set(['USER_INPUT', 'RESUME_REQUESTED', 'REQUEST_CONTEXT', 'ASSISTANT_TURN'])

type OpenTurn = { -readonly [key in keyof ReplayTurn]: ReplayTurn[key] }

function outlineOf(sessionId: SessionId, events: RecordedEvents): ReplayOutline {
  const stops: ReplayStop[] = []
  const turns: OpenTurn[] = []
  const asked = new Map<ToolCallId, number>()
  const started = new Map<ToolCallId, number>()
  let readable = 0
  let step = 0
  let runningSince: number | null = null
  for (const batch of events.stored(sessionId, { after: 0, slimTo: Number.MAX_SAFE_INTEGER })) {
    for (const { envelope, step: stepNow } of batch) {
      const { seq, at, event } = envelope
      readable++
      if (event.kind === 'USER_INPUT') turns.push(turnOf(seq, at, messageAsTyped(event), step))
      if (CONTINUES.has(event.kind)) runningSince ??= at
      step = stepNow
      const kind = stopKind(event)
      if (kind) stops.push({ seq, at, kind, step })
      const turn = turns.at(-1)
      if (!turn) continue
      turn.stepsAfter = step
      if (runningSince !== null) turn.tookMs += at - Math.max(runningSince, turn.at)
      runningSince = runningSince === null || event.kind === 'PROCESSING_END' ? null : at
      addWaits(turn, event, at, { asked, started })
    }
  }
  for (const turn of turns) turn.modelMs = Math.max(0, turn.tookMs - turn.personMs - turn.commandMs)
  const agents = events.agents(sessionId).map((id) => ({ sessionId: id, moments: momentsOf(id, events) }))
  return { agents, stops, turns, readable, events: events.count(sessionId) }
}

/** When a subagent began, waited and ended, and what it had spent at each of these moments. */
function momentsOf(sessionId: SessionId, events: RecordedEvents): readonly AgentMoment[] {
  const moments: AgentMoment[] = []
  let projection = emptyProjection(sessionId)
  for (const batch of events.stored(sessionId, { after: 0, slimTo: Number.MAX_SAFE_INTEGER }))
    for (const { envelope } of batch) {
      projection = project(projection, envelope).after
      const { run, ended, need, spent } = summaryOf(rowOf(projection), false)
      const last = moments.at(-1)
      if (last?.run !== run || last.ended !== ended || last.need !== need)
        moments.push({ seq: envelope.seq, at: envelope.at, run, ended, need, spent })
    }
  return moments
}

function turnOf(seq: number, at: number, words: string, step: number): OpenTurn {
  const title = words.trim().slice(0, TITLE_CHARS)
  return { seq, at, title, stepsBefore: step, stepsAfter: step, tookMs: 0, answers: 0, personMs: 0, modelMs: 0, commandMs: 0 }
}

interface Open {
  readonly asked: Map<ToolCallId, number>
  readonly started: Map<ToolCallId, number>
}

function addWaits(turn: OpenTurn, event: DurableEvent, at: number, { asked, started }: Open): void {
  switch (event.kind) {
    case 'APPROVAL_REQUESTED':
      asked.set(event.toolCallId, at)
      return
    case 'APPROVAL_ANSWERED': {
      const waited = at - (asked.get(event.toolCallId) ?? at)
      turn.personMs += waited
      asked.delete(event.toolCallId)
      const running = started.get(event.toolCallId)
      // A command in a copy does not run while it waits for an answer about a host, so the wait does not count as its running time.
      if (running !== undefined) started.set(event.toolCallId, running + waited)
      if (event.answer.kind !== 'withdrawn') turn.answers++
      return
    }
    case 'COPY_STARTED':
    case 'TOOL_EXECUTION_START':
      started.set(event.toolCallId, at)
      return
    case 'COPY_ENDED':
    case 'COPY_FAILED':
    case 'TOOL_CALL_END':
      turn.commandMs += at - (started.get(event.toolCallId) ?? at)
      started.delete(event.toolCallId)
      return
    default:
  }
}

/** Null if the replay does not stop at the event, because the event changes nothing on the screen that a user would want to see. */
function stopKind(event: DurableEvent): ReplayStopKind | null {
  switch (event.kind) {
    case 'USER_INPUT':
      return 'you'
    case 'STEERING_INJECTED':
      return event.by === 'person' ? 'you' : null
    case 'ASSISTANT_TURN':
      return partsText(event.parts, 'text').trim() === '' ? null : 'answer'
    case 'APPROVAL_REQUESTED':
      return 'asks'
    case 'APPROVAL_ANSWERED':
      return event.answer.kind === 'withdrawn' ? null : event.answer.kind
    case 'TOOL_CALL_END':
      // The replay has already stopped at the answer that refused the call.
      return event.outcome === 'refused' ? null : event.outcome === 'done' ? 'done' : 'failed'
    case 'ROLLED_BACK':
    case 'CONVERSATION_MOVED':
      return 'undone'
    case 'ERROR':
    case 'WARNING':
    case 'LOOP_DETECTION':
    case 'TURN_LIMIT':
      return 'trouble'
    default:
      return null
  }
}
