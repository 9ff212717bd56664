import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import { isLoopback } from '../../shared/lib/local-hosts.ts'

/** Facts about a provider that are known without a request. */
export interface ProviderEntry {
  readonly id: ProviderId
  /** Display name. */
  readonly label: string
  /** Whether this version of Countersign supports the provider. */
  readonly available: boolean
  readonly key: 'needed' | 'optional' | 'none'
  /** Environment variables for the key; the first one that is set is used. */
  readonly keyVariables: readonly string[]
  readonly baseUrlVariable: string | null
  /** Null if there is no default address and the user must give one. */
  readonly baseUrl: string | null
  /** The form of the base URL. */
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
 * A base URL in the provider's form: without a trailing slash, and with or without `/v1`. Plain http is allowed only for this machine,
 * because on the network others could read the key. The failure is a sentence for the user.
 */
export function checkBaseUrl(id: ProviderId, text: string): Result<string, string> {
  const trimmed = text.trim()
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return failed(`“${trimmed}” is not a web address. It should look like https://host.example.`)
  if (url.username !== '' || url.password !== '') return failed('An address must not contain a user name or password. Set the key instead.')
  if (url.search !== '' || url.hash !== '') return failed('An address must not contain “?” or “#”.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return failed(`Plain http is allowed only for this computer: anyone between here and ${url.host} could read the key. Use https.`)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  const { version } = providerEntry(id)
  if (version === 'origin only' && path !== '') return failed(`${providerEntry(id).label} needs an address without a path.`)
  return ok(`${url.origin}${path}${version === 'with /v1' ? '/v1' : ''}`)
}
