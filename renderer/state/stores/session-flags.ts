import { createStore, type StoreApi } from 'zustand/vanilla'
import type { TranscriptSource } from '../../../shared/api/transfer.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'

/** Which sessions are pinned, archived, or forks. Main stores this for every window. */
export interface Flags {
  readonly pinned: ReadonlySet<SessionId>
  readonly archived: ReadonlySet<SessionId>
  /** The session from which each fork was made, by the fork's id. */
  readonly forks: ReadonlyMap<string, SessionId>
  /** The program that each imported session comes from, by session id. */
  readonly imported: ReadonlyMap<string, TranscriptSource>
}

export function followSessionFlags(connection: Connection): StoreApi<Flags> {
  const store = createStore<Flags>(() => ({ pinned: new Set(), archived: new Set(), forks: new Map(), imported: new Map() }))
  connection.keep(async (client, signal) => {
    for await (const { pinned, archived, forks, imported } of client.sessions.flags({}, signal))
      store.setState({
        pinned: new Set(pinned),
        archived: new Set(archived),
        forks: new Map(Object.entries(forks)),
        imported: new Map(Object.entries(imported)),
      })
  })
  return store
}
