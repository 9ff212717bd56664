import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, calls, say, text } from '../support/scripted-model.ts'
import { NO_SMALL_DISK, type SmallDisk, smallDisk } from '../support/small-disk.ts'
import { agentArgs, type AgentOutcome, ofKind, ROOT, runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'
import { kept, storedEvents } from './support/stored-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DATABASE = 'countersign.db'
const linesOf = ({ stderr }: Pick<AgentOutcome, 'stderr'>): readonly string[] => stderr.trimEnd().split('\n')
/** Time limit in ms of a test in which the database is locked. The store waits some seconds for a lock before it gives up. */
const LOCKED_MS = 90_000
const COMMAND = calls(call('shell', { command: 'echo ran > proof' }))

/** Creates a data folder with one session that ended well. */
async function used() {
  const at = await place(() => say('Done.'))
  expect((await runAgent(['the first task'], at)).code).toBe(0)
  return { ...at, file: join(at.data, DATABASE) }
}

function lock(file: string): Database.Database {
  const other = new Database(file)
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE held (x)')
  onTestFinished(() => void other.close())
  return other
}

/** Mounts a small disk that is removed when the test has finished. */
function diskOf(megabytes: number): SmallDisk | null {
  const disk = smallDisk(megabytes)
  onTestFinished(() => disk?.remove())
  return disk
}

describe('a history that cannot be opened is reported in three lines with exit code 1, and no request is sent', () => {
  test('it is locked by another process', { timeout: LOCKED_MS }, async () => {
    const at = await used()
    const other = lock(at.file)
    const outcome = await runAgent(['the second task'], at)
    other.exec('ROLLBACK')
    other.close()
    expect({ code: outcome.code, stdout: outcome.stdout, requests: at.model.requests.length }).toEqual({ code: 1, stdout: '', requests: 1 })
    expect(linesOf(outcome)).toEqual([
      expect.stringMatching(/^Another process keeps the history locked/),
      'Everything saved so far is kept. The newest step is not saved.',
      'Close other Countersign windows or tools that have the file open, then try again.',
    ])
    expect(kept(await storedEvents(at.data), 'USER_INPUT').map(({ text }) => text)).toEqual(['the first task'])
  })

  test('it was written by a newer version', async () => {
    const at = await used()
    const newer = new Database(at.file)
    newer.exec('ALTER TABLE events ADD COLUMN invented TEXT')
    newer.pragma('user_version = 99')
    newer.close()
    const bytes = readFileSync(at.file)
    const outcome = await runAgent(['the second task'], at)
    expect({ code: outcome.code, stdout: outcome.stdout, requests: at.model.requests.length }).toEqual({ code: 1, stdout: '', requests: 1 })
    expect(linesOf(outcome)).toEqual([
      expect.stringMatching(/^The history was written by a newer version of Countersign\./),
      'The history is intact. It can be read here but not changed.',
      'Install the newer version again.',
    ])
    expect(readFileSync(at.file).equals(bytes)).toBe(true)
  })

  test('the data folder belongs to another user (dropped user id)', async ({ skip }) => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return skip('needs Linux and the right to drop the user id')
    const at = await used()
    const project = temporaryFolder('theirs')
    await chmod(project, 0o777)
    await chmod(at.data, 0o700)
    const args = ['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, ...agentArgs(['x'], { ...at, cwd: project })]
    const outcome = spawnSync('setpriv', args, { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env['PATH'], ...at.env } })
    expect({ code: outcome.status, stdout: outcome.stdout, requests: at.model.requests.length }).toEqual({
      code: 1,
      stdout: '',
      requests: 1,
    })
    expect(linesOf(outcome)).toEqual([
      `${at.data} belongs to another user (number 0), who could read and change everything in it.`,
      'Nothing was opened or changed.',
      'Make it your own (chown), or start with another data folder: --data DIR.',
    ])
    expect(kept(await storedEvents(at.data), 'USER_INPUT').map(({ text }) => text)).toEqual(['the first task'])
  })

  test('the disk is full', async ({ skip }) => {
    const disk = diskOf(1)
    if (!disk) return skip(NO_SMALL_DISK)
    disk.fill()
    const at = { ...(await place([say('Never said.')])), data: disk.path }
    const outcome = await runAgent(['x'], at)
    expect({ code: outcome.code, stdout: outcome.stdout, requests: at.model.requests.length }).toEqual({ code: 1, stdout: '', requests: 0 })
    expect(linesOf(outcome)).toEqual([
      expect.stringMatching(/^The disk is full: the history cannot be saved\./),
      'Everything saved so far is kept. The newest step is not saved.',
      'Free some space, then try again.',
    ])
  })
})

describe('if the history becomes unwritable during a task, no effect happens unless it is stored', () => {
  test('the disk fills up', async ({ skip }) => {
    const disk = diskOf(8)
    if (!disk) return skip(NO_SMALL_DISK)
    const data = join(disk.path, 'data')
    await mkdir(data)
    // The text is longer than the database journal. A shorter text could still be written on the full disk, because the journal's space is
    // reused once its content is in the database file.
    const answers = [calls(text('long '.repeat(400_000)), call('shell', { command: 'echo ran > proof' })), say('Then not.')]
    const at = await place(({ index }) => {
      if (index === 0) disk.fill()
      return answers[index] ?? say('x'.repeat(10))
    })
    const outcome = await runAgent(['--approve', 'all', 'the task'], { ...at, data })
    await expectNothingLost(outcome, at.cwd, data, /^The disk is full/, () => disk.free())
  })

  test('another process locks it', { timeout: LOCKED_MS }, async () => {
    const answers = [COMMAND, say('Then not.')]
    let other: Database.Database | null = null
    const at = await place(({ index }) => {
      if (index === 0) {
        other = new Database(join(at.data, DATABASE))
        other.exec('BEGIN IMMEDIATE')
      }
      return answers[index] ?? say('x')
    })
    onTestFinished(() => void other?.close())
    const outcome = await runAgent(['--approve', 'all', 'the task'], at)
    await expectNothingLost(outcome, at.cwd, at.data, /^Another process keeps the history locked/, () => other?.exec('ROLLBACK'))
  })
})

async function expectNothingLost(outcome: AgentOutcome, cwd: string, data: string, what: RegExp, mend: () => void): Promise<void> {
  expect(outcome.code).toBe(1)
  expect(linesOf(outcome)).toEqual([
    expect.stringMatching(what),
    'Everything saved so far is kept. The newest step is not saved.',
    expect.stringMatching(/then try again\.$/),
  ])
  expect(existsSync(join(cwd, 'proof')), 'the command ran although that could not be written down').toBe(false)
  mend()
  const stored = await storedEvents(data)
  const told = outcome.events.filter(({ kind }) => stored.some((event) => event.kind === kind)) as typeof stored
  expect(kept(stored, 'USER_INPUT').map(({ text }) => text)).toEqual(['the task'])
  expect(told.slice(0, stored.length)).toEqual(stored)
  // The line of an event that is not on disk contains `saved: false`.
  const lines = outcome.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly seq: number | null; readonly saved?: boolean })
  const durable = lines.filter(({ seq }) => seq !== null)
  expect(durable.map(({ saved }) => saved ?? true)).toEqual(durable.map((_, index) => index < stored.length))
  expect(durable.length).toBeGreaterThan(stored.length)
  expect(ofKind(outcome, 'TOOL_EXECUTION_START')).toEqual([])
}
