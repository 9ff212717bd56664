import { Emitter } from '../../shared/lib/emitter.ts'
import { ok } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import { NO_SECRET, secretState, type Secrets } from './secrets.ts'

/** Keys in memory, if there is no keychain (browser shell, headless). */
export function createMemorySecrets(): Secrets {
  const keys = new Map<ProviderId, string>()
  const changed = new Emitter<ProviderId>()
  return {
    newKeysKeptIn: 'memory',
    get: (provider) => Promise.resolve(keys.get(provider) ?? null),
    set(provider, key) {
      keys.set(provider, key)
      changed.fire(provider)
      return Promise.resolve(ok(null))
    },
    clear(provider) {
      if (keys.delete(provider)) changed.fire(provider)
      return Promise.resolve(ok(null))
    },
    state(provider) {
      const key = keys.get(provider)
      return Promise.resolve(key === undefined ? NO_SECRET : secretState(key, 'memory'))
    },
    onChange: changed.event,
  }
}
