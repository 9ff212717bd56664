import '../../main/preflight.mjs'
import { homedir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { createDriver } from './program/driver.ts'
import { createFolders } from './program/folders.ts'
import { linesOf } from './program/input-lines.ts'
import { type DriverAnswer, refusal, written } from './program/request.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { useNoProgramsFrom } from '../../main/environment/own-programs/own-programs.ts'
import { openTemporaryFolder, sweepTemporaryFolders } from '../../main/environment/temporary-folder.ts'
import { createTemporaryBlobs } from './program/temporary-blobs.ts'
import { createWorkspaces } from '../../main/workspace/workspaces.ts'

/**
 * The driver: JSON lines in, JSON lines out, for test suites that call Countersign's public functions from outside (test/driver.md). It
 * reads no settings and opens no store or port. Requests for one folder run in order. Requests for different folders run in parallel.
 * When the input ends, the driver exits after the last answer.
 */
const MAX_LINE_CHARS = 64 * 1024 * 1024

/** Maximum time in ms that running requests have to finish when the driver is stopped. */
const LAST_MS = 5_000

if (process.argv.length > 2) {
  console.error(
    'The driver takes no arguments. It answers each JSON line on standard input with one line; test/driver.md lists the requests.',
  )
  process.exit(2)
}

// A launch of the app saves what programs in layers have changed.
void sweepTemporaryFolders(() => Promise.reject(new Error('Not saved here.')))

const stop = new AbortController()
const blobs = createTemporaryBlobs(await openTemporaryFolder('blobs'))
const workspaces = createWorkspaces({
  createEnvironment: createLocalExecutionEnvironment,
  onOpen: useNoProgramsFrom,
  home: homedir(),
  ownFolders: [],
})
const answer = createDriver(createFolders(workspaces, stop.signal, blobs), stop.signal)
const open = new Set<Promise<void>>()

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void end(128))
// After an error in one request, the other requests must still be answered.
for (const name of ['uncaughtException', 'unhandledRejection'] as const) process.on(name, (error) => console.error(error))
// The program that reads the answers has exited or closed the pipe.
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
  // The driver waits for the sessions, which remove their data folders when they end.
  await Promise.race([Promise.allSettled([...open]), setTimeout(LAST_MS, undefined, { ref: false })])
  blobs.remove()
  process.exit(code)
}
