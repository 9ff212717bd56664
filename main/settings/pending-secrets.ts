import { DisposableStore } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import { PROVIDERS } from '../providers/provider-registry.ts'
import { NO_SECRET, type Secrets } from './secrets.ts'

/**
 * Secrets whose store is still being opened, for example because the system's keychain asks the user first. Until it is open, `state` says
 * that keys are pending, and everything that needs a key waits. When the store is open, each provider counts as changed.
 */
export function pendingSecrets(opening: Promise<Secrets>): Secrets {
  const changed = new Emitter<ProviderId>()
  const listening = new DisposableStore()
  let opened: Secrets | null = null
  void opening.then((secrets) => {
    opened = secrets
    listening.add(secrets.onChange((provider) => changed.fire(provider)))
    for (const { id } of PROVIDERS) changed.fire(id)
  })
  return {
    get newKeysKeptIn() {
      return opened?.newKeysKeptIn ?? 'pending'
    },
    get: async (provider) => (await opening).get(provider),
    set: async (provider, key) => (await opening).set(provider, key),
    clear: async (provider) => (await opening).clear(provider),
    state: (provider) => opened?.state(provider) ?? Promise.resolve({ ...NO_SECRET, key: 'pending' }),
    onChange: changed.event,
    texts: {
      read: async (name) => (await opening).texts.read(name),
      write: async (name, text) => (await opening).texts.write(name, text),
    },
  }
}
