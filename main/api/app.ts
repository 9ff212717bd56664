import { homedir } from 'node:os'
import type { StorageHealth } from '../../shared/api/app.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import { DisposableStore } from '../../shared/lib/disposable.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Host } from '../host.ts'
import type { Store } from '../store/store.ts'
import type { Leftovers } from '../leftovers.ts'
import { latest } from './latest.ts'

export interface AppHandlerParts {
  readonly host: Host
  readonly store: Store
  readonly leftovers: Leftovers
  /** Why everything is kept in memory only; null: the store is the one on disk. */
  readonly unsaved: Trouble | null
  readonly version: string
  readonly dataFolder: string
  readonly openFolder: string | null
  readonly openFolders: () => readonly string[]
}

export function appHandlers(parts: AppHandlerParts): AppHandlers['app'] {
  const { host, store, leftovers, version, dataFolder, openFolder } = parts
  return {
    hello: () => ({
      version,
      shell: host.shell,
      platform: process.platform,
      home: homedir(),
      capabilities: host.capabilities,
      dataFolder,
      openFolder,
    }),
    health: (_, { signal }) =>
      latest(
        () => healthOf(parts),
        (changed) => onHealth(store, changed),
        signal,
      ),
    leftCommands: (_, { signal }) => latest(leftovers.offered, leftovers.onChange, signal),
    settleLeft: async ({ id, decision }) => {
      const isDone = decision === 'end' ? await leftovers.end(id) : leftovers.keep(id)
      return isDone ? { ok: true } : { ok: false, trouble: NOT_OFFERED }
    },
    notify: (note) => {
      host.notify(note)
      return {}
    },
    pickFolder: async () => ({ folder: await host.pickFolder() }),
    reveal: async ({ path }) => ({ done: await host.reveal(path, parts.openFolders()) }),
    openLink: ({ url }) => host.openLink(url),
  }
}

const NOT_OFFERED: Trouble = {
  code: 'not_offered',
  what: 'This command has ended, or was answered in another window.',
  kept: 'All others, as they run.',
  todo: 'Nothing.',
}

function healthOf({ store, unsaved }: AppHandlerParts): StorageHealth {
  const health = store.health()
  return unsaved ? { ...health, trouble: unsaved, onDisk: 0 } : health
}

function onHealth(store: Store, changed: () => void): DisposableStore {
  const both = new DisposableStore()
  both.add(store.onTrouble(changed))
  both.add(store.subscribeAll(changed))
  return both
}
