import type { ProviderId } from '../../shared/session/content.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { personEnvironment } from '../environment/own-variables.ts'
import { isSecretVariable, secretsIn } from '../environment/secret-variables.ts'
import { PROVIDERS } from '../providers/registry.ts'
import type { Secrets } from '../settings/secrets.ts'
import { createKnownSecrets } from './known-secrets.ts'

/** Knows the keys and passwords of the environment and the keys of all providers, those too that are set later. */
export function createSecretRedactor(secrets: Secrets, env: NodeJS.ProcessEnv = personEnvironment()): Redactor {
  const known = createKnownSecrets()
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !isSecretVariable(name, value)) continue
    for (const secret of secretsIn(value)) known.add(name, secret)
  }
  const learn = async (provider: ProviderId, label: string): Promise<void> => known.add(`${label} key`, await secrets.get(provider))
  for (const { id, label } of PROVIDERS) void learn(id, label)
  secrets.onChange((provider) => {
    const entry = PROVIDERS.find(({ id }) => id === provider)
    if (entry) void learn(entry.id, entry.label)
  })
  return known
}
