import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Hello, LeftCommand, QuitQuestion, StorageHealth, SystemTrouble } from '../../../shared/api/app.ts'
import type { UpdateState } from '../../../shared/api/updates.ts'
import type { DoctorState } from '../../../shared/api/doctor.ts'
import type { McpState } from '../../../shared/api/mcp.ts'
import type { LostMachine } from '../../../shared/places/places-api.ts'
import type { Connection } from './connection.ts'
import type { SettingsState } from '../../../shared/api/settings.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'

export interface AppState {
  /** Null while loading. */
  readonly hello: Hello | null
  readonly health: StorageHealth | null
}

/** Facts about the shell, and whether events are being saved. */
export function followApp(connection: Connection): StoreApi<AppState> {
  const store = createStore<AppState>(() => ({ hello: null, health: null }))
  connection.keep(async (client, signal) => {
    store.setState({ hello: await client.app.hello({}) })
    for await (const health of client.app.health({}, signal)) store.setState({ health })
  })
  return store
}

/** Problems with the operating system, such as notifications that it refuses. */
export function followSystem(connection: Connection): StoreApi<{ readonly troubles: readonly SystemTrouble[] }> {
  const store = createStore<{ readonly troubles: readonly SystemTrouble[] }>(() => ({ troubles: [] }))
  connection.keep(async (client, signal) => {
    for await (const troubles of client.app.systemTroubles({}, signal)) store.setState({ troubles })
  })
  return store
}

/** The machines to which the connection is lost. */
export function followLostPlaces(connection: Connection): StoreApi<{ readonly lost: readonly LostMachine[] }> {
  const store = createStore<{ readonly lost: readonly LostMachine[] }>(() => ({ lost: [] }))
  connection.keep(async (client, signal) => {
    for await (const lost of client.places.lost({}, signal)) store.setState({ lost })
  })
  return store
}

/** The question before the app quits. Null if nothing is asked. */
export function followQuitQuestion(connection: Connection): StoreApi<{ readonly question: QuitQuestion | null }> {
  const store = createStore<{ readonly question: QuitQuestion | null }>(() => ({ question: null }))
  connection.keep(async (client, signal) => {
    for await (const question of client.app.quitQuestion({}, signal)) store.setState({ question })
  })
  return store
}

/** New versions of the desktop app. Null while loading. */
export function followUpdates(connection: Connection): StoreApi<{ readonly state: UpdateState | null }> {
  const store = createStore<{ readonly state: UpdateState | null }>(() => ({ state: null }))
  connection.keep(async (client, signal) => {
    for await (const state of client.updates.state({}, signal)) store.setState({ state })
  })
  return store
}

export interface LeftCommands {
  readonly offered: readonly LeftCommand[]
}

/** Commands that kept running after Countersign was killed and that wait for a decision. */
export function followLeftCommands(connection: Connection): StoreApi<LeftCommands> {
  const store = createStore<LeftCommands>(() => ({ offered: [] }))
  connection.keep(async (client, signal) => {
    for await (const offered of client.app.leftCommands({}, signal)) store.setState({ offered })
  })
  return store
}

/** The last check of what is stored, and whether a check is running. Null while loading. */
export function followDoctor(connection: Connection): StoreApi<{ readonly doctor: DoctorState | null }> {
  const store = createStore<{ readonly doctor: DoctorState | null }>(() => ({ doctor: null }))
  connection.keep(async (client, signal) => {
    for await (const doctor of client.doctor.state({}, signal)) store.setState({ doctor })
  })
  return store
}

/** The MCP servers of the open folders. Null while loading. */
export function followMcp(connection: Connection): StoreApi<{ readonly mcp: McpState | null }> {
  const store = createStore<{ readonly mcp: McpState | null }>(() => ({ mcp: null }))
  connection.keep(async (client, signal) => {
    for await (const mcp of client.mcp.watch({}, signal)) store.setState({ mcp })
  })
  return store
}

/** The settings, without API keys. Null while loading. */
export function followSettings(
  connection: Connection,
): { readonly store: StoreApi<{ readonly settings: SettingsState | null }> } & Disposable {
  const store = createStore<{ readonly settings: SettingsState | null }>(() => ({ settings: null }))
  const subscription = connection.keep(async (client, signal) => {
    for await (const settings of client.settings.watch({}, signal)) store.setState({ settings })
  })
  return { store, dispose: () => subscription.dispose() }
}
