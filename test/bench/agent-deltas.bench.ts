import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { createApp } from '../../main/compose/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { createMemorySecrets } from '../../main/settings/secrets.ts'
import { type Figure, median } from './figures.ts'

const DELTAS = 20_000
const REPEATS = 9
const KEY = 'bench-not-a-key'

/**
 * Measures an answer of 20,000 deltas that the agent decodes, logs and folds, against the official SDK, which only decodes it. Bar: 1.5 ×.
 */
export async function benchDeltas(): Promise<readonly Figure[]> {
  const server = await deltaServer()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  try {
    const agent = await openAgent(folder, server.url)
    const bare = new Anthropic({ apiKey: KEY, baseURL: server.url, maxRetries: 0 })
    const times = { bare: [] as number[], helper: [] as number[], agent: [] as number[] }
    // The variants run alternately, so that other load on the machine affects all of them. The first run of each is a warm-up.
    for (let run = 0; run <= REPEATS; run++) {
      const one = {
        bare: await timed(() => rawEvents(bare)),
        helper: await timed(() => helperText(bare)),
        agent: await timed(await agent.ready()),
      }
      if (run === 0) continue
      for (const which of ['bare', 'helper', 'agent'] as const) times[which].push(one[which])
    }
    await agent.close()
    const raw = median(times.bare)
    const helper = median(times.helper)
    const ours = median(times.agent)
    return [
      {
        promise: `an answer of ${DELTAS} deltas`,
        value: `${ours.toFixed(0)} ms = ${(ours / raw).toFixed(2)} × the SDK's raw events (${raw.toFixed(0)} ms), ${(ours / helper).toFixed(2)} × its stream helper (${helper.toFixed(0)} ms)`,
        method: `median of ${REPEATS}, in turn, in this process, loopback HTTP, one write of the whole body: a turn of the app from submit to rest, every event on disk and folded; the SDK from request to the end of its iteration, its text joined`,
      },
    ]
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timed(work: () => Promise<number>): Promise<number> {
  const startedAt = performance.now()
  const chars = await work()
  const ms = performance.now() - startedAt
  if (chars !== WORD.length * DELTAS) throw new Error(`${chars} characters arrived instead of ${WORD.length * DELTAS}.`)
  return ms
}

const PARAMS = { model: 'bench', max_tokens: 100_000, messages: [{ role: 'user', content: 'go' }] } as const

async function rawEvents(client: Anthropic): Promise<number> {
  let text = ''
  for await (const event of await client.messages.create({ ...PARAMS, messages: [...PARAMS.messages], stream: true }))
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text
  return text.length
}

async function helperText(client: Anthropic): Promise<number> {
  return (await client.messages.stream({ ...PARAMS, messages: [...PARAMS.messages] }).finalText()).length
}

async function openAgent(folder: string, url: string) {
  const secrets = createMemorySecrets()
  await secrets.set('anthropic', KEY)
  const host = { ...headlessHost(), secrets }
  const parts = { version: '0', openFolder: null, watched: false, whenUnsaved: 'fail', limits: { maxRounds: 0 }, trusted: folder } as const
  const app = await createApp({ host, dataFolder: join(folder, '.data'), ...parts })
  if (!app.ok) throw new Error(app.failure.what)
  /** Prepares a new session. The returned function measures its answer. */
  const ready = async (): Promise<() => Promise<number>> => {
    const started = await app.value.starter.start(folder, { provider: 'anthropic', model: 'bench', baseUrl: url, mode: 'full' })
    if (!started.ok) throw new Error(started.failure.what)
    const running = started.value.running()
    if (!running) throw new Error('The session does not run.')
    return async () => {
      running.submit('go')
      const last = (await running.idle()).items.at(-1)
      return last?.kind === 'prose' ? last.text.length : 0
    }
  }
  return { ready, close: () => app.value.close() }
}

const WORD = 'word '

function event(data: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function answer(): Buffer {
  const message = {
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  }
  const delta = event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORD } })
  return Buffer.from(
    [
      event({ type: 'message_start', message }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      delta.repeat(DELTAS),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: DELTAS } }),
      event({ type: 'message_stop' }),
    ].join(''),
  )
}

async function deltaServer() {
  const body = answer()
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close(): Promise<void> {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
