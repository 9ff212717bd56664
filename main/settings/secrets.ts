import type { Disposable } from '../../shared/lib/disposable.ts'
import { type Result, ok } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { Emitter } from '../../shared/lib/emitter.ts'

/** What may be shown of a key. */
export interface SecretState {
  readonly key: 'set' | 'not_set'
  /** The last four characters of a key longer than eight. */
  readonly ending: string | null
  readonly keptIn: 'keychain' | 'memory' | 'environment' | null
}

/**
 * Keys of the providers. `get` is only for sending requests: a key never goes to a window, a log, a file in clear text or a child process.
 * No method rejects; if a key cannot be kept, the result is a `Trouble` without the key.
 */
export interface Secrets {
  /** Where new keys are kept; `memory`: until the app ends. */
  readonly newKeysKeptIn: 'keychain' | 'memory'
  get(provider: ProviderId): Promise<string | null>
  set(provider: ProviderId, key: string): Promise<Result<null, Trouble>>
  clear(provider: ProviderId): Promise<Result<null, Trouble>>
  state(provider: ProviderId): Promise<SecretState>
  /** Called after a key was set or cleared. */
  onChange(listener: (provider: ProviderId) => void): Disposable
  /** Other secrets, by names of ours, such as what signs the person in at MCP servers. Kept where new keys are. */
  readonly texts: SecretTexts
}

export interface SecretTexts {
  read(name: string): Promise<string | null>
  /** Null removes it. */
  write(name: string, text: string | null): Promise<Result<null, Trouble>>
}

export const NO_SECRET: SecretState = { key: 'not_set', ending: null, keptIn: null }

export function secretState(key: string, keptIn: Exclude<SecretState['keptIn'], null>): SecretState {
  return { key: 'set', ending: key.length > 8 ? key.slice(-4) : null, keptIn }
}

/** Keys in memory, if there is no keychain (browser shell, headless). */
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
