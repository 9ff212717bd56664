import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import { type AgentOutcome, runAgent } from '../headless/support/agent-process.ts'
import { type Place, place } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { NO_SMALL_DISK, type SmallDisk, smallDisk } from '../support/small-disk.ts'
import { checkStore, repeatable } from './kill-rounds.ts'

/** Long enough that each file is stored as a file of its own, not in the database. */
const text = (word: string): string => `${word}\n`.repeat(4_500)
const lines = (first: string, last: string): string => `${first}\n${text('between')}${last}\n`

/** The step that is undone: it modifies, creates and deletes files, changes a mode, creates a folder, and replaces a file with a link. */
const STEP = [
  'yes changed | head -4500 > modified',
  'mkdir folder',
  'yes new | head -4500 > folder/created',
  'rm gone/deleted',
  'rmdir gone',
  'chmod 755 mode',
  'rm replaced; ln -s modified replaced',
  'sed -i 1s/first/FIRST/ merged',
].join('; ')

/** Returns the entries of a folder by path: the mode and content of files, the targets of links, and null for folders. */
function entriesOf(folder: string): Readonly<Record<string, string | null>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const content = entry.isSymbolicLink()
      ? `link to ${readlinkSync(path)}`
      : entry.isFile()
        ? `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'utf8')}`
        : null
    return [path.slice(folder.length + 1), content] as const
  })
  return Object.fromEntries(entries)
}

interface Disks {
  readonly project: SmallDisk
  readonly data: SmallDisk
}

/** Creates a project on one small disk, with its history on the other one, in which the model has made two steps. */
async function twoSteps({ project, data }: Disks): Promise<Place> {
  const shell = (command: string) => calls(call('shell', { command }))
  const at = {
    ...(await place([shell(STEP), shell('sed -i s/last/LAST/ merged'), say('Done.')])),
    cwd: join(project.path, 'project'),
    data: join(data.path, 'data'),
  }
  for (const folder of [at.cwd, at.data, join(at.cwd, 'gone')]) mkdirSync(folder)
  const files = { modified: text('old'), 'gone/deleted': text('deleted'), mode: text('mode'), replaced: text('replaced'), mine: 'mine\n' }
  for (const [name, content] of Object.entries({ ...files, merged: lines('first', 'last') })) {
    writeFileSync(join(at.cwd, name), content)
    chmodSync(join(at.cwd, name), 0o644)
  }
  const run = await runAgent(['--approve', 'all', '--sandbox', 'off', 'Begin'], at)
  expect([run.code, run.stderr]).toEqual([0, ''])
  return at
}

/** Where the undo was when the disk became full. */
interface Round {
  readonly at: number
  readonly before: string
}

type Outcome = Pick<AgentOutcome, 'code' | 'stdout' | 'stderr'>

interface ReportedFile {
  readonly kind: string
  readonly path: string
}

/** The files in the outcome of a command, by path without a slash at the end. Empty if the command reported none. */
function reported({ stdout }: Outcome): ReadonlyMap<string, string> {
  const last = stdout.trim().split('\n').at(-1) ?? ''
  const { files } = (last === '' ? { files: [] } : JSON.parse(last)) as { readonly files: readonly ReportedFile[] }
  return new Map(files.map(({ kind, path }) => [path.replace(/\/$/u, ''), kind]))
}

/** The disk that becomes full, and whether it takes no more bytes or no more files. */
export const FULL = [
  ['project', 'space'],
  ['data', 'space'],
  ['project', 'names'],
  ['data', 'names'],
] as const

export const COMMANDS = [
  ['an undo of one step', [], ['undo', '1']],
  ['a rollback', [], ['rollback', '0']],
  ['a redo', [['undo', '1']], ['redo', 'last']],
] as const

/**
 * Runs a command again and again. Each time, the disk becomes full before another change that the command makes to the disk. Checks that
 * every file is unchanged or finished, that the message is complete and true, and that the command succeeds once there is room.
 */
