import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { DATABASE_FILE } from '../../main/store/file-names.ts'
import type { ReviewComment } from '../../shared/api/changes/review.ts'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { BlobHash } from '../../shared/lib/ids.ts'
import { MAX_COMMENTS } from '../../shared/session/content.ts'
import { say } from '../support/scripted-model.ts'
import { openDesk, type ServedDesk, staying, until } from './support/served-desk.ts'

const BASE = 'a'.repeat(64) as BlobHash
const hunk = { key: 'k1', base: BASE, lines: [2, 3], after: 'b'.repeat(64) as BlobHash } as const
const comment: ReviewComment = {
  id: 'c_1',
  path: '/p/src/a.ts',
  shown: 'src/a.ts',
  side: 'after' as const,
  from: 4,
  to: 5,
  quoted: 'one\n  two\n',
  words: 'Is `two` needed?',
}

type SessionOf = Awaited<ReturnType<ServedDesk['session']>>

async function notesOf({ client }: ServedDesk, sessionId: SessionOf) {
  for await (const notes of client.review.notes({ sessionId }, staying())) return notes
  throw new Error('no notes')
}

test('marks and comments are still there after a restart, in their session', async () => {
  const desk = await openDesk()
  const sessionId = await desk.session()
  const other = await desk.session()
  expect(await desk.client.review.see({ sessionId, path: '/p/src/a.ts', hunks: [hunk], seen: true })).toEqual({ ok: true })
  expect(await desk.client.review.comment({ sessionId, comment })).toEqual({ ok: true })
  const again = await desk.again()
  const { seen, comments } = await notesOf(again, sessionId)
  expect(seen).toEqual({ '/p/src/a.ts': [{ ...hunk, at: expect.any(Number) as number }] })
  expect(comments).toEqual([comment])
  expect(await notesOf(again, other)).toEqual({ seen: {}, comments: [] })
})

test('a comment, a flag and a trust decision wait while another process writes', async () => {
  const desk = await openDesk()
  const { app, review, sessions, workspace } = desk.client
  const sessionId = await desk.session()
  const other = new Database(join(desk.data, DATABASE_FILE))
  onTestFinished(() => void other.close())
  /** Holds the write lock, as another process would, until the app has failed to write. */
  const whileLocked = async <T>(work: () => Promise<T>): Promise<T> => {
    other.exec('BEGIN IMMEDIATE')
    const released = until(app.health({}, staying()), ({ trouble }) => trouble !== null).then(() => other.exec('ROLLBACK'))
    const [outcome] = await Promise.all([work(), released])
    return outcome
  }
  expect(await whileLocked(() => review.comment({ sessionId, comment }))).toEqual({ ok: true })
  expect(await whileLocked(() => sessions.flag({ sessionId, flag: 'pinned', isOn: true }))).toEqual({ ok: true })
  expect(await whileLocked(() => workspace.trust({ folder: desk.folder, trusted: false }))).toMatchObject({ ok: true })
  expect(desk.bugs).toEqual([])
})

test('a “seen” mark reaches other windows, and can be removed', async () => {
  const desk = await openDesk()
  const sessionId = await desk.session()
  const told = until(desk.window().review.notes({ sessionId }, staying()), ({ seen }) => (seen['/a.ts']?.length ?? 0) === 2)
  const second = { ...hunk, key: 'k2' }
  await desk.client.review.see({ sessionId, path: '/a.ts', hunks: [hunk, second], seen: true })
  await told
  await desk.client.review.see({ sessionId, path: '/a.ts', hunks: [hunk], seen: false })
  expect((await notesOf(desk, sessionId)).seen['/a.ts']).toMatchObject([{ key: 'k2' }])
})

test('comments are sent once, with the message and the lines that they quote', async () => {
  const desk = await openDesk([say('Yes.')])
  const sessionId = await desk.session()
  await desk.client.review.comment({ sessionId, comment })
  await desk.client.review.comment({
    sessionId,
    comment: { ...comment, id: 'c_2', side: 'before', from: 9, to: 9, quoted: 'gone\n', words: 'Why?' },
  })
  const sent = await desk.client.sessions.send({ sessionId, inputId: 'i_1', text: 'Look', comments: ['c_1', 'c_2'], delivery: 'queue' })
  expect(sent).toEqual({ ok: true })
  const { body } = await desk.model.request(0)
  const quoted = 'Look\n\nsrc/a.ts, lines 4–5:\n> one\n>   two\n\nIs `two` needed?\n\nsrc/a.ts, line 9 before the change:\n> gone\n\nWhy?'
  expect(JSON.stringify(body)).toContain(JSON.stringify(quoted).slice(1, -1))
  expect((await notesOf(desk, sessionId)).comments).toEqual([])
})

