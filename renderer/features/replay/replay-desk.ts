import type { StoreApi } from 'zustand/vanilla'
import type { AppClient } from '../../../shared/api/contract.ts'
import { disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ChangedFile } from '../../../shared/session/fold/changed-files.ts'
import type { Desk } from '../../state/desk.ts'
import type { OpenSession, SessionStore } from '../../state/stores/session-store.ts'

/** What the window shows at one moment of a replay. */
export interface ReplayedSession extends OpenSession {
  /** The files that the session had changed up to this moment. */
  readonly files: readonly ChangedFile[]
}

const refused = (): Promise<never> => Promise.reject(new Error('A replay changes nothing.'))

/**
 * A desk that shows one session at one moment: every component that reads the session sees its state at that moment. The only requests to
 * main that this desk allows are reads of stored texts and terminals, so nothing in a replay can change anything.
 */
export function replayDesk(desk: Desk, sessionId: SessionId, store: StoreApi<ReplayedSession>, list: Desk['list']): Desk {
  const replayed: SessionStore = {
    store,
    loadOlder: () => Promise.resolve(),
    dropOlder: () => {},
    forgetReset: () => {},
    ...disposable(() => {}),
  }
  const connection = Object.create(desk.connection, {
    client: { get: () => desk.connection.client && onlyReading(desk.connection.client, store) },
    keep: {
      value: (subscription: Parameters<Desk['connection']['keep']>[0]) =>
        desk.connection.keep((client, signal) => subscription(onlyReading(client, store), signal)),
    },
  }) as Desk['connection']
  return Object.create(desk, {
    connection: { value: connection },
    list: { value: list },
    session: { value: (id: SessionId) => (id === sessionId ? replayed : desk.session(id)) },
  }) as Desk
}

function onlyReading(client: AppClient, store: StoreApi<ReplayedSession>): AppClient {
  const { changes, terminals } = client
  const reads = {
    changes: { blob: changes.blob.bind(changes), list: () => Promise.resolve({ files: store.getState().files, subagents: [] }) },
    terminals: { attach: terminals.attach.bind(terminals), ack: terminals.ack.bind(terminals) },
  }
  return new Proxy(client, {
    get: (_, name) => {
      const known = name === 'changes' || name === 'terminals' ? reads[name] : {}
      return new Proxy(known, { get: (target, method): unknown => Reflect.get(target, method) ?? refused })
    },
  })
}
