import { isDeepStrictEqual } from 'node:util'
import type { RunningWork } from '../../shared/api/app.ts'
import type { SessionListItem, SessionSummary } from '../../shared/api/sessions.ts'
import { type Disposable, disposable } from '../../shared/lib/disposable.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { PersonTerminals } from '../terminals/person-terminals.ts'
import type { Terminals } from '../terminals/terminals.ts'
import type { Store } from '../store/store.ts'
import type { Sessions } from './sessions.ts'

/** The parts of the app that know what runs and what waits. */
export interface WorkParts {
  readonly sessions: Pick<Sessions, 'list'>
  readonly store: Pick<Store, 'sessions'>
  readonly terminals: Pick<Terminals, 'status' | 'onStatus'>
}

/** What closing the app would end: turns and commands of this process, and commands in the user's own terminals. */
export function runningWork({ store, terminals }: WorkParts, own: PersonTerminals): readonly RunningWork[] {
  const titleOf = (id: SessionId): string => store.sessions.get(id)?.title || 'New session'
  const turns = store.sessions.list().filter(({ run, running, parent }) => run === 'PROCESSING' && running && parent === null)
  const inTurns = new Set(turns.map(({ sessionId }) => sessionId))
  // A command of a running turn ends with the turn, so it is not named again.
  const commands = terminals.status().filter(({ runs, sessionId }) => runs && !inTurns.has(sessionId))
  return [
    ...turns.map(({ sessionId }) => ({ title: titleOf(sessionId), what: 'a turn' }) as const),
    ...commands.map(({ sessionId }) => ({ title: titleOf(sessionId), what: 'a command' }) as const),
    ...own.working().map((sessionId) => ({ title: titleOf(sessionId), what: 'your terminal' }) as const),
  ]
}

/**
 * Calls the listener whenever a turn, a command of an agent or one of the user's own terminals begins or ends, with whether any turn or
 * command still runs. A turn that waits for the user does not run.
 */
export function followActivity(
  { sessions, terminals }: WorkParts,
  own: Pick<PersonTerminals, 'onStatus'>,
  listener: (isBusy: boolean) => void,
): Disposable {
  const busy = new Set<SessionId>()
  const tell = (): void => listener(busy.size > 0 || terminals.status().some(({ runs }) => runs))
  const commands = terminals.onStatus(tell)
  const shells = own.onStatus(tell)
  const turns = follow(sessions, (item) => {
    if (item.kind === 'all') return
    const sessionId = item.kind === 'changed' ? item.session.sessionId : item.sessionId
    const isBusy = item.kind === 'changed' && item.session.run === 'PROCESSING' && item.session.running
    if (isBusy === busy.has(sessionId)) return
    if (isBusy) busy.add(sessionId)
    else busy.delete(sessionId)
    tell()
  })
  return disposable(() => {
    turns.dispose()
    commands.dispose()
    shells.dispose()
  })
}

/** Calls the listener with the number of sessions that have an open request, at once and after each change of the number. */
export function followNeeds({ sessions }: WorkParts, listener: (count: number) => void): Disposable {
  const waiting = new Set<SessionId>()
  let told = -1
  return follow(sessions, (item) => {
    if (item.kind === 'removed') waiting.delete(item.sessionId)
    for (const { sessionId, need } of sessionsIn(item)) {
      if (need === null) waiting.delete(sessionId)
      else waiting.add(sessionId)
    }
    if (waiting.size === told) return
    told = waiting.size
    listener(told)
  })
}

/** Calls the listener with at most `most` folders of the newest sessions, newest first, at once and after each change. */
export function followFolders({ sessions }: WorkParts, most: number, listener: (folders: readonly string[]) => void): Disposable {
  const started = new Map<SessionId, SessionSummary>()
  let told: readonly string[] | null = null
  return follow(sessions, (item) => {
    if (item.kind === 'removed') started.delete(item.sessionId)
    for (const session of sessionsIn(item)) started.set(session.sessionId, session)
    const newest = [...started.values()].toSorted((one, other) => other.startedAt - one.startedAt)
    const folders = [...new Set(newest.map(({ folder }) => folder))].slice(0, most)
    if (isDeepStrictEqual(folders, told)) return
    told = folders
    listener(folders)
  })
}

/** Calls the listener with the list of sessions and each change of it. */
export function follow(sessions: Pick<Sessions, 'list'>, onItem: (item: SessionListItem) => void): Disposable {
  const stop = new AbortController()
  void followAll()
  return disposable(() => stop.abort())

  async function followAll(): Promise<void> {
    for await (const item of sessions.list(stop.signal)) {
      if (stop.signal.aborted) return
      onItem(item)
    }
  }
}

function sessionsIn(item: SessionListItem): readonly SessionSummary[] {
  if (item.kind === 'removed') return []
  return item.kind === 'all' ? item.sessions : [item.session]
}
