import type { SessionSummary } from '../../shared/api/sessions.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { type ApprovalMode, stricterMode } from '../../shared/session/settings/approval-mode.ts'
import type { ParentLink, SessionEvent } from '../../shared/session/events.ts'
import { isFinished } from '../../shared/session/fold/run-state.ts'
import { NOTHING_SPENT, type Spent } from './subagent-budget.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { spentByChildren } from './family-budget.ts'

export interface ChildrenParts {
  readonly parent: Pick<SessionSummary, 'sessionId' | 'folder' | 'parent'>
  readonly store: Pick<SessionStore, 'sessions' | 'ledger' | 'log'>
  /** Called on first use, because the two depend on each other: `Sessions` opens the session to which these parts belong. */
  sessions(): Sessions
}

/** The subagents of one session, including those of earlier processes. */
export interface Children {
  ids(): readonly SessionId[]
  link(id: string): ParentLink | null
  add(id: SessionId, link: ParentLink): void
  remove(id: SessionId): void
  /** The failure is a sentence for the model. */
  open(agentId: string): Promise<Result<OpenedSession, string>>
  /**
   * Opens the subagents that have not finished, so that they and the parent get each other's later events, and what a dead process left
   * behind is cleaned up.
   */
  attend(): Promise<void>
  /** The parent session; null while everything is closing. */
  parent(): Promise<OpenedSession | null>
  /** Whether any subagent that is open in this process has work to do. */
  isAtWork(): boolean
  /** The amount spent by all subagents, including what running ones have reserved. */
  spent(): Spent
}

interface Child {
  readonly link: ParentLink
  /** The session if this process has opened it; null if not yet. */
  opened: OpenedSession | null
  isNew: boolean
}

/** `onRest` is called whenever a subagent has finished. */
export function createChildren({ parent, store, sessions }: ChildrenParts, onRest: (id: SessionId) => void): Children {
  const children = new Map<SessionId, Child>()
  for (const { sessionId, parent: link } of store.sessions.subagentsOf(parent.sessionId))
    children.set(sessionId, { link, opened: null, isNew: false })
  let watched: OpenedSession | null = null

  const ownSession = async (): Promise<OpenedSession | null> => {
    const own = await sessions().open(parent.sessionId)
    if (!own.ok) return null
    if (watched !== own.value) own.value.record.subscribe(({ event }) => obey([...children.values()], event))
    watched = own.value
    return own.value
  }
  const attend = (child: Child, session: OpenedSession): void => {
    const { sessionId, record } = session
    const tell = (event: SessionEvent): void => watched?.record.publish({ kind: 'SUBAGENT_EVENT', subagentId: sessionId, event })
    // Events that are already in the log of a new subagent are also published.
    if (child.isNew) for (const { event } of record.read()) tell(event)
    child.isNew = false
    child.opened = session
    record.subscribe(({ event, seq }) => {
      // Live events are not passed on, except those that report events of the subagent's own subagents.
      if (seq !== null || event.kind === 'SUBAGENT_EVENT') tell(event)
      if (isFinished(record.state())) onRest(sessionId)
    })
  }
  const open = async (agentId: string): Promise<Result<OpenedSession, string>> => {
    const id = SessionId.safeParse(agentId)
    const child = id.success ? children.get(id.data) : undefined
    if (!id.success || !child) return failed(`There is no subagent ${agentId}. Known ids: ${[...children.keys()].join(', ') || 'none'}.`)
    await ownSession()
    const session = await sessions().open(id.data)
    if (!session.ok) return failed(session.failure.what)
    if (child.opened !== session.value) attend(child, session.value)
    return ok(session.value)
  }
  return {
    ids: () => [...children.keys()],
    link: (id) => children.get(id as SessionId)?.link ?? null,
    add: (id, link) => void children.set(id, { link, opened: null, isNew: true }),
    remove: (id) => void children.delete(id),
    open,
    async attend() {
      const busy = [...children.keys()].filter((id) => {
        const state = store.ledger.snapshot(id, 1)
        return state !== null && !isFinished(state)
      })
      await Promise.all(busy.map(open))
    },
    parent: ownSession,
    isAtWork: () => [...children.values()].some(({ opened }) => opened !== null && !isFinished(opened.record.state())),
    spent: () => (children.size === 0 ? NOTHING_SPENT : spentByChildren(store, parent.sessionId)),
  }
}

type OwnEvent = Parameters<Parameters<OpenedSession['record']['subscribe']>[0]>[0]['event']

/**
 * Stops all subagents if the parent's turn is stopped. If the parent's mode becomes stricter, subagents in a less strict mode get the
 * parent's mode.
 */
function obey(children: readonly Child[], event: OwnEvent): void {
  for (const { opened } of children) {
    if (event.kind === 'PROCESSING_END' && event.reason === 'stopped') void opened?.stop()
    if (event.kind === 'SESSION_CONFIGURED' && opened && isAbove(opened.record.state().config.mode, event.mode))
      void opened.configure({ mode: event.mode })
  }
}

const isAbove = (mode: ApprovalMode, other: ApprovalMode): boolean => stricterMode(mode, other) !== mode
