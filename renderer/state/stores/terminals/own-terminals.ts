import { createStore, type StoreApi } from 'zustand/vanilla'
import type { OwnTerminal } from '../../../../shared/api/terminals.ts'
import type { Connection } from '../connection.ts'

export interface OwnTerminals {
  /** Whether main has sent the terminals. Until then, an empty list does not mean that there are none. */
  readonly known: boolean
  readonly all: readonly OwnTerminal[]
}

/** The user's own terminals. */
export function followOwnTerminals(connection: Connection): StoreApi<OwnTerminals> {
  const store = createStore<OwnTerminals>(() => ({ known: false, all: [] }))
  connection.keep(async (client, signal) => {
    for await (const all of client.terminals.own({}, signal)) store.setState({ known: true, all })
  })
  return store
}
