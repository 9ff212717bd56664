import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createServedApp, type ServedApp } from '../../main/compose/served-app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { createMemorySecrets } from '../../main/settings/memory-secrets.ts'
import { openStore } from '../../main/store/open-store.ts'
import type { Store } from '../../main/store/store.ts'
import type { AppClient } from '../../shared/api/contract.ts'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { connect } from '../../shared/wire/connect.ts'
import { memoryWire } from '../support/memory-wire.ts'
import { serve } from '../../shared/wire/serve.ts'
import type { Figure } from './figures.ts'
import { told, watchMain } from './main-watch.ts'
import { type Seed, seedSession } from './seeded-session.ts'

/** Rounds and characters of each output: 2,000 rounds of two calls make 300 MB. */
const LARGE = { rounds: 2_000, outputChars: 62_000 } as const
const SMALL = SessionId.parse('small')
/** 2,000 sessions of 12 rounds make 1 GB. */
const MANY = { sessions: 2_000, rounds: 12, outputChars: 13_000 } as const

/** Longest task of the main process with a session of 300 MB, then with 2,000 sessions of 1 GB (DESIGN §10: at most 50 ms). */
export async function benchScale(): Promise<readonly Figure[]> {
  return [...(await inFolder(largeSession)), ...(await inFolder(manySessions))]
}

/** One at a time, so that the disk holds one of them. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function largeSession(folder: string): Promise<readonly Figure[]> {
  const model = await startModel()
  const project = made(folder, 'project')
  const data = made(folder, 'data')
  const config = { provider: 'anthropic', model: 'claude-haiku-4-5', mode: 'full', effort: null, baseUrl: model.url } as const
  await seeded(data, (store) => {
    seedSession(store, { sessionId: SMALL, cwd: project, config, rounds: 1, outputChars: 100 })
    seedSession(store, { sessionId: 'large', cwd: project, config, ...LARGE })
  })
  const size = megabytes(data)
  const sessionId = SessionId.parse('large')
  const figures: Figure[] = []
  const measured = async (what: string, how: string, work: () => Promise<unknown>): Promise<void> => {
    figures.push({ promise: `${what}, ${size} MB in one session`, value: told(await watchMain(work)), method: how })
  }
  const app = await openApp(data, project)
  try {
    // What the first use of anything imports is measured by the start.
    await firstItem(app.client.sessions.open({ sessionId: SMALL, cursor: null }, never()))
    await turn(app.client, SMALL)
    await measured('open the session', 'sessions.open to its snapshot', () =>
      firstItem(app.client.sessions.open({ sessionId, cursor: null }, never())),
    )
    await measured('first message', 'sessions.send to the end of the turn; the model answers from another thread', () =>
      turn(app.client, sessionId),
    )
    await measured('second message', 'the same again', () => turn(app.client, sessionId))
    await measured('changes', 'changes.list, ten times', () => times(10, () => app.client.changes.list({ sessionId })))
    await measured('terminals of old calls', 'terminals.attach of ten calls', () =>
      times(10, (n) => firstItem(app.client.terminals.attach({ sessionId, toolCallId: ToolCallId.parse(`call-${n * 150}-1`) }, never()))),
    )
    await measured('ten older pages', 'sessions.page, 100 entries each', () =>
      times(10, (n) => app.client.sessions.page({ sessionId, before: 400 * (n + 1), limit: 100 })),
    )
  } finally {
    await app.close()
  }
  await raiseVersion(data)
  const again = await openApp(data, project)
  try {
    await measured('open after a raised projection version', 'sessions.open to its snapshot', () =>
      firstItem(again.client.sessions.open({ sessionId, cursor: null }, never())),
    )
  } finally {
    await again.close()
    await model.close()
  }
  return figures
}

async function manySessions(folder: string): Promise<readonly Figure[]> {
  const project = made(folder, 'project')
  const data = made(folder, 'data')
  const config = { provider: 'anthropic', model: 'claude-haiku-4-5', mode: 'full', effort: null, baseUrl: null } as const
  const seed = (n: number): Seed => ({ sessionId: `session-${n}`, cwd: project, config, ...MANY })
  await seeded(data, (store) => {
    for (let n = 0; n < MANY.sessions; n++) seedSession(store, seed(n))
  })
  const size = megabytes(data)
  const figures: Figure[] = []
  const measured = async (what: string, how: string, work: () => Promise<unknown>): Promise<void> => {
    figures.push({ promise: `${what}, ${size} MB in ${MANY.sessions} sessions`, value: told(await watchMain(work)), method: how })
  }
  let app: OpenApp | null = null
  await measured('start', 'createServedApp to the list of sessions', async () => {
    app = await openApp(data, project)
    await firstItem(app.client.sessions.list({}, never()))
  })
  const open = app as OpenApp | null
  if (!open) return figures
  try {
    await measured('open 40 sessions', 'sessions.open to the snapshot, one after the other', () =>
      times(40, (n) => firstItem(open.client.sessions.open({ sessionId: SessionId.parse(`session-${n * 40}`), cursor: null }, never()))),
    )
  } finally {
    await open.close()
  }
  return figures
}

interface OpenApp {
  readonly client: AppClient
  close(): Promise<void>
}

async function openApp(dataFolder: string, project: string): Promise<OpenApp> {
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

async function turn(client: AppClient, sessionId: SessionId): Promise<void> {
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
    const known = item.kind === 'all' ? item.sessions.find((one) => one.sessionId === sessionId) : item.session
    if (known?.sessionId === sessionId && known.run === 'IDLE') break
  }
  abort.abort()
}

const never = (): AbortSignal => new AbortController().signal

async function firstItem(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream) return
}

async function times(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) {
    await work(n)
    // Each is a message of its own.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function made(folder: string, name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  return path
}

async function seeded(data: string, write: (store: Store) => void): Promise<void> {
  const opened = await openStore(data)
  if (!opened.ok) throw new Error(opened.failure.what)
  write(opened.value)
  opened.value.close()
}

async function raiseVersion(data: string): Promise<void> {
  const { default: Database } = await import('better-sqlite3')
  const db = new Database(join(data, 'countersign.db'))
  db.exec('UPDATE sessions SET version = 0')
  db.close()
}

const megabytes = (data: string): number => Math.round(statSync(join(data, 'countersign.db')).size / 1e6)

/** A model that answers every request with one word, in a thread of its own, so that its work does not count as ours. */
async function startModel(): Promise<{ readonly url: string; close(): Promise<unknown> }> {
  const worker = new Worker(new URL('one-word-model.ts', import.meta.url))
  const port = await new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  return { url: `http://127.0.0.1:${port}`, close: () => worker.terminate() }
}
