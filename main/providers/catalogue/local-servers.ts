import type { LocalModel, LocalServer } from '../../../shared/api/settings.ts'
import { isLoopback } from '../http/loopback.ts'

export interface LocalPort {
  readonly label: string
  readonly port: number
}

/** Where these listen unless somebody told them otherwise. */
const LOCAL_PORTS: readonly LocalPort[] = [
  { label: 'Ollama', port: 11_434 },
  { label: 'LM Studio', port: 1_234 },
  { label: 'llama.cpp', port: 8_080 },
  { label: 'vLLM', port: 8_000 },
]

/**
 * The usual ports, and where the servers' own variables say that they listen, if that is on this computer: `OLLAMA_HOST` (`host`, `host:port`
 * or an address), `LLAMA_ARG_PORT` of llama.cpp.
 */
export function localPorts(env: NodeJS.ProcessEnv): readonly LocalPort[] {
  const told: Readonly<Record<string, number | null>> = {
    Ollama: portOfOllama(env['OLLAMA_HOST']),
    'llama.cpp': portIn(env['LLAMA_ARG_PORT']),
  }
  return LOCAL_PORTS.map((place) => ({ ...place, port: told[place.label] ?? place.port }))
}

function portIn(said: string | undefined): number | null {
  const port = /^\d{1,5}$/.test(said?.trim() ?? '') ? Number(said) : 0
  return port >= 1 && port <= 65_535 ? port : null
}

function portOfOllama(said: string | undefined): number | null {
  const trimmed = said?.trim() ?? ''
  const url = URL.parse(trimmed.includes('://') ? trimmed : `http://${trimmed.startsWith(':') ? 'localhost' : ''}${trimmed}`)
  if (url === null || url.port === '') return null
  // Where it listens for all, it listens for this computer too.
  return isLoopback(url.hostname) || url.hostname === '0.0.0.0' || url.hostname === '[::]' ? Number(url.port) : null
}

/** Milliseconds for each server to answer. Where none listens that is known at once; one that loads a model or shares a busy machine takes its time. */
const PATIENCE_MS = 3000
/** Bytes of a list of models. */
const LONGEST_LIST = 1_000_000

/**
 * The model servers that answer on this computer's own address, with the models that they list (`GET /v1/models`). Nothing else is asked,
 * and no key is sent. Never rejects; whatever does not answer in time, or answers with something else, is not there.
 */
export async function findLocalServers(ports: readonly LocalPort[] = LOCAL_PORTS, signal?: AbortSignal): Promise<readonly LocalServer[]> {
  const found = await Promise.all(ports.map((place) => ask(place, signal)))
  return found.filter((server) => server !== null)
}

async function ask({ label, port }: LocalPort, signal: AbortSignal | undefined): Promise<LocalServer | null> {
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    const text = await get(`${baseUrl}/models`, signal ? AbortSignal.any([signal, patience]) : patience)
    const models = modelsIn(JSON.parse(text))
    return models === null ? null : { label, baseUrl, models }
  } catch {
    return null
  }
}

async function get(url: string, signal: AbortSignal): Promise<string> {
  // As in the transport: Node's own `fetch` is a second HTTP client.
  const { request } = process.getBuiltinModule('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const asked = request(url, { signal, agent: false, headers: { accept: 'application/json' } }, (response) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > LONGEST_LIST) response.destroy(new Error('The list is too long.'))
    })
    response.once('error', reject)
    response.once('end', () =>
      response.statusCode === 200 ? resolve(Buffer.concat(chunks).toString('utf8')) : reject(new Error('No list.')),
    )
  })
  asked.once('error', reject)
  asked.end()
  return promise
}

/** Null: this is no list of models. Those that only embed, as LM Studio lists them among the others, stand last: no session can talk to one. */
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

/** vLLM and LM Studio say it beside the name, llama.cpp in `meta`. */
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
