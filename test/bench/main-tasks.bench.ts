import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { SessionId } from '../../shared/lib/ids.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import { firstItem, inFolder, made, type ModelPlan, never, type OpenApp, openApp, seeded, startModel, times, turn } from './bench-app.ts'
import type { Figure } from './figures.ts'
import { told, watchMain } from './main-watch.ts'
import { seedSession } from './seeded-session.ts'

const SESSIONS = 20
const DELTAS = 20_000
const OUTPUT_BYTES = 1_000_000_000
const CHANGED_FILES = 5_000
const FOLDERS = 50
/** `before`: turns that load and cache what the first use needs. `measured`: turns that are measured after that. */
const HEAP = { before: 10, measured: 40 } as const

/**
 * Measures the longest task of the main process in its busiest situations (target: 50 ms), and the memory that a finished session keeps.
 */
export async function benchMainTasks(): Promise<readonly Figure[]> {
  // The first, small runs do not count, because they load several hundred source files where the built app loads one bundle.
  await inFolder(lockedStart)
  const locked = await inFolder(lockedStart)
  for (const plan of [deltas(10), output(1_000_000)]) await inFolder((folder) => oneTurn(folder, plan, ''))
  await inFolder((folder) => oneTurn(folder, files(1), '', 'accept-edits'))
  return [
    locked,
    await inFolder((folder) => oneTurn(folder, deltas(DELTAS), `answer of ${DELTAS} deltas`)),
    await inFolder((folder) => oneTurn(folder, output(OUTPUT_BYTES), 'command with 1 GB of output')),
    await inFolder((folder) =>
      oneTurn(folder, files(CHANGED_FILES / FOLDERS), `command in a copy that changes ${CHANGED_FILES} files`, 'accept-edits'),
    ),
    await inFolder(heapPerSession),
  ]
}

const deltas = (count: number): ModelPlan => ({ kind: 'deltas', count })
const output = (bytes: number): ModelPlan => ({ kind: 'shell', command: `head -c ${bytes} /dev/zero | tr '\\0' x` })
const files = (perFolder: number): ModelPlan => ({
  kind: 'shell',
  command: `for d in $(seq ${FOLDERS}); do mkdir -p src/d$d; for f in $(seq ${perFolder}); do seq 20 > src/d$d/f$f.txt; done; done`,
})

const configFor = (url: string | null, mode: ApprovalMode = 'full') =>
  ({ provider: 'anthropic', model: 'claude-haiku-4-5', mode, effort: null, baseUrl: url }) as const

async function lockedStart(folder: string): Promise<Figure> {
  const project = made(folder, 'project')
  const data = made(folder, 'data')
  const model = await startModel({ kind: 'word' })
  await seeded(data, (store) => {
    for (let n = 0; n < SESSIONS; n++)
      seedSession(store, { sessionId: `s${n}`, cwd: project, config: configFor(model.url), rounds: 12, outputChars: 13_000 })
  })
  const lock = await lockedBy(join(data, 'countersign.db'))
  let app: OpenApp | null = null
  let refused = 0
  const watched = await watchMain(async () => {
    app = await openApp(data, project)
    const { client } = app
    await firstItem(client.sessions.list({}, never()))
    const one = async (n: number): Promise<void> => {
      const sessionId = SessionId.parse(`s${n}`)
      await firstItem(client.sessions.open({ sessionId, cursor: null }, never()))
      const sent = await client.sessions.send({ sessionId, inputId: `i${n}`, text: 'Go on.', delivery: 'queue', pictures: [] })
      if (!sent.ok) refused++
    }
    await Promise.all(Array.from({ length: SESSIONS }, (_, n) => one(n)))
  })
  await lock.terminate()
  await (app as OpenApp | null)?.close()
  await model.close()
  return {
    promise: `start with a locked store and ${SESSIONS} sessions`,
    value: `${told(watched)}; ${refused} of ${SESSIONS} messages refused`,
    method:
      'the second of two: another connection holds the write lock: createServedApp, sessions.list, then sessions.open and sessions.send of all sessions at once',
  }
}

/** Starts a thread that holds the database's write lock until it is terminated. */
async function lockedBy(file: string): Promise<Worker> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const db = new (require('better-sqlite3'))(workerData)
    db.exec('BEGIN IMMEDIATE')
    parentPort.on('message', () => {})
    parentPort.postMessage('locked')`
  const worker = new Worker(code, { eval: true, workerData: file })
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  return worker
}

async function oneTurn(folder: string, plan: ModelPlan, what: string, mode: ApprovalMode = 'full'): Promise<Figure> {
  const project = made(folder, 'project')
  const data = made(folder, 'data')
  const model = await startModel(plan)
  const warm = await startModel({ kind: 'word' })
  const ids = { warm: SessionId.parse('warm'), measured: SessionId.parse('measured') }
  await seeded(data, (store) => {
    seedSession(store, { sessionId: ids.warm, cwd: project, config: configFor(warm.url), rounds: 1, outputChars: 100 })
    seedSession(store, { sessionId: ids.measured, cwd: project, config: configFor(model.url, mode), rounds: 1, outputChars: 100 })
  })
  const app = await openApp(data, project)
  try {
    await turn(app.client, ids.warm)
    const abort = new AbortController()
    const watched = await watchMain(async () => {
      // A window has the session open, as when a user watches it.
      const window = drained(app.client.sessions.open({ sessionId: ids.measured, cursor: null }, abort.signal))
      await turn(app.client, ids.measured)
      abort.abort()
      await window
    })
    return {
      promise: what,
      value: told(watched),
      method: 'one turn of the whole app with the session open; the model answers from another thread',
    }
  } finally {
    await app.close()
    await Promise.all([model.close(), warm.close()])
  }
}

async function drained(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

async function heapPerSession(folder: string): Promise<Figure> {
  const project = made(folder, 'project')
  const data = made(folder, 'data')
  const model = await startModel({ kind: 'word' })
  const count = HEAP.before + HEAP.measured
  await seeded(data, (store) => {
    for (let n = 0; n < count; n++)
      seedSession(store, { sessionId: `s${n}`, cwd: project, config: configFor(model.url), rounds: 1, outputChars: 100 })
  })
  const app = await openApp(data, project)
  try {
    await times(HEAP.before, (n) => turn(app.client, SessionId.parse(`s${n}`)))
    const before = await heapBytes()
    await times(HEAP.measured, (n) => turn(app.client, SessionId.parse(`s${HEAP.before + n}`)))
    const kilobytes = ((await heapBytes()) - before) / HEAP.measured / 1_000
    return {
      promise: 'heap that a finished session keeps',
      value: `${kilobytes.toFixed(0)} kB`,
      method: `heap in use after a collection, after ${HEAP.before} and after ${count} sessions with one turn each, none open in a window`,
    }
  } finally {
    await app.close()
    await model.close()
  }
}

/** Returns the heap in use after a garbage collection. */
async function heapBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    collect()
  }
  return process.memoryUsage().heapUsed
}
