import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { DATABASE_FILE } from '../../main/store/file-names.ts'
import type { SessionListItem } from '../../shared/api/sessions.ts'
import type { StorageReport, Weight } from '../../shared/api/storage.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { call, calls, gate, say } from '../support/scripted-model.ts'
import { ask, openDesk, type ServedDesk, staying, until } from './support/served-desk.ts'

const write = (path: string, content: string) => calls(call('write_file', { file_path: path, content }))
const LARGE = (letter: string): string => `${letter.repeat(99)}\n`.repeat(2_000)
const SMALL = (letter: string): string => `${letter.repeat(99)}\n`.repeat(40)

async function weigh({ client }: ServedDesk, sessionId: SessionId): Promise<Weight> {
  const found = await client.storage.weigh({ sessionIds: [sessionId] })
  if (!found.ok) throw new Error(found.trouble.what)
  return found.weight
}

async function measure({ client }: ServedDesk): Promise<StorageReport> {
  const found = await client.storage.measure({})
  if (!found.ok) throw new Error(found.trouble.what)
  return found.report
}

/** Counts what is in the data folder by reading the folder directly, without the app. */
function onDisk(data: string): { readonly blobs: number; readonly files: number; readonly tables: Readonly<Record<string, number>> } {
  const db = new Database(join(data, DATABASE_FILE), { readonly: true })
  const count = (table: string): number => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
  const tables = Object.fromEntries(['events', 'sessions', 'calls', 'file_changes', 'markers'].map((table) => [table, count(table)]))
  const blobs = db.prepare<[], number>('SELECT coalesce(sum(octet_length(bytes)), 0) FROM blobs').pluck().get() ?? 0
  db.close()
  const groups = readdirSync(join(data, 'blobs')).filter((name) => name.length === 2)
  const files = groups.flatMap((group) =>
    readdirSync(join(data, 'blobs', group)).map((name) => statSync(join(data, 'blobs', group, name)).size),
  )
  return { blobs, files: files.reduce((all, size) => all + size, 0), tables }
}

/** Creates two sessions that both wrote the same `shared.txt`. The first session also wrote a small and a large file of its own. */
async function twoSessions(): Promise<{ readonly desk: ServedDesk; readonly first: SessionId; readonly second: SessionId }> {
  const desk = await openDesk([
    write('own.txt', LARGE('a')),
    write('small.txt', SMALL('b')),
    write('shared.txt', LARGE('c')),
    say('One needle.'),
    write('copy.txt', LARGE('c')),
    say('Two needles.'),
  ])
  const first = await desk.session()
  await ask(desk, first, 'first')
  const second = await desk.session()
  await ask(desk, second, 'second')
  return { desk, first, second }
}

test('deleting a session frees exactly the space that was shown, and keeps what other sessions need', async () => {
  const { desk, first, second } = await twoSessions()
  const before = onDisk(desk.data)
  const shown = await weigh(desk, first)
  expect(shown.blobs).toBeGreaterThanOrEqual(LARGE('a').length + SMALL('b').length)
  expect(shown.shared).toBeGreaterThanOrEqual(LARGE('c').length)
  // The app does not remove new blobs at once. After a restart it no longer knows which blobs are new.
  const again = await desk.again()
  expect(await again.client.storage.delete({ sessionIds: [first], shown })).toEqual({ kind: 'deleted', freed: shown })
  const after = onDisk(desk.data)
  expect(before.blobs + before.files - after.blobs - after.files).toBe(shown.blobs)
  expect(after.tables).toMatchObject({ sessions: 1 })
  const db = new Database(join(desk.data, DATABASE_FILE), { readonly: true })
  expect(db.prepare('SELECT DISTINCT session_id FROM events').pluck().all()).toEqual([second])
  db.close()
  const { files } = await again.client.changes.list({ sessionId: second })
  const texts = await Promise.all(
    files
      .flatMap(({ before: was, after: is }) => [was, is])
      .flatMap((hash) => (hash ? [again.client.changes.blob({ sessionId: second, hash })] : [])),
  )
  expect(texts.map(({ kind }) => kind)).toEqual(['text'])
  expect(readFileSync(join(desk.folder, 'own.txt'), 'utf8')).toBe(LARGE('a'))
})

