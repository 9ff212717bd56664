import { failed } from '../../shared/lib/result.ts'
import { DisposableStore } from '../../shared/lib/disposable.ts'
import { PROVIDERS } from '../providers/provider-registry.ts'
import { launchEnvironment, onShellVariables } from '../environment/launch-environment.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { providerVariables, type Variables } from './provider-variables.ts'
import { secretState, type Secrets } from './secrets.ts'

/**
 * Adds the keys in the environment to the stored keys. A key that the user has set takes precedence, and only such a key can be cleared.
 */
export function withEnvironmentKeys(secrets: Secrets, env: () => Variables = launchEnvironment): Secrets {
  return {
    get newKeysKeptIn() {
      return secrets.newKeysKeptIn
    },
    texts: secrets.texts,
    async get(provider) {
      const { key } = providerVariables(provider, env())
      // A keychain may wait for the user for a long time, and this key is already known.
      if (key !== null && secrets.newKeysKeptIn === 'pending') return key
      return (await secrets.get(provider)) ?? key
    },
    async set(provider, key) {
      const flaw = keyFlaw(key)
      return flaw ? failed(flaw) : secrets.set(provider, key.trim())
    },
    clear: (provider) => secrets.clear(provider),
    async state(provider) {
      const own = await secrets.state(provider)
      const { key } = providerVariables(provider, env())
      return own.key !== 'set' && key ? secretState(key, 'environment') : own
    },
    onChange(listener) {
      const both = new DisposableStore()
      both.add(secrets.onChange(listener))
      both.add(onShellVariables(() => PROVIDERS.forEach(({ id }) => listener(id))))
      return both
    },
  }
}

/** The reason why the text cannot be a key, which must fit into an HTTP header; null if it can be a key. */
export function keyFlaw(key: string): Trouble | null {
  return /^[\x21-\x7e]+$/.test(key.trim()) ? null : NO_KEY
}

const NO_KEY: Trouble = {
  code: 'not_a_key',
  what: 'This is not a key: it is empty, or contains a space, a line break or another character that no key has.',
  kept: 'If a key was set before, that key is unchanged.',
  todo: 'Copy the complete key again as a single line, and paste it.',
}
