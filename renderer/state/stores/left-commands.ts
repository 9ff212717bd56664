import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LeftCommand } from '../../../shared/api/app.ts'
import type { Connection } from './connection.ts'

export interface LeftCommands {
  readonly offered: readonly LeftCommand[]
}

/** What a Countersign that was killed left running, as long as nobody has decided about it. */
export function followLeftCommands(connection: Connection): StoreApi<LeftCommands> {
  const store = createStore<LeftCommands>(() => ({ offered: [] }))
  connection.keep(async (client, signal) => {
    for await (const offered of client.app.leftCommands({}, signal)) store.setState({ offered })
  })
  return store
}
