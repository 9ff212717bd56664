import { providerEnvironment, type Variables } from './provider-environment.ts'
import { secretState, type Secrets } from './secrets.ts'

/** A key that the person has set counts; where there is none, the environment's does. Only the person's can be cleared. */
export function withEnvironmentKeys(secrets: Secrets, env: Variables = process.env): Secrets {
  return {
    newKeysKeptIn: secrets.newKeysKeptIn,
    get: async (provider) => (await secrets.get(provider)) ?? providerEnvironment(provider, env).key,
    set: (provider, key) => secrets.set(provider, key),
    clear: (provider) => secrets.clear(provider),
    async state(provider) {
      const own = await secrets.state(provider)
      const { key } = providerEnvironment(provider, env)
      return own.key === 'not_set' && key ? secretState(key, 'environment') : own
    },
    onChange: (listener) => secrets.onChange(listener),
  }
}
