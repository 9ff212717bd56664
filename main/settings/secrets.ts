import type { Disposable } from '../../shared/lib/disposable.ts'
import { type Result, ok } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { Emitter } from '../../shared/lib/emitter.ts'

/** What may be shown about a key. */
export interface SecretState {
  /** `pending`: the system's keychain has not opened yet. */
  readonly key: 'set' | 'not_set' | 'pending'
  /** The last four characters of the key if it is longer than eight; otherwise null. */
  readonly ending: string | null
  readonly keptIn: 'keychain' | 'memory' | 'environment' | null
}

/**
 * The keys of the providers. `get` is only for sending requests: a key is never passed to a window, a log, a file in clear text or a
 * child process. No method rejects. If a key cannot be stored, the result is a `Trouble` that does not contain the key.
 */
export interface Secrets {
  /** Where new keys are stored at the moment. `memory` keeps them until the app ends. */
  readonly newKeysKeptIn: 'keychain' | 'memory' | 'pending'
  get(provider: ProviderId): Promise<string | null>
  set(provider: ProviderId, key: string): Promise<Result<null, Trouble>>
  clear(provider: ProviderId): Promise<Result<null, Trouble>>
  state(provider: ProviderId): Promise<SecretState>
  /** Calls the listener after a key is set or cleared. */
  onChange(listener: (provider: ProviderId) => void): Disposable
  /**
   * Other secrets, by names that we choose, such as the user's credentials for MCP servers. They are stored in the same place as new
   * keys.
   */
  readonly texts: SecretTexts
}

export interface SecretTexts {
  read(name: string): Promise<string | null>
  /** Null removes the text. */
  write(name: string, text: string | null): Promise<Result<null, Trouble>>
}

export const NO_SECRET: SecretState = { key: 'not_set', ending: null, keptIn: null }

export function secretState(key: string, keptIn: Exclude<SecretState['keptIn'], null>): SecretState {
  return { key: 'set', ending: key.length > 8 ? key.slice(-4) : null, keptIn }
}

/** Keeps keys in memory, for shells without a keychain (browser, headless). */
export function createMemorySecrets(): Secrets {
  const keys = new Map<ProviderId, string>()
  const texts = new Map<string, string>()
  const changed = new Emitter<ProviderId>()
  return {
    texts: {
      read: (name) => Promise.resolve(texts.get(name) ?? null),
      write(name, text) {
        if (text === null) texts.delete(name)
        else texts.set(name, text)
        return Promise.resolve(ok(null))
      },
    },
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
