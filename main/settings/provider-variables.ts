import type { ProviderId } from '../../shared/session/content.ts'
import { launchEnvironment } from '../environment/launch-environment.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** A provider's values in the environment. A value is null if it is not set. */
export interface ProviderVariables {
  readonly key: string | null
  readonly baseUrl: string | null
  readonly organization: string | null
  readonly project: string | null
}

/** For each value, the names of its variables. The first variable that is set is used. */
const NAMES: Readonly<Record<ProviderId, Readonly<Record<keyof ProviderVariables, readonly string[]>>>> = {
  anthropic: { key: ['ANTHROPIC_API_KEY'], baseUrl: ['ANTHROPIC_BASE_URL'], organization: [], project: [] },
  openai: {
    key: ['OPENAI_API_KEY'],
    baseUrl: ['OPENAI_BASE_URL'],
    organization: ['OPENAI_ORG_ID'],
    project: ['OPENAI_PROJECT_ID'],
  },
  gemini: { key: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], baseUrl: ['GEMINI_BASE_URL'], organization: [], project: [] },
  'openai-compatible': { key: ['OPENAI_COMPATIBLE_API_KEY'], baseUrl: ['OPENAI_COMPATIBLE_BASE_URL'], organization: [], project: [] },
  rehearsal: { key: [], baseUrl: [], organization: [], project: [] },
}

/** An empty or blank variable counts as unset. */
export function providerVariables(provider: ProviderId, env: Variables = launchEnvironment()): ProviderVariables {
  const first = (names: readonly string[]): string | null => names.map((name) => env[name]?.trim()).find(Boolean) ?? null
  const names = NAMES[provider]
  return { key: first(names.key), baseUrl: first(names.baseUrl), organization: first(names.organization), project: first(names.project) }
}
