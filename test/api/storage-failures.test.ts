import type { z } from 'zod'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { DATABASE_FILE } from '../../main/store/file-names.ts'
import { contract } from '../../shared/api/contract.ts'
import { newId } from '../../shared/lib/ids.ts'
import { openDesk, staying, until } from './support/served-desk.ts'

const HASH = 'a'.repeat(64)
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Endpoints that are not called here. They call services on the network, or they use the settings file, which is not in the database. */
const WITHOUT_STORE = new Set([
  'app.quitQuestionDrawn',
  'app.answerQuit',
  'settings.tryKey',
  'settings.testKey',
  'settings.localServers',
  'settings.setKey',
  'settings.watch',
])

/** Returns a value for each member that the input of an endpoint may require, by member name. */
function given(sessionId: string, folder: string): Readonly<Record<string, unknown>> {
  return {
    sessionId,
    folder,
    toolCallId: 'call_1',
    approvalId: newId('ap'),
    inputId: 'in_1',
    inputIds: ['in_1'],
    hash: HASH,
    answer: { kind: 'sign' },
    amendments: [],
    id: '1',
    place: 'no machine',
    folders: [],
    decision: 'keep',
    title: 'a',
    body: 'b',
    path: 'a.txt',
    line: 1,
    url: 'https://example.com',
    data: PNG,
    cursor: 1,
    name: 'new',
    text: 'hello',
    expected: '',
    of: 'commit',
    description: '',
    delivery: 'queue',
    before: 1,
    limit: 10,
    mode: 'ask',
    trusted: true,
    typed: '~',
    uri: 'demo://x',
    words: 'find',
    files: [],
    moment: 'example',
    variable: 'TOKEN',
    value: 'x',
    instructions: '',
    watcher: 'w',
    chars: 1,
    columns: 80,
    rows: 24,
    target: { kind: 'to', step: 0 },
    plan: 'p',
    anyway: [],
    choices: [],
    point: { kind: 'before', seq: 2 },
    flag: 'pinned',
    sessionIds: [sessionId],
    shown: { events: 0, blobs: 0, shared: 0 },
    chosen: null,
    hunks: [],
    seen: true,
    comment: COMMENT,
    ids: ['c_1'],
    side: 'staged',
    message: 'Commit',
    format: 'markdown',
    tool: 'echo',
    isFree: false,
    scripts: {},
    paths: ['a.txt'],
    event: 'Stop',
    matcher: '',
    command: 'true',
    rule: RULE,
    rules: [RULE],
    origin: 'you',
    isOn: true,
    from: 'codex',
    repair: false,
    version: HASH,
    seq: 2,
    index: 0,
    secrets: 'keep',
    uninstalls: false,
    port: 8080,
  }
}

const COMMENT = { id: 'c_1', path: '/a.txt', shown: 'a.txt', side: 'after', from: 1, to: 1, quoted: 'a', words: 'b' }
const RULE = { answer: 'allow', when: { kind: 'command', pattern: 'npm test' }, where: { kind: 'always' } }

type Call = (input: unknown, signal?: AbortSignal) => Promise<unknown> & AsyncIterable<unknown>

const endpoints = Object.entries(contract).flatMap(([domain, own]) =>
  Object.entries<{ readonly kind: string; readonly input: z.ZodType }>(own).map(([name, { kind, input }]) => ({
    domain,
    name,
    kind,
    input,
  })),
)

test('every endpoint answers without throwing even if the database is damaged', async () => {
  const desk = await openDesk()
  const sessionId = await desk.session()
  const db = new Database(join(desk.data, DATABASE_FILE))
  for (const table of ['events', 'sessions', 'markers', 'leases', 'blobs', 'folders'])
    db.exec(`ALTER TABLE ${table} RENAME TO lost_${table}`)
  db.close()
  const all = given(sessionId, desk.folder)
  const rejected: string[] = []
  for (const { domain, name, kind, input } of endpoints) {
    const full = `${domain}.${name}`
    if (WITHOUT_STORE.has(full)) continue
    const parsed = input.safeParse(all)
    if (!parsed.success) throw new Error(`${full}: give the test its input: ${parsed.error.message}`)
    const call = (desk.client as unknown as Record<string, Record<string, Call>>)[domain]?.[name]
    try {
      if (kind === 'command') await call?.(parsed.data)
      else for await (const _ of call?.(parsed.data, AbortSignal.any([AbortSignal.timeout(500), staying()])) ?? []) break
    } catch (error) {
      rejected.push(`${full}: ${String(error)}`)
    }
  }
  expect({ bugs: [...new Set(desk.bugs)], rejected }).toEqual({ bugs: [], rejected: [] })
})

test('a list that cannot be read is shown as an error, not as an empty list', async () => {
  const desk = await openDesk()
  await desk.session()
  const db = new Database(join(desk.data, DATABASE_FILE))
  db.exec('ALTER TABLE sessions RENAME TO lost_sessions')
  db.close()
  const items = await until(desk.client.sessions.list({}, staying()))
  expect(items).toEqual([
    {
      kind: 'all',
      sessions: [],
      unreadable: {
        code: 'storage_failed',
        what: expect.stringContaining('no such table: sessions'),
        kept: expect.stringContaining('Everything saved so far'),
        todo: expect.stringContaining('data folder’s disk'),
      },
    },
  ])
})
