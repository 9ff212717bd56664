import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { PersonPrice } from '../../../shared/session/settings/model-facts.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { ProviderFailure } from '../../agent/ports/provider.ts'
import { refusal } from '../answer/response-failure.ts'
import { failure } from '../failures/failures.ts'
import { STREAM_LIMITS } from '../http/exchange.ts'
import { createTransport } from '../http/transport.ts'
import { networkFailure } from '../failures/network-failure.ts'
import type { RemoteProviderId } from '../providers.ts'
import { withoutKey } from '../failures/redact-key.ts'

/** A model in the list of its service. */
export interface ListedModel {
  readonly model: string
  /** Display name; null if the service gives none. */
  readonly label: string | null
  /** Number of tokens; null if the service does not give it. */
  readonly contextWindow: number | null
  /** Absent if the service lists no price. */
  readonly price?: PersonPrice | undefined
}

export interface ListParts {
  readonly provider: RemoteProviderId
  /** The service's display name. */
  readonly label: string
  /** A URL in the form that `checkBaseUrl` returns. */
  readonly baseUrl: string
  /** If empty, no key is sent. */
  readonly key: string
  readonly clock: Clock
  readonly proxyEnv?: NodeJS.ProcessEnv
}

/** Time limit for the complete list, in ms. */
const TIMEOUT_MS = 20_000
const LONGEST_LIST = 8_000_000
/** Matches the names of models that cannot be used in a session. */
const NO_CHAT =
  /embed|whisper|\btts\b|dall-e|image|audio|realtime|moderation|transcribe|babbage|davinci|sora|lyria|veo|imagen|\baqa\b|robotics|-live\b/i

/** Requests a service's models (`GET /models`), without loading its SDK. Never rejects. */
export async function requestListedModels(
  { provider, label, baseUrl, key, clock, proxyEnv }: ListParts,
  signal: AbortSignal,
): Promise<Result<readonly ListedModel[], ProviderFailure>> {
  const { host } = new URL(baseUrl)
  const transport = createTransport({ clock, connectMs: STREAM_LIMITS.connectMs, ...(proxyEnv && { proxyEnv }) })
  try {
    const { url, headers } = listRequest(provider, baseUrl, key)
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await transport.fetch(url, { headers: { accept: 'application/json', ...headers }, signal: timeout })
    if (!response.ok) {
      const text = await response.text()
      const error = Object.assign(new Error(text), { status: response.status, headers: response.headers, error: parsed(text) })
      return failed(refusal(error, label, host, key, clock.now()) ?? networkFailure(error, host))
    }
    const models = modelsIn(parsed(await bodyText(transport.body(response))))
    return models ? ok(models) : failed(failure('malformed', `${label} did not answer with a list of models.`))
  } catch (error) {
    const broken = networkFailure(error, host)
    return failed({ ...broken, message: withoutKey(broken.message, key) })
  } finally {
    transport.close()
  }
}

function listRequest(
  provider: RemoteProviderId,
  baseUrl: string,
  key: string,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  switch (provider) {
    case 'anthropic':
      return { url: `${baseUrl}/v1/models?limit=1000`, headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' } }
    case 'openai':
    case 'openai-compatible':
      return { url: `${baseUrl}/models`, headers: key === '' ? {} : { authorization: `Bearer ${key}` } }
    case 'gemini':
      return { url: `${baseUrl}/v1beta/models?pageSize=1000`, headers: { 'x-goog-api-key': key } }
    default:
      return assertNever(provider, 'provider')
  }
}

/** Null if the answer is not a list of models. */
function modelsIn(answer: unknown): readonly ListedModel[] | null {
  const list = member(answer, 'data') ?? member(answer, 'models')
  if (!Array.isArray(list)) return null
  return list.flatMap((entry: unknown) => {
    const name = textIn(entry, 'id') ?? textIn(entry, 'name')?.replace(/^models\//, '')
    const methods = member(entry, 'supportedGenerationMethods')
    if (!name || NO_CHAT.test(name) || (Array.isArray(methods) && !methods.includes('generateContent'))) return []
    const label = textIn(entry, 'display_name') ?? textIn(entry, 'displayName') ?? null
    const sizes = ['max_input_tokens', 'inputTokenLimit', 'context_length', 'max_model_len'].map((size) => member(entry, size))
    const tokens = sizes.find((size) => typeof size === 'number' && size > 0)
    const price = priceIn(member(entry, 'pricing'))
    return [{ model: name, label, contextWindow: typeof tokens === 'number' ? tokens : null, ...(price && { price }) }]
  })
}

/**
 * OpenRouter lists US dollars per token as decimal strings. A negative price means that the price varies, as for its automatic router.
 */
function priceIn(pricing: unknown): PersonPrice | null {
  const dollars = (name: string): number | undefined => {
    const perToken = Number(textIn(pricing, name) ?? NaN)
    // Rounded, because 0.00000025 * 1e6 is not exactly 0.25.
    return perToken >= 0 ? Number((perToken * 1e6).toFixed(6)) : undefined
  }
  const input = dollars('prompt')
  const output = dollars('completion')
  if (input === undefined || output === undefined) return null
  const cacheRead = dollars('input_cache_read')
  const cacheWrite = dollars('input_cache_write')
  return { input, output, ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) }
}

function textIn(value: unknown, name: string): string | undefined {
  const text = member(value, name)
  return typeof text === 'string' && text !== '' ? text : undefined
}

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

async function bodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > LONGEST_LIST) throw new Error('The list of models is too long.')
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