test('comments of one session are sent with the first message of another, and are gone from the first', async () => {
  const desk = await openDesk([say('Yes.')])
  const commentsOf = await desk.session()
  const sessionId = await desk.session()
  await desk.client.review.comment({ sessionId: commentsOf, comment })
  const sent = await desk.client.sessions.send({
    sessionId,
    inputId: 'i_1',
    text: 'Look',
    comments: ['c_1'],
    commentsOf,
    delivery: 'queue',
  })
  expect(sent).toEqual({ ok: true })
  const { body } = await desk.model.request(0)
  expect(JSON.stringify(body)).toContain('Look\\n\\nsrc/a.ts, lines 4–5:')
  expect((await notesOf(desk, commentsOf)).comments).toEqual([])
})

test('a comment whose “Send now” is pressed twice is sent once', async () => {
  const desk = await openDesk([say('Yes.'), say('Again.')])
  const sessionId = await desk.session()
  await desk.client.review.comment({ sessionId, comment })
  const press = (inputId: string) => desk.client.sessions.send({ sessionId, inputId, text: '', comments: ['c_1'], delivery: 'queue' })
  expect(await Promise.all([press('i_1'), press('i_2')])).toEqual([{ ok: true }, { ok: true }])
  expect(await press('i_3')).toEqual({ ok: true })
  const answered = (session: SessionSummary): boolean => session.sessionId === sessionId && session.ended === 'completed'
  await until(desk.client.sessions.list({}, staying()), (item) =>
    item.kind === 'all' ? item.sessions.some(answered) : item.kind === 'changed' && answered(item.session),
  )
  expect(desk.model.requests).toHaveLength(1)
  expect((await notesOf(desk, sessionId)).comments).toEqual([])
})

test('a message that could not be sent leaves its comments waiting', async () => {
  const desk = await openDesk()
  const sessionId = await desk.session()
  await desk.client.review.comment({ sessionId, comment })
  await desk.client.workspace.trust({ folder: desk.folder, trusted: false })
  const again = await desk.again()
  const sent = await again.client.sessions.send({ sessionId, inputId: 'i_1', text: '', comments: ['c_1'], delivery: 'queue' })
  expect(sent).toMatchObject({ ok: false })
  expect((await notesOf(again, sessionId)).comments).toEqual([comment])
})

test(`a comment beyond the limit of ${MAX_COMMENTS} is refused, and the others are kept`, async () => {
  const desk = await openDesk()
  const sessionId = await desk.session()
  for (let at = 0; at < MAX_COMMENTS; at++) await desk.client.review.comment({ sessionId, comment: { ...comment, id: `c_${at}` } })
  expect(await desk.client.review.comment({ sessionId, comment: { ...comment, id: 'more' } })).toMatchObject({ ok: false })
  expect(await desk.client.review.comment({ sessionId, comment: { ...comment, id: 'c_5', words: 'changed' } })).toEqual({ ok: true })
  const { comments } = await notesOf(desk, sessionId)
  expect(comments).toHaveLength(MAX_COMMENTS)
  expect(comments[5]?.words).toBe('changed')
})

test('git runs only in a trusted folder', async () => {
  const desk = await openDesk()
  const sessionId = await desk.session()
  execFileSync('git', ['init', '--quiet'], { cwd: desk.folder })
  writeFileSync(join(desk.folder, 'a.txt'), 'a\n')
  expect(await desk.client.git.status({ sessionId })).toMatchObject({
    kind: 'repository',
    unstaged: [{ path: 'a.txt', change: 'untracked' }],
  })
  await desk.client.workspace.trust({ folder: desk.folder, trusted: false })
  expect(await desk.client.git.status({ sessionId })).toMatchObject({ kind: 'failed', trouble: { code: 'not_trusted' } })
  const refused = { ok: false, trouble: { code: 'not_trusted' } }
  expect(await desk.client.git.texts({ sessionId, side: 'unstaged', path: 'a.txt' })).toMatchObject(refused)
  expect(await desk.client.git.stage({ sessionId, side: 'unstaged', path: 'a.txt', chosen: null })).toMatchObject(refused)
  expect(await desk.client.git.commit({ sessionId, message: 'a' })).toMatchObject(refused)
})
