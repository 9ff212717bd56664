import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { MIGRATIONS } from '../../main/store/database/migrations.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { type Place, place } from '../headless/support/model-place.ts'
import { opened } from '../store/support/stores.ts'
import { toVersionTwo } from '../store/support/version-two.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { treeOf } from './file-tree.ts'
import { checkStore, killRounds, repeatable } from './kill-rounds.ts'
import { runChild } from './run-child.ts'

const FIRST = { 'mine.txt': 'mine\n', 'old.txt': 'old\n' }
const LONG = 'long line\n'.repeat(9_000)
const PATCH = ['*** Begin Patch', '*** Update File: mine.txt', '@@', '-mine', '+theirs', '*** Delete File: old.txt', '*** End Patch', '']

/** Creates a folder with two files, and a model that changes one of them, deletes the other and writes two new ones. */
async function project(): Promise<Place> {
  const at = await place(({ body }) => {
    const said = JSON.stringify(body.messages)
    if (!said.includes('new.txt')) return calls(call('write_file', { file_path: 'dir/new.txt', content: 'new\n' }))
    if (!said.includes('Begin Patch')) return calls(call('apply_patch', { patch: PATCH.join('\n') }))
    return said.includes('long.txt') ? say('Written.') : calls(call('write_file', { file_path: 'long.txt', content: LONG }))
  })
  for (const [name, text] of Object.entries(FIRST)) writeFileSync(join(at.cwd, name), text)
  return at
}

const WRITE = ['--approve', 'all', '--sandbox', 'off', 'write files'] as const
/** Starts the app once. Each launch removes what a killed process left unfinished. */
const start = (at: Place): Promise<unknown> => runAgent(['export', 's_none'], at)

/** Returns the ids of all sessions with the number of their events, newest first. */
async function sessionsIn(data: string): Promise<readonly (readonly [SessionId, number])[]> {
  const store = await opened(data)
  const all = store.sessions.list().map(({ sessionId }) => [sessionId, [...store.log(sessionId).read()].length] as const)
  store.close()
  return all
}

/** Creates a project in which the model has worked, and its session. */
async function worked(): Promise<{ readonly at: Place; readonly id: SessionId; readonly events: number }> {
  const at = await project()
  const outcome = await runAgent(WRITE, at)
  expect([outcome.code, outcome.stderr]).toEqual([0, ''])
  const [[id, events] = ['' as SessionId, 0]] = await sessionsIn(at.data)
  return { at, id, events }
}

/** Returns a function that runs `children/store-task.ts`. */
const storeTask =
  (task: 'fork' | 'delete' | 'clean', { data }: Place, id: SessionId) =>
  (env: Readonly<Record<string, string>>) =>
    runChild('store-task.ts', [task, data, id], env)

async function checkpoints(rounds: number): Promise<void> {
  const at = await project()
  await killRounds(at, WRITE, {
    rounds,
    async check(killed) {
      await start(at)
      await checkStore(at.data, killed)
      const { stderr } = await runAgent(['rollback', '0'], at)
      expect([killed, treeOf(at.cwd), stderr]).toEqual([killed, FIRST, stderr])
    },
  })
}

async function migrations(rounds: number): Promise<void> {
  const { at, id, events } = await worked()
  const file = join(at.data, 'countersign.db')
  toVersionTwo(file)
  const versionOf = (path: string): unknown => {
    const db = new Database(path, { readonly: true })
    const found = [db.pragma('user_version', { simple: true }), db.prepare('SELECT count(*) FROM events').pluck().get()]
    db.close()
    return found
  }
  await killRounds(at, ['export', id], {
    rounds,
    async check(killed) {
      if (existsSync(`${file}.bak-2`)) expect([killed, versionOf(`${file}.bak-2`)]).toEqual([killed, [2, events]])
      await start(at)
      expect([killed, versionOf(file)]).toEqual([killed, [MIGRATIONS.at(-1)?.version, events]])
      expect([killed, await sessionsIn(at.data)]).toEqual([killed, [[id, events]]])
      await checkStore(at.data, killed)
    },
  })
}

async function deletions(rounds: number): Promise<void> {
  const { at, id, events } = await worked()
  const [kept] = await storeTask('fork', at, id)({}).then(({ stdout }) => [JSON.parse(stdout) as SessionId])
  const before = await sessionsIn(at.data)
  expect(before).toHaveLength(2)
  await killRounds(at, storeTask('delete', at, id), {
    rounds,
    async check(killed, stdout) {
      await start(at)
      const left = await sessionsIn(at.data)
      const isGone = left.every(([other]) => other !== id)
      expect([killed, left]).toEqual([killed, before.filter(([other]) => other === kept || !isGone)])
      if (stdout !== '') expect([killed, isGone]).toEqual([killed, true])
      expect([killed, left.find(([other]) => other === id)?.[1] ?? events]).toEqual([killed, events])
      await checkStore(at.data, killed)
    },
  })
}