test('a deleted session disappears from the list, the search and the counts, and cannot be opened', async () => {
  const { desk, first } = await twoSessions()
  const search = async (): Promise<number> => {
    const found = await desk.client.history.search({ words: 'needle' })
    return found.ok ? found.answer.total : -1
  }
  expect(await search()).toBe(2)
  const seen: SessionListItem[] = []
  const listening = until(desk.client.sessions.list({}, staying()), (item) => {
    seen.push(item)
    return item.kind === 'removed'
  })
  const shown = await weigh(desk, first)
  expect(await desk.client.storage.delete({ sessionIds: [first], shown })).toMatchObject({ kind: 'deleted' })
  await listening
  expect(seen.at(-1)).toEqual({ kind: 'removed', sessionId: first })
  expect(await search()).toBe(1)
  const [item] = await until(desk.client.sessions.open({ sessionId: first, cursor: null }, staying()))
  expect(item).toMatchObject({ kind: 'reset' })
  const again = await desk.again()
  const [all] = await until(again.client.sessions.list({}, staying()), () => true)
  expect(all).toMatchObject({ kind: 'all', sessions: [{ title: 'second' }] })
})

test('if the sizes changed, or the session is pinned or running, deletion is refused and nothing is deleted', async () => {
  const held = gate()
  const desk = await openDesk(async ({ index }) => {
    if (index === 1) await held.opened
    return say('One.')
  })
  const sessionId = await desk.session()
  await ask(desk, sessionId, 'first')
  const shown = await weigh(desk, sessionId)
  const remove = (weight: Weight) => desk.client.storage.delete({ sessionIds: [sessionId], shown: weight })
  expect(await remove({ ...shown, events: shown.events + 1 })).toEqual({ kind: 'changed', weight: shown })
  await desk.client.sessions.flag({ sessionId, flag: 'pinned', isOn: true })
  expect(await remove(shown)).toMatchObject({ kind: 'refused', trouble: { code: 'session_pinned' } })
  await desk.client.sessions.flag({ sessionId, flag: 'pinned', isOn: false })
  await desk.client.sessions.send({ sessionId, inputId: 'in_more', text: 'more', delivery: 'queue' })
  await desk.model.request(1)
  expect(await remove(await weigh(desk, sessionId))).toMatchObject({ kind: 'refused', trouble: { code: 'session_works' } })
  expect(await desk.client.storage.clean({})).toMatchObject({ kind: 'refused', trouble: { code: 'turn_runs' } })
  held.open()
  expect(onDisk(desk.data).tables).toMatchObject({ sessions: 1 })
})

test('after a deletion the database file shrinks, and a cleanup finds nothing left', async () => {
  const answers = Array.from({ length: 5 }, (_, at) => say(`${String(at).repeat(20)} `.repeat(12_000)))
  const desk = await openDesk([...answers, say('Short.')])
  const first = await desk.session()
  for (let at = 0; at < 5; at++) await ask(desk, first, `request ${at}`)
  const second = await desk.session()
  await ask(desk, second, 'other')
  const before = (await measure(desk)).database
  const shown = await weigh(desk, first)
  expect(shown.events).toBeGreaterThan(1_000_000)
  await desk.client.storage.delete({ sessionIds: [first], shown })
  const report = await measure(desk)
  expect(before - report.database).toBeGreaterThan(shown.events * 0.9)
  expect(report).toMatchObject({ free: 0, sessions: [{ sessionId: second }], projects: [{ folder: desk.folder, sessions: 1 }] })
  expect(await desk.client.storage.clean({})).toEqual({ kind: 'cleaned', freed: 0, shrunk: 0 })
})

