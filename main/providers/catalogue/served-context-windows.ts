import type { Clock } from '../../agent/ports/clock.ts'
import { askLocalServer } from './ask-local-server.ts'

/** The context window that a model has on a local server. */
export interface ServedWindow {
  /** Number of tokens of request and answer together. */
  readonly tokens: number
  /** A sentence that says how to enlarge the window; null if this is unknown or the model has no larger window. */
  readonly raise: string | null
}

/** Time limit for all requests together, in ms. Servers answer these requests immediately even while they load a model. */
const TIMEOUT_MS = 1_500
/** Maximum size of an answer in bytes. */
const LONGEST_ANSWER = 2_000_000
/** Ollama's default context window. */
const OLLAMA_DEFAULT = 4_096

/**
 * Asks a server on this computer for the context window of a model: Ollama (`/api/ps`, `/api/show`), LM Studio (`/api/v0/models`),
 * llama.cpp (`/props`), vLLM and others (`/v1/models`). Resolves to null if the window is unknown. Never rejects.
 */
export async function servedWindow(baseUrl: string, model: string): Promise<ServedWindow | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const { origin } = new URL(baseUrl)
  const ask = (url: string, body?: object): Promise<unknown> =>
    askLocalServer(url, { signal, maxBytes: LONGEST_ANSWER, ...(body && { body }) }).catch(() => null)
  const [show, running, lmStudio, props, listed] = await Promise.all([
    ask(`${origin}/api/show`, { model }),
    ask(`${origin}/api/ps`),
    ask(`${origin}/api/v0/models/${encodeURIComponent(model)}`),
    ask(`${origin}/props`),
    ask(`${baseUrl}/models`),
  ])
  return ofOllama(model, show, running) ?? ofLmStudio(lmStudio) ?? ofLlamaCpp(props) ?? ofList(listed, model)
}

function ofOllama(model: string, show: unknown, running: unknown): ServedWindow | null {
  const info = member(show, 'model_info')
  if (info === undefined && member(show, 'parameters') === undefined) return null
  const named = listOf(member(running, 'models')).find((one) =>
    [member(one, 'name'), member(one, 'model')].some((name) => name === model || name === `${model}:latest`),
  )
  const set = /^num_ctx\s+(\d+)/m.exec(textOrEmpty(member(show, 'parameters')))?.[1]
  const tokens = count(member(named, 'context_length')) ?? count(Number(set)) ?? OLLAMA_DEFAULT
  const most = Object.entries(info ?? {}).find(([name]) => name.endsWith('.context_length'))?.[1] as unknown
  const limit = count(most)
  if (limit !== null && limit <= tokens) return { tokens: limit, raise: null }
  return { tokens, raise: 'Start Ollama with OLLAMA_CONTEXT_LENGTH=32768 in its environment, or set num_ctx in the model’s Modelfile.' }
}

function ofLmStudio(said: unknown): ServedWindow | null {
  const tokens = count(member(said, 'loaded_context_length')) ?? count(member(said, 'max_context_length'))
  return tokens === null ? null : { tokens, raise: 'Load the model in LM Studio with a larger context length.' }
}

function ofLlamaCpp(props: unknown): ServedWindow | null {
  const tokens = count(member(member(props, 'default_generation_settings'), 'n_ctx')) ?? count(member(props, 'n_ctx'))
  return tokens === null ? null : { tokens, raise: 'Start llama-server with a larger --ctx-size, such as 32768.' }
}

function ofList(listed: unknown, model: string): ServedWindow | null {
  const entry = listOf(member(listed, 'data')).find((one) => member(one, 'id') === model)
  const vllm = count(member(entry, 'max_model_len'))
  if (vllm !== null) return { tokens: vllm, raise: 'Start vLLM with a larger --max-model-len.' }
  const tokens =
    count(member(entry, 'loaded_context_length')) ?? count(member(entry, 'context_length')) ?? count(member(member(entry, 'meta'), 'n_ctx'))
  return tokens === null ? null : { tokens, raise: null }
}

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const count = (value: unknown): number | null => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null)

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** After this time (ms) a server is asked again, because it may have been restarted with another context window. */
const FRESH_MS = 60_000

/** Context windows that servers on this computer reported. */
export interface ServedWindows {
  /**
   * Resolves when the server has answered, or immediately if the server has answered before. In the second case, the server is asked again
   * in the background, at most once a minute.
   */
  ask(address: string, model: string): Promise<void>
  last(address: string | null, model: string): ServedWindow | null
}

export function createServedWindows(clock: Clock): ServedWindows {
  const known = new Map<string, { readonly atMs: number; readonly asked: Promise<void>; window: ServedWindow | null }>()
  const nameOf = (address: string, model: string): string => `${address} ${model}`
  const ask = (address: string, model: string): Promise<void> => {
    const name = nameOf(address, model)
    const before = known.get(name)
    if (before && clock.elapsed() - before.atMs < FRESH_MS) return before.asked
    const asked = servedWindow(address, model).then((window) => {
      const entry = known.get(name)
      if (entry) entry.window = window ?? entry.window
    })
    known.set(name, { atMs: clock.elapsed(), asked, window: before?.window ?? null })
    return before ? Promise.resolve() : asked
  }
  return { ask, last: (address, model) => (address === null ? null : (known.get(nameOf(address, model))?.window ?? null)) }
}