async function forks(rounds: number): Promise<void> {
  const { at, id, events } = await worked()
  let whole = 0
  await killRounds(at, storeTask('fork', at, id), {
    rounds,
    async whole() {
      whole = (await sessionsIn(at.data)).find(([other]) => other !== id)?.[1] ?? 0
      expect(whole).toBeGreaterThan(events / 2)
    },
    async check(killed, stdout) {
      await start(at)
      const left = await sessionsIn(at.data)
      expect([killed, left.filter(([other]) => other === id)]).toEqual([killed, [[id, events]]])
      const forked = left.filter(([other]) => other !== id)
      expect([killed, forked]).toEqual([killed, forked.slice(0, 1).map(([other]) => [other, whole])])
      if (stdout !== '') expect([killed, forked[0]?.[0]]).toEqual([killed, JSON.parse(stdout)])
      await checkStore(at.data, killed)
    },
  })
}

const DAMAGED = '{"kind":'

async function repairs(rounds: number): Promise<void> {
  const { at, id, events } = await worked()
  const db = new Database(join(at.data, 'countersign.db'))
  db.exec(`UPDATE events SET event = '${DAMAGED}' WHERE seq = (SELECT max(seq) FROM events WHERE event ->> 'kind' = 'USAGE')`)
  db.exec('UPDATE sessions SET cursor = 3')
  db.close()
  const aside = join(at.data, 'set-aside.jsonl')
  await killRounds(at, ['doctor', '--repair'], {
    rounds,
    async whole(changes) {
      const indexOf = (part: string): number => changes.findIndex((one) => one.includes(part))
      const opens = indexOf('set-aside.jsonl')
      const updates = indexOf('UPDATE events SET event')
      expect([opens !== -1, updates > opens]).toEqual([true, true])
      expect(changes.slice(opens, updates).map((one) => one.trim().split(' ')[0])).toContain('fdatasyncSync')
    },
    async check(killed) {
      await start(at)
      const next = await runAgent(['doctor', '--repair'], at)
      expect([killed, next.code, next.stderr]).toEqual([killed, 0, ''])
      const lines = readFileSync(aside, 'utf8').trimEnd().split('\n')
      const texts = lines.map((line) => (JSON.parse(line) as { readonly event: string }).event)
      expect([killed, new Set(texts)]).toEqual([killed, new Set([DAMAGED])])
      expect([killed, await sessionsIn(at.data)]).toEqual([killed, [[id, events]]])
      await checkStore(at.data, killed)
    },
  })
}

/** Stores this many blobs of this size that no session refers to. */
async function addUnreferenced(data: string, count: number, bytes: number): Promise<void> {
  const store = await opened(data)
  for (let index = 0; index < count; index++) store.blobs.put(randomBytes(bytes))
  store.close()
}

async function cleanings(rounds: number): Promise<void> {
  const { at, id, events } = await worked()
  await addUnreferenced(at.data, 150, 10_000)
  await addUnreferenced(at.data, 3, 400_000)
  await killRounds(at, storeTask('clean', at, id), {
    rounds,
    async check(killed) {
      await start(at)
      expect([killed, await sessionsIn(at.data)]).toEqual([killed, [[id, events]]])
      await checkStore(at.data, killed)
    },
  })
}

/**
 * Tests kills during the rewrite of an entire database, which SQLite does once for a database of an early version. The kills are spread
 * over the duration of the rewrite.
 */
async function rewrites(rounds: number): Promise<void> {
  const { at, id, events } = await worked()
  const file = join(at.data, 'countersign.db')
  await addUnreferenced(at.data, 600, 60_000)
  const db = new Database(file)
  db.pragma('auto_vacuum = NONE')
  db.exec('VACUUM')
  db.exec('DELETE FROM blobs WHERE length(bytes) = 60000 AND rowid % 2')
  const began = performance.now()
  db.exec(`VACUUM INTO '${file}.timed'`)
  const rewriteMs = performance.now() - began
  db.close()
  rmSync(`${file}.timed`)
  const { restore, run } = await repeatable(at, storeTask('clean', at, id))
  let kills = 0
  for (let round = 0; round < rounds; round++) {
    restore()
    const ms = (rewriteMs * (round + 1)) / (rounds + 1)
    const { outcome } = await run({ KILL_IN_REWRITE: `${ms}` })
    if (outcome.code === null) kills++
    const killed = { at: round, before: `${Math.round(ms)} ms of the rewriting` }
    await start(at)
    expect([killed, await sessionsIn(at.data)]).toEqual([killed, [[id, events]]])
    await checkStore(at.data, killed)
  }
  expect(kills).toBeGreaterThan(0)
}

/** The number of kills per operation: `COUNTERSIGN_KILLS`, or the default number. */
export const killCount = (byDefault: number): number => Number(process.env['COUNTERSIGN_KILLS'] ?? byDefault)

/** The operations that are killed, each with the promise that is checked after the next launch. Each test accepts the number of kills. */
export const STORE_KILLS = [
  ['a run that changes files', 'every file can be rolled back to its original content', checkpoints],
  ['a migration', 'the schema is the newest and no event is missing', migrations],
  ['a deletion', 'the session is either gone or complete, and its fork is intact', deletions],
  ['a fork', 'the fork is either complete or gone, and its source is unchanged', forks],
  ['a clean-up', 'every session is complete and its data is intact', cleanings],
  ['a rewrite of the database file', 'every session is complete', rewrites],
  ['a repair by the doctor', 'the damaged text is in the file and the next repair finishes', repairs],
] as const
