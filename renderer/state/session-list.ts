import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'

export interface SessionList {
  /** False until the first answer: an empty list means "none" only afterwards. */
  readonly known: boolean
  readonly sessions: ReadonlyMap<SessionId, SessionSummary>
}

/** All sessions of the store with their live state, whichever process runs them. */
export function followSessionList(connection: Connection): { readonly store: StoreApi<SessionList> } & Disposable {
  const store = createStore<SessionList>(() => ({ known: false, sessions: new Map() }))
  const subscription = connection.keep(async (client, signal) => {
    for await (const item of client.sessions.list({}, signal)) {
      if (item.kind === 'all') store.setState({ known: true, sessions: new Map(item.sessions.map((one) => [one.sessionId, one])) })
      else store.setState(({ sessions }) => ({ sessions: new Map(sessions).set(item.session.sessionId, item.session) }))
    }
  })
  return { store, dispose: () => subscription.dispose() }
}

export interface ProjectGroup {
  readonly folder: string
  readonly name: string
  readonly sessions: readonly SessionSummary[]
}

/**
 * The persons' sessions by project, without subagents: what runs first, in the order of its start, so that no row moves while others work; below it the newest. The project
 * whose first session is first comes first.
 */
export function groupByProject(sessions: Iterable<SessionSummary>): readonly ProjectGroup[] {
  const groups = Map.groupBy([...sessions].filter(({ parent }) => parent === null).sort(byRest), (session) => session.folder)
  return [...groups].map(([folder, list]) => ({ folder, name: nameOf(folder), sessions: list }))
}

function byRest(a: SessionSummary, b: SessionSummary): number {
  const [aRuns, bRuns] = [isBusy(a), isBusy(b)]
  if (aRuns !== bRuns) return aRuns ? -1 : 1
  return aRuns ? b.startedAt - a.startedAt : b.updatedAt - a.updatedAt
}

/** A turn of it is under way, in whichever process. */
export function isBusy({ run }: SessionSummary): boolean {
  return run === 'PROCESSING' || run === 'AWAITING_INPUT'
}

/** Last part of a path, of either kind of slash. */
export function nameOf(folder: string): string {
  return folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder
}
