import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { storageThreadOf } from '../../../main/compose/stored-session-parts.ts'
import { PARENT_ID } from '../../../main/store/database/migrations.ts'
import { AGENTS_BELOW } from '../../../main/store/log/session-rows.ts'
import { DATABASE_FILE } from '../../../main/store/file-names.ts'
import { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { NO_LEASE } from '../../../shared/session/settings/budget-lease.ts'
import { CONFIG, opened } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

const COUNT = 250

test('reading in slices lists all sessions, even those whose row is missing, and the counts include other processes’ changes', async () => {
  const folder = tempFolder()
  const writer = await opened(folder)
  const ids = Array.from({ length: COUNT }, (_, n) => SessionId.parse(`session-${n}`))
  for (const sessionId of ids) writer.sessions.create({ sessionId, cwd: folder, ...CONFIG })
  writer.log(SessionId.parse('session-7')).append({ kind: 'USER_INPUT', inputId: 'in', text: 'x', delivery: 'prompt' })
  const db = new Database(join(folder, DATABASE_FILE))
  db.exec("DELETE FROM sessions WHERE session_id IN ('session-7', 'session-9')")
  db.close()

  const reader = await opened(folder)
  expect(await reader.sessions.unfinished()).toEqual(['session-7'])
  const listed = await reader.sessions.listInSlices()
  expect(listed.map(({ sessionId }) => sessionId).toSorted()).toEqual([...ids].toSorted())
  expect(listed).toEqual(reader.sessions.list())
  expect(reader.health()).toMatchObject({ onDisk: COUNT, listed: COUNT })
  writer.sessions.create({ cwd: folder, ...CONFIG })
  expect(reader.health()).toMatchObject({ onDisk: COUNT + 1, listed: COUNT + 1 })
})

test('the subagents of a session are found by an index, without reading long states or other sessions', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const user = store.sessions.create({ cwd: folder, ...CONFIG })
  const call = { toolCallId: ToolCallId.parse('call'), agentType: 'explore', depth: 1, readsOnly: true, lease: NO_LEASE }
  const parent = { sessionId: user, ...call }
  const sessionId = store.sessions.create({ cwd: folder, ...CONFIG, parent })
  const db = new Database(join(folder, DATABASE_FILE))
  db.exec("UPDATE sessions SET state = 'unreadable' WHERE parent IS NOT NULL")
  const query = `EXPLAIN QUERY PLAN SELECT session_id FROM sessions WHERE parent IS NOT NULL AND ${PARENT_ID} = ?`
  expect(db.prepare(query).get('s')).toMatchObject({ detail: expect.stringContaining('USING INDEX sessions_by_parent') })
  db.close()
  expect(store.sessions.subagentsOf(user)).toEqual([{ sessionId, parent }])
  expect(store.sessions.subagentsOf(sessionId)).toEqual([])
})

test('the subagents below a session are found by an index, even if the parent of another session is unreadable', async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const call = { toolCallId: ToolCallId.parse('call'), agentType: 'explore', depth: 1, readsOnly: true, lease: NO_LEASE }
  const create = (parent?: SessionId) =>
    store.sessions.create({ cwd: folder, ...CONFIG, ...(parent && { parent: { sessionId: parent, ...call } }) })
  const user = create()
  const child = create(user)
  const grandchild = create(child)
  const db = new Database(join(folder, DATABASE_FILE))
  db.prepare("UPDATE sessions SET parent = '{' WHERE session_id = ?").run(create(create()))
  expect(db.prepare(AGENTS_BELOW).pluck().all(user)).toEqual([child, grandchild])
  const plan = db.prepare<[SessionId], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${AGENTS_BELOW}`).all(user)
  expect(plan.map(({ detail }) => detail).filter((detail) => detail.includes('sessions'))).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('SEARCH sessions USING INDEX sessions_by_parent')),
  )
  db.close()
})

test('opening the store does not read all sessions, and their number is known once they have been counted in slices', async () => {
  const folder = tempFolder()
  const writer = await opened(folder)
  for (let n = 0; n < COUNT; n++) writer.sessions.create({ sessionId: SessionId.parse(`session-${n}`), cwd: folder, ...CONFIG })
  const store = await opened(folder)
  const reads = countReads()
  await (await storageThreadOf(store, folder, true)).close()
  expect(store.trouble()).toBeNull()
  expect(reads.take()).toBeLessThan(COUNT / 10)
  await store.count()
  expect(reads.take()).toBeGreaterThan(COUNT)
  expect(store.health()).toMatchObject({ onDisk: COUNT, listed: COUNT })
  expect(reads.take()).toBeLessThan(COUNT / 10)
})

/** Counts the statements that this process runs with `get`, which reads one row. */
function countReads(): { take(): number } {
  const db = new Database(':memory:')
  const statement = Object.getPrototypeOf(db.prepare('SELECT 1')) as { get(...values: readonly unknown[]): unknown }
  db.close()
  const { get } = statement
  let count = 0
  statement.get = function counted(...values) {
    count++
    return get.apply(this, values as [])
  }
  onTestFinished(() => void (statement.get = get))
  return {
    take() {
      const taken = count
      count = 0
      return taken
    },
  }
}
