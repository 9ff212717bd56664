import './preflight.mjs'
import { homedir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { createDriver } from './driver/driver.ts'
import { createFolders } from './driver/folders.ts'
import { linesOf } from './driver/lines.ts'
import { type DriverAnswer, refusal, written } from './driver/request.ts'
import { createLocalExecutionEnvironment } from './environment/local.ts'
import { sweepTemporaryFolders } from './environment/temporary-folder.ts'
import { createTemporaryBlobs } from './store/blobs/temporary-blobs.ts'
import { createWorkspaces } from './workspace/workspaces.ts'

/**
 * The driver: JSON lines in, JSON lines out, for suites that call our public functions from outside (test/driver.md). It reads no settings,
 * opens no store and no port. Requests in one folder run in their order, folders side by side; the end of the input ends it after the last answer.
 */
const MAX_LINE_CHARS = 64 * 1024 * 1024

/** How long requests have to end when the driver is ended, ms. */
const LAST_MS = 5_000

void sweepTemporaryFolders()

const stop = new AbortController()
const blobs = createTemporaryBlobs()
const workspaces = createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home: homedir(), ownFolders: [] })
const answer = createDriver(createFolders(workspaces, stop.signal, blobs), stop.signal)
const open = new Set<Promise<void>>()

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void end(128))
// A fault of one request may not take the answers of all others with it.
for (const name of ['uncaughtException', 'unhandledRejection'] as const) process.on(name, (error) => console.error(error))
// Whoever reads the answers has gone.
process.stdout.on('error', () => void end(1))

for await (const line of linesOf(process.stdin, MAX_LINE_CHARS)) {
  if (line.kind === 'too_long') say(refusal(null, `The line is longer than ${MAX_LINE_CHARS} characters and was left out.`))
  else {
    const one: Promise<void> = answer(line.text)
      .then(say)
      .finally(() => open.delete(one))
    open.add(one)
  }
}
await Promise.all(open)
await workspaces.closeAll()
blobs.remove()

function say(given: DriverAnswer): void {
  process.stdout.write(written(given))
}

async function end(code: number): Promise<void> {
  stop.abort(new Error('the driver was ended'))
  await workspaces.closeAll()
  // Sessions take their data folders with them.
  await Promise.race([Promise.allSettled([...open]), setTimeout(LAST_MS, undefined, { ref: false })])
  blobs.remove()
  process.exit(code)
}
