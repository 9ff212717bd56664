import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Disposable } from '../../shared/lib/disposable.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { SessionSummary } from '../../shared/api/sessions.ts'
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

/** Those that need their person first, oldest need first; then by project, the project touched last at the top, newest session first. */
export function groupSessions(sessions: Iterable<SessionSummary>): {
  readonly needs: readonly SessionSummary[]
  readonly projects: readonly ProjectGroup[]
} {
  const all = [...sessions].sort((a, b) => b.updatedAt - a.updatedAt)
  const needs = all.filter((session) => session.need !== null).reverse()
  const projects = Map.groupBy(
    all.filter((session) => session.need === null),
    (session) => session.folder,
  )
  return { needs, projects: [...projects].map(([folder, list]) => ({ folder, name: nameOf(folder), sessions: list })) }
}

/** Last part of a path, of either kind of slash. */
export function nameOf(folder: string): string {
  return folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder
}
