import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import { isLoopback } from './http/loopback.ts'

/** What is known of a provider without asking it anything (D-49). */
export interface ProviderEntry {
  readonly id: ProviderId
  /** Its name for people. */
  readonly label: string
  /** Whether this version can talk to it. */
  readonly available: boolean
  readonly key: 'needed' | 'optional' | 'none'
  /** Variables that may hold the key, the first that is set counts (L-02). */
  readonly keyVariables: readonly string[]
  readonly baseUrlVariable: string | null
  /** Null: there is no usual address, one must be given. */
  readonly baseUrl: string | null
  /** Whether the base URL ends in `/v1`. */
  readonly version: 'with /v1' | 'without /v1' | 'origin only'
}

export const PROVIDERS: readonly ProviderEntry[] = [
  {
    id: 'anthropic',
    label: 'Anthropic',
    available: true,
    key: 'needed',
    keyVariables: ['ANTHROPIC_API_KEY'],
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com',
    version: 'without /v1',
  },
  {
    id: 'openai',
    label: 'OpenAI',
    available: true,
    key: 'needed',
    keyVariables: ['OPENAI_API_KEY'],
    baseUrlVariable: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
    version: 'with /v1',
  },
  {
    id: 'gemini',
    label: 'Gemini',
    available: true,
    key: 'needed',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    baseUrlVariable: 'GEMINI_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com',
    version: 'origin only',
  },
  {
    id: 'openai-compatible',
    label: 'OpenAI-compatible server',
    available: true,
    key: 'optional',
    keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
    baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
    baseUrl: null,
    version: 'with /v1',
  },
  {
    id: 'rehearsal',
    label: 'Rehearsal',
    available: true,
    key: 'none',
    keyVariables: [],
    baseUrlVariable: null,
    baseUrl: null,
    version: 'origin only',
  },
]

export function providerEntry(id: ProviderId): ProviderEntry {
  const entry = PROVIDERS.find((other) => other.id === id)
  if (!entry) throw new Error(`There is no provider ${id}.`)
  return entry
}

/**
 * A base URL in the form that the provider wants: no slash at the end, `/v1` there or not. Plain http is for this machine only
 * (security section 1, row 1). The failure is a sentence for the person.
 */
export function checkBaseUrl(id: ProviderId, text: string): Result<string, string> {
  const trimmed = text.trim()
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return failed(`“${trimmed}” is not a web address. It should look like https://host.example.`)
  if (url.username !== '' || url.password !== '') return failed('An address may not hold a name or a password. Set the key instead.')
  if (url.search !== '' || url.hash !== '') return failed('An address may not have anything after a “?” or “#”.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return failed(`Plain http is only for this computer: anybody on the way to ${url.host} could read the key. Use https.`)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  const { version } = providerEntry(id)
  if (version === 'origin only' && path !== '') return failed(`${providerEntry(id).label} takes an origin only, without a path.`)
  return ok(`${url.origin}${path}${version === 'with /v1' ? '/v1' : ''}`)
}
