import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createServedApp, type ServedApp } from '../../main/compose/served-app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { createMemorySecrets } from '../../main/settings/secrets.ts'
import { openStore } from '../../main/store/open-store.ts'
import type { Store } from '../../main/store/store.ts'
import type { AppClient } from '../../shared/api/contract.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { connect } from '../../shared/wire/connect.ts'
import { memoryWire } from '../support/memory-wire.ts'
import { serve } from '../../shared/wire/serve.ts'

/** Runs `work` in a temporary folder, which is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface OpenApp {
  readonly client: AppClient
  close(): Promise<void>
}

/** Opens the entire app over a data folder, with a client like that of a window. `project` is trusted. */
export async function openApp(dataFolder: string, project: string): Promise<OpenApp> {
  const secrets = createMemorySecrets()
  await secrets.set('anthropic', 'bench-not-a-key')
  const host = { ...headlessHost(), secrets }
  const parts = { host, dataFolder, version: '0', openFolder: null, watched: true, whenUnsaved: 'fail', trusted: project } as const
  const app = await createServedApp(parts)
  if (!app.ok) throw new Error(app.failure.what)
  return { client: windowOf(app.value), close: app.value.close }
}

function windowOf({ contract, handlers }: ServedApp): AppClient {
  const [page, main] = memoryWire()
  serve(main, contract, handlers, {
    connection: 'bench',
    onBug: (error) =>
      queueMicrotask(() => {
        throw error
      }),
  })
  return connect(page, contract)
}

/** Sends a message and resolves when the session's turn has ended. */
export async function turn(client: AppClient, sessionId: SessionId): Promise<void> {
  const abort = new AbortController()
  const sent = await client.sessions.send({
    sessionId,
    inputId: `bench-${performance.now()}`,
    text: 'Go on.',
    delivery: 'queue',
    pictures: [],
  })
  if (!sent.ok) throw new Error(sent.trouble.what)
  for await (const item of client.sessions.list({}, abort.signal)) {
    if (item.kind === 'removed') continue
    const known = item.kind === 'all' ? item.sessions.find((one) => one.sessionId === sessionId) : item.session
    if (known?.sessionId === sessionId && known.run === 'IDLE') break
  }
  abort.abort()
}

export const never = (): AbortSignal => new AbortController().signal

export async function firstItem(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream) return
}

export async function times(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) {
    await work(n)
    // The pause puts each call into its own task of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export function made(folder: string, name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  return path
}

export async function seeded(data: string, write: (store: Store) => void | Promise<void>): Promise<void> {
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  await write(opened.value)
  opened.value.close()
}

/** What the model answers: one word, a text of many deltas, or a shell call and then a word. */
export type ModelPlan =
  | { readonly kind: 'word' }
  | { readonly kind: 'deltas'; readonly count: number }
  | { readonly kind: 'shell'; readonly command: string }

/** Starts a model in its own thread, so that its work is not counted as the app's work. */
export async function startModel(plan: ModelPlan): Promise<{ readonly url: string; close(): Promise<unknown> }> {
  const worker = new Worker(new URL('model-thread.ts', import.meta.url), { workerData: plan })
  const port = await new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  return { url: `http://127.0.0.1:${port}`, close: () => worker.terminate() }
}