export async function fillDuring(
  [, first, args]: (typeof COMMANDS)[number],
  [which, full]: (typeof FULL)[number],
  rounds: number,
  skip: (why: string) => void,
): Promise<void> {
  const project = smallDisk(8)
  const data = smallDisk(32)
  for (const disk of [project, data]) onTestFinished(() => disk?.remove())
  if (!project || !data) return skip(NO_SMALL_DISK)
  const disks = { project, data }
  const at = await twoSteps(disks)
  for (const one of first) await runAgent(one, at)
  const before = entriesOf(at.cwd)
  const { restore, run } = await repeatable(at, args)
  const ballast = join(disks[which].path, 'ballast')
  mkdirSync(ballast)
  onTestFinished(() => rmSync(ballast, { recursive: true, force: true }))
  const [variable, path] = full === 'space' ? ['FILL_DISK', join(ballast, 'file')] : ['FILL_NAMES', join(ballast, 'name')]
  const { outcome: whole, changes } = await run({ KILL_AT: '0' })
  expect([whole.code, whole.stderr]).toEqual([0, ''])
  const after = entriesOf(at.cwd)
  // The changes before the claim of the session belong to the start of the app.
  const claimed = changes.findIndex((change) => change.includes('INTO leases'))
  const step = Math.max(1, Math.floor((changes.length - claimed) / rounds))
  let fills = 0
  for (let fillAt = claimed + step; fillAt <= changes.length; fillAt += step) {
    restore()
    const { outcome, changes: made } = await run({ KILL_AT: `${fillAt}`, [variable]: path })
    // The number of changes differs by a few from run to run, so this run may end before the change at which the disk would be filled.
    if (made.length < fillAt) continue
    fills++
    const round = { at: fillAt, before: made[fillAt - 1]?.trim() ?? '' }
    expectTruth(round, outcome, { before, now: entriesOf(at.cwd), after })
    rmSync(ballast, { recursive: true })
    mkdirSync(ballast)
    if (outcome.code === 0) expect([round, newestEvent(at.data)]).toEqual([round, 'ROLLED_BACK'])
    const again = await runAgent(args, at)
    const isDone = /There is nothing to (?:undo|redo)/u.test(again.stderr)
    expect([round, again.code, again.stderr]).toEqual([round, isDone ? 1 : 0, isDone ? again.stderr : ''])
    expect([round, entriesOf(at.cwd)]).toEqual([round, after])
    await checkStore(at.data, round)
  }
  expect(fills).toBeGreaterThanOrEqual(rounds / 2)
}

function newestEvent(data: string): unknown {
  const db = new Database(join(data, 'countersign.db'), { readonly: true })
  try {
    return db.prepare("SELECT event ->> 'kind' FROM events ORDER BY seq DESC LIMIT 1").pluck().get()
  } finally {
    db.close()
  }
}

interface Entries {
  readonly before: Readonly<Record<string, string | null>>
  readonly now: Readonly<Record<string, string | null>>
  readonly after: Readonly<Record<string, string | null>>
}

function expectTruth(round: Round, outcome: Outcome, { before, now, after }: Entries): void {
  const files = reported(outcome)
  const said = [outcome.code, outcome.stdout, outcome.stderr]
  for (const path of new Set([...Object.keys(before), ...Object.keys(now), ...Object.keys(after)])) {
    const old = before[path]
    const is = now[path]
    const wanted = after[path]
    expect([round, path, said, is === old || is === wanted, is?.slice(0, 40)]).toEqual([round, path, said, true, is?.slice(0, 40)])
    const kind = files.get(path)
    if (kind !== undefined && old !== wanted) expect([round, path, said, is === wanted]).toEqual([round, path, said, kind !== 'skipped'])
  }
  if (outcome.code === 0) return expect([round, now]).toEqual([round, after])
  expect([round, ...said]).toEqual([round, 1, outcome.stdout, outcome.stderr])
  expect([round, ...said, `${outcome.stdout}${outcome.stderr}`]).toEqual([
    round,
    ...said,
    expect.stringMatching(/disk is full|no space|ENOSPC/iu),
  ])
  if (outcome.stderr.includes('All files are unchanged.')) expect([round, now]).toEqual([round, before])
}