test('a cleanup removes only what no session needs', async () => {
  const { desk, first, second } = await twoSessions()
  const again = await desk.again()
  const db = new Database(join(desk.data, DATABASE_FILE))
  db.prepare('INSERT INTO blobs (hash, bytes) VALUES (?, ?)').run(Buffer.from('ab'.repeat(32), 'hex'), Buffer.from('nobody needs this'))
  db.close()
  expect((await measure(again)).unreferenced).toBe(17)
  const kept = [await weigh(again, first), await weigh(again, second)]
  const { sessions } = await measure(again)
  expect(sessions.toSorted((a) => (a.sessionId === first ? -1 : 1)).map(({ weight }) => weight)).toEqual(kept)
  expect(await again.client.storage.clean({})).toMatchObject({ kind: 'cleaned', freed: 17 })
  expect([await weigh(again, first), await weigh(again, second)]).toEqual(kept)
})

test('data that a killed process has only partly deleted is removed at the next launch', async () => {
  const { desk, first } = await twoSessions()
  const db = new Database(join(desk.data, DATABASE_FILE))
  db.prepare("INSERT INTO markers (session_id, name, value) VALUES (?, 'deleting', '')").run(first)
  db.prepare('DELETE FROM sessions WHERE session_id = ?').run(first)
  db.close()
  const again = await desk.again()
  const [all] = await until(again.client.sessions.list({}, staying()), () => true)
  expect(all).toMatchObject({ kind: 'all', sessions: [{ title: 'second' }] })
  expect(onDisk(desk.data).tables).toMatchObject({ sessions: 1 })
})

test('the flags “pinned” and “archived” reach every window and are stored', async () => {
  const desk = await openDesk([say('One.')])
  const sessionId = await desk.session()
  const told = until(desk.window().sessions.flags({}, staying()), ({ archived }) => archived.length === 1)
  await desk.client.sessions.flag({ sessionId, flag: 'pinned', isOn: true })
  await desk.client.sessions.flag({ sessionId, flag: 'archived', isOn: true })
  expect((await told).at(-1)).toEqual({ pinned: [sessionId], archived: [sessionId], forks: {}, imported: {} })
  const again = await desk.again()
  const [flags] = await until(again.client.sessions.flags({}, staying()), () => true)
  expect(flags).toEqual({ pinned: [sessionId], archived: [sessionId], forks: {}, imported: {} })
})

test('a fork keeps its contents when its source is deleted, and a search finds their common text once', async () => {
  const desk = await openDesk([write('a.txt', LARGE('a')), say('One needle.')])
  const source = await desk.session()
  await ask(desk, source, 'first')
  const forked = await desk.client.sessions.fork({ sessionId: source, point: { kind: 'step', step: 1 } })
  if (!forked.ok) throw new Error(forked.trouble.what)
  const found = await desk.client.history.search({ words: 'first' })
  expect(found.ok && found.answer.total).toBe(1)
  const again = await desk.again()
  const shown = await weigh(again, source)
  expect(shown.blobs).toBe(0)
  expect(await again.client.storage.delete({ sessionIds: [source], shown })).toMatchObject({ kind: 'deleted' })
  const { files } = await again.client.changes.list({ sessionId: forked.sessionId })
  const hash = files[0]?.after
  if (!hash) throw new Error('The fork has no changes.')
  expect(await again.client.changes.blob({ sessionId: forked.sessionId, hash })).toEqual({ kind: 'text', text: LARGE('a') })
})

test('an incomplete fork is removed at the next launch, and its source remains', async () => {
  const desk = await openDesk([say('One.')])
  const source = await desk.session()
  await ask(desk, source, 'first')
  const forked = await desk.client.sessions.fork({ sessionId: source, point: { kind: 'before', seq: 2 } })
  if (!forked.ok) throw new Error(forked.trouble.what)
  const db = new Database(join(desk.data, DATABASE_FILE))
  const note = JSON.stringify({ from: source, copiedTo: null, holder: 'a-dead-store' })
  db.prepare("UPDATE markers SET value = ? WHERE session_id = ? AND name = 'fork'").run(note, forked.sessionId)
  db.close()
  const again = await desk.again()
  const [all] = await until(again.client.sessions.list({}, staying()), () => true)
  expect(all).toMatchObject({ kind: 'all', sessions: [{ sessionId: source }] })
})
