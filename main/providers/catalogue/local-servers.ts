import type { LocalModel, LocalServer } from '../../../shared/api/settings.ts'
import { isLoopback } from '../../../shared/lib/local-hosts.ts'
import { askLocalServer } from './ask-local-server.ts'

export interface LocalPort {
  readonly label: string
  readonly port: number
}

/** The default ports of the local model servers. */
const LOCAL_PORTS: readonly LocalPort[] = [
  { label: 'Ollama', port: 11_434 },
  { label: 'LM Studio', port: 1_234 },
  { label: 'llama.cpp', port: 8_080 },
  { label: 'vLLM', port: 8_000 },
]

/**
 * The ports to check: the defaults, or those in the servers' own environment variables if these refer to this computer. `OLLAMA_HOST` is a
 * host, `host:port` or a URL; `LLAMA_ARG_PORT` is llama.cpp's port.
 */
export function localPorts(env: NodeJS.ProcessEnv): readonly LocalPort[] {
  const configured: Readonly<Record<string, number | null>> = {
    Ollama: portOfOllama(env['OLLAMA_HOST']),
    'llama.cpp': portIn(env['LLAMA_ARG_PORT']),
  }
  return LOCAL_PORTS.map((place) => ({ ...place, port: configured[place.label] ?? place.port }))
}

function portIn(said: string | undefined): number | null {
  const port = /^\d{1,5}$/.test(said?.trim() ?? '') ? Number(said) : 0
  return port >= 1 && port <= 65_535 ? port : null
}

function portOfOllama(said: string | undefined): number | null {
  const trimmed = said?.trim() ?? ''
  const url = URL.parse(trimmed.includes('://') ? trimmed : `http://${trimmed.startsWith(':') ? 'localhost' : ''}${trimmed}`)
  if (url === null || url.port === '') return null
  // A server that listens on all addresses can also be reached from this computer.
  return isLoopback(url.hostname) || url.hostname === '0.0.0.0' || url.hostname === '[::]' ? Number(url.port) : null
}

/** Time limit per server in ms. A closed port fails immediately. A server that is loading a model, or a busy machine, can be slow. */
const TIMEOUT_MS = 3000
/** Maximum size of a list of models, in bytes. */
const LONGEST_LIST = 1_000_000

/**
 * The model servers on this computer and the models that they list (`GET /v1/models`). Nothing else is requested and no key is sent.
 * Never rejects. A server that does not answer in time, or whose answer is not a list of models, is left out.
 */
export async function findLocalServers(ports: readonly LocalPort[] = LOCAL_PORTS, signal?: AbortSignal): Promise<readonly LocalServer[]> {
  const found = await Promise.all(ports.map((place) => ask(place, signal)))
  return found.filter((server) => server !== null)
}

async function ask({ label, port }: LocalPort, signal: AbortSignal | undefined): Promise<LocalServer | null> {
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout
    const models = modelsIn(await askLocalServer(`${baseUrl}/models`, { signal: either, maxBytes: LONGEST_LIST }))
    return models === null ? null : { label, baseUrl, models }
  } catch {
    return null
  }
}

/**
 * Null if the answer is not a list of models. Embedding models, which LM Studio also lists, come last, because they cannot be used in a
 * session.
 */
function modelsIn(answer: unknown): readonly LocalModel[] | null {
  const data = member(answer, 'data')
  if (!Array.isArray(data)) return null
  const models = data.flatMap((entry: unknown) => {
    const id = member(entry, 'id')
    return typeof id === 'string' && id !== '' ? [{ model: id, contextWindow: windowOf(entry) }] : []
  })
  return models.toSorted((a, b) => Number(onlyEmbeds(a)) - Number(onlyEmbeds(b)))
}

const onlyEmbeds = ({ model }: LocalModel): boolean => /(^|[-/:_])embed/i.test(model)

/** vLLM and LM Studio list the context window next to the name, llama.cpp in `meta`. */
function windowOf(entry: unknown): number | null {
  const meta = member(entry, 'meta')
  const said = [member(entry, 'max_model_len'), member(entry, 'max_context_length'), member(meta, 'n_ctx'), member(meta, 'n_ctx_train')]
  const tokens = said.find((value) => typeof value === 'number' && value > 0)
  return typeof tokens === 'number' ? tokens : null
}

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
