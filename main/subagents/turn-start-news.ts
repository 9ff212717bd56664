import type { SessionId } from '../../shared/lib/ids.ts'
import type { DurableEvent, Envelope, Trouble } from '../../shared/session/events.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { isFinished } from '../../shared/session/fold/run-state.ts'
import type { EventLog } from '../agent/ports/event-log.ts'
import type { SessionRecord } from '../agent/record/session-record.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { Children } from './children.ts'
import type { ShownNotices } from '../sessions/shown-notices.ts'
import { whyEnded } from './subagent-report.ts'

/**
 * Returns the events that a session gets when a request begins, each only once, even across restarts: an event that tells the agent about
 * each subagent that has ended, unless the session already has its result, and warnings that tell the user which files could not be used.
 * Minor problems are reported in only one session.
 */
export type News = (record: SessionRecord) => Promise<readonly DurableEvent[]>

export interface NewsParts {
  readonly children: Pick<Children, 'ids' | 'attend'>
  readonly store: Pick<SessionStore, 'ledger' | 'log'>
  readonly troubles: readonly Trouble[]
  /** If absent, every session gets every notice. */
  readonly seen?: ShownNotices | undefined
}

export function createNews({ children, store, troubles: all, seen }: NewsParts): News {
  const troubles = gathered(all)
  let reported: Reported | null = null
  return async (record) => {
    if (children.ids().length === 0 && troubles.length === 0) return []
    reported ??= reportedIn(record, seen)
    const { warnings, received } = reported
    const isNew = (trouble: Trouble): boolean => !warnings.has(trouble.what) && !(isSmall(trouble) && seen?.has(trouble.what))
    const warned = troubles.filter(isNew).map((trouble) => ({ kind: 'WARNING', trouble }) as const)
    await children.attend()
    const ended = children.ids().flatMap((id) => {
      const state = store.ledger.snapshot(id, 1)
      const known = received.get(id) ?? -1
      if (!state || !isFinished(state) || known >= state.cursor) return []
      const seq = endIn(store.log(id))
      // Events after the end of the subagent are not news and need not be read again.
      received.set(id, state.cursor)
      return seq === null || known > seq ? [] : [endedWords(state, seq)]
    })
    return [...warned, ...ended]
  }
}

const NOT_USED = 'not_used'

/** Whether the only problem is that an entry of a file has no effect here. Settings list these entries too. */
const isSmall = ({ code }: Trouble): boolean => code === 'agent_file' || code === 'hook_unused' || code === NOT_USED

/** Merges minor problems into one notice, so that they do not hide the answer. */
function gathered(troubles: readonly Trouble[]): readonly Trouble[] {
  const small = troubles.filter(isSmall)
  if (small.length < 2) return troubles
  const notice: Trouble = {
    code: NOT_USED,
    what: `${small.length} entries in your files do not take effect as written.\n${small.map(({ what }) => what).join('\n')}`,
    kept: 'The files are unchanged, and everything else in them is used.',
    todo: 'In Settings, the pages “Hooks” and “Commands and agents” list what is used.',
  }
  return [...troubles.filter((trouble) => !isSmall(trouble)), notice]
}

interface Reported {
  readonly warnings: Set<string>
  /** The newest event that informed the session about each subagent. */
  readonly received: Map<SessionId, number>
}

function reportedIn(record: SessionRecord, seen: ShownNotices | undefined): Reported {
  const reported: Reported = { warnings: new Set(), received: new Map() }
  const hear = ({ seq, event }: Pick<Envelope, 'seq' | 'event'>): void => {
    if (event.kind === 'WARNING') reported.warnings.add(event.trouble.what)
    const id = subjectOf(event)
    if (id !== null) reported.received.set(id, Math.max(seq, reported.received.get(id) ?? -1))
  }
  record.subscribe(({ seq, event }) => {
    if (seq === null) return
    hear({ seq, event })
    // The notice is recorded as seen only now that it is in the log, because a turn may end before the session gets the notice.
    if (event.kind === 'WARNING' && isSmall(event.trouble)) seen?.add(event.trouble.what)
  })
  for (const envelope of record.read()) hear(envelope)
  return reported
}

const MARK = 'ended:'

/** The subagent whose end this event reports; null if there is none. */
function subjectOf(event: DurableEvent): SessionId | null {
  if (event.kind === 'STEERING_INJECTED' && event.inputId.startsWith(MARK)) return event.inputId.split(':')[1] as SessionId
  if (event.kind !== 'TOOL_CALL_END') return null
  const { details } = event
  if (typeof details !== 'object' || details === null || !('agentId' in details) || !('status' in details)) return null
  return details.status === 'running' ? null : (details.agentId as SessionId)
}

/** The seq of the session's newest end; null if the session has never ended. */
function endIn(log: EventLog): number | null {
  let end: number | null = null
  for (const { seq, event } of log.read()) if (event.kind === 'PROCESSING_END') end = seq
  return end
}

function endedWords(state: SessionState, seq: number): DurableEvent {
  const { sessionId, parent } = state
  const how = state.ended === 'completed' ? 'it completed its task.' : whyEnded(state)
  const text = `The ${parent?.agentType ?? ''} subagent ${sessionId} that you started has ended: ${how} Use wait to get its report.`
  return { kind: 'STEERING_INJECTED', inputId: `${MARK}${sessionId}:${seq}`, text, by: 'loop' }
}
