import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Hello, StorageHealth } from '../../../shared/api/app.ts'
import type { Connection } from './connection.ts'

export interface AppState {
  /** Null until main has answered. */
  readonly hello: Hello | null
  readonly health: StorageHealth | null
}

/** What runs us and whether it saves what happens. */
export function followApp(connection: Connection): StoreApi<AppState> {
  const store = createStore<AppState>(() => ({ hello: null, health: null }))
  connection.keep(async (client, signal) => {
    store.setState({ hello: await client.app.hello({}) })
    for await (const health of client.app.health({}, signal)) store.setState({ health })
  })
  return store
}
