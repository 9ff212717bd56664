import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SettingsState } from '../../../shared/api/settings.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { Connection } from './connection.ts'

/** The settings as main knows them; null until the first answer. Keys are never among them (D-56). */
export function followSettings(
  connection: Connection,
): { readonly store: StoreApi<{ readonly settings: SettingsState | null }> } & Disposable {
  const store = createStore<{ readonly settings: SettingsState | null }>(() => ({ settings: null }))
  const subscription = connection.keep(async (client, signal) => {
    for await (const settings of client.settings.watch({}, signal)) store.setState({ settings })
  })
  return { store, dispose: () => subscription.dispose() }
}
