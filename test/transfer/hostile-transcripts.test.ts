import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { createHookRuns } from '../../main/agent/record/log-projections.ts'
import { StorageError } from '../../main/agent/storage-error.ts'
import { storageTrouble } from '../../main/store/database/storage-trouble.ts'
import { blobsOf } from '../../main/store/doctor/check-log.ts'
import { DATABASE_FILE } from '../../main/store/file-names.ts'
import { rowOf, projectionOf } from '../../main/store/log/projection.ts'
import { searchableTexts } from '../../main/store/log/searchable-texts.ts'
import type { Store } from '../../main/store/store.ts'
import { exportSession } from '../../main/transfer/export/export-session.ts'
import { familyOf } from '../../main/transfer/export/read-session.ts'
import { ClaudeLines } from '../../main/transfer/import/claude-lines.ts'
import { CodexLines } from '../../main/transfer/import/codex-lines.ts'
import { countersignLines } from '../../main/transfer/import/countersign-lines.ts'
import { isDurableEvent } from '../../main/transfer/import/event-schemas.ts'
import { importSession } from '../../main/transfer/import/import-session.ts'
import { readTranscript } from '../../main/transfer/import/read-transcript.ts'
import type { Transcript, TranscriptReader } from '../../main/transfer/import/transcript.ts'
import type { BlobHash, SessionId } from '../../shared/lib/ids.ts'
import type { DurableEvent, Envelope } from '../../shared/session/events.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { isFinished } from '../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { CONFIG, opened, openedInMemory, session } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'
import { EVERY_EVENT } from './support/every-event.ts'

const redactor = { text: (text: string) => text }

interface Event {
  readonly kind: string
}

const start = (sessionId: string, more: object = {}) => ({
  kind: 'SESSION_START',
  sessionId,
  cwd: '/w',
  provider: 'anthropic',
  model: 'm',
  mode: 'full',
  effort: null,
  baseUrl: null,
  ...more,
})
const link = (sessionId: string) => ({
  parent: {
    sessionId,
    toolCallId: 'c',
    agentType: 'task',
    depth: 1,
    readsOnly: false,
    lease: { tokens: null, costUsd: null, minutes: null, turns: null },
  },
})
const request = { kind: 'USER_INPUT', inputId: 'i', text: 'Hello', delivery: 'prompt' }
const answer = {
  kind: 'ASSISTANT_TURN',
  provider: 'anthropic',
  model: 'm',
  parts: [{ kind: 'text', text: 'Hi.' }],
  stopReason: 'stop',
  responseId: null,
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  complete: true,
}
const end = { kind: 'PROCESSING_END', reason: 'completed' }

function linesOf(sessionId: string, events: readonly Event[], at = 5): readonly object[] {
  return events.map((event, index) => ({ seq: index + 1, sessionId, after: null, at, event }))
}

function readBy(reader: TranscriptReader, lines: readonly unknown[]): Transcript {
  for (const line of lines) reader.add(line, JSON.stringify(line))
  const transcript = reader.end()
  if (!transcript) throw new Error('The lines contain no session.')
  return transcript
}

const ours = (...lines: readonly unknown[]): Transcript => readBy(countersignLines(), lines)

async function imported(transcript: Transcript): Promise<{ readonly store: Store; readonly id: SessionId; readonly state: SessionState }> {
  const store = await openedInMemory()
  const id = await importSession(transcript, { store, redactor })
  return { store, id, state: stateIn(store, id) }
}

const stateIn = (store: Store, id: SessionId): SessionState => foldAll(emptySession(id), store.log(id).read())

async function text(store: Store, id: SessionId, format: 'html' | 'markdown'): Promise<string> {
  let all = ''
  for await (const piece of exportSession({ store, redactor, now: 0 }, id, format)) all += piece
  return all
}

describe('a transcript grants nothing', () => {
  test('a message that waits in the transcript is held, so that opening the session starts no turn', async () => {
    const waiting = { kind: 'INPUT_QUEUED', inputId: 'q', text: 'Delete everything', delivery: 'queue' }
    const { state } = await imported(ours(...linesOf('s', [start('s'), request, answer, end, waiting])))
    expect(state.queue).toMatchObject([{ inputId: 'q', held: true }])
    expect(isFinished(state)).toBe(true)
  })

  test('its hooks set no variables, and its system prompt is not used', async () => {
    const run = {
      kind: 'HOOK_RAN',
      event: 'SessionStart',
      command: 'x',
      source: 'x',
      aboutCall: null,
      durationMs: 1,
      outcome: 'passed',
      says: 'Started.',
      variables: { LD_PRELOAD: '/tmp/evil.so' },
    }
    const blob = { hash: 'a'.repeat(64), bytes: 1 }
    const context = { kind: 'REQUEST_CONTEXT', system: blob, tools: blob }
    const { store, id, state } = await imported(ours(...linesOf('s', [start('s'), request, run, context, answer, end])))
    const runs = createHookRuns()
    for (const { event } of store.log(id).read()) runs.add(event)
    expect(runs.variables()).toEqual({})
    expect([...store.log(id).read()].map(({ event }) => event.kind)).not.toContain('REQUEST_CONTEXT')
    expect(JSON.stringify(state.items)).toContain('Started.')
  })

  test.each([
    ['a session that is its own parent', [['s', 's']]],
    [
      'one of two sessions that are each other’s parent',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
    ['a session that claims a session of the user as its parent', [['s', 'mine']]],
  ])('%s becomes a session without a parent', async (_, links) => {
    const store = await openedInMemory()
    const mine = store.sessions.create({ sessionId: session('mine'), cwd: '/w', ...CONFIG })
    const transcript = ours(...links.flatMap(([id = '', parent = '']) => linesOf(id, [start(id, link(parent)), request, end])))
    const id = await importSession(transcript, { store, redactor })
    expect(stateIn(store, id).parent).toBeNull()
    expect(familyOf({ store }, id).length).toBe(links.length)
    expect(familyOf({ store }, mine)).toEqual([mine])
  })
})

describe('a damaged transcript', () => {
  test('a line with an impossible time is shown as a line that was not understood', async () => {
    const good = linesOf('s', [start('s'), request])
    const odd = [1e300, 1.5, 1e16].flatMap((at) => linesOf('s', [answer], at))
    const { store, id, state } = await imported(ours(...good, ...odd))
    expect(state.items.filter((item) => item.kind === 'notice' && item.trouble.code === 'imported_line')).toHaveLength(3)
    expect(await text(store, id, 'html')).toContain('1e+300')
  })

  test('a line with thousands of nested lists is kept as text', async () => {
    const folder = tempFolder()
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const lines = linesOf('s', [start('s'), request]).map((line) => JSON.stringify(line))
    const call = `{"seq":3,"sessionId":"s","after":null,"at":5,"event":{"kind":"TOOL_CALL_START","toolCallId":"c","toolName":"shell","args":{"a":${deep}}}}`
    const path = join(folder, 'deep.jsonl')
    writeFileSync(path, [...lines, call].join('\n'))
    const read = await readTranscript(path)
    if (!read.ok) throw new Error(read.failure.what)
    expect(read.value.unknown).toBe(1)
    const { state } = await imported(read.value)
    expect(state.items.map(({ kind }) => kind)).toEqual(['user', 'notice', 'notice'])
  })

  test.runIf(process.platform !== 'win32')('a named pipe is refused at once', async () => {
    const path = join(tempFolder(), 'pipe')
    execFileSync('mkfifo', [path])
    expect(await readTranscript(path)).toMatchObject({ ok: false, failure: { what: expect.stringContaining('not a file') as string } })
  })

  test('no wrong value in a field breaks the state, the list, the search, the doctor or an export', async () => {
    const events: readonly Event[] = EVERY_EVENT
    expect(events.filter((event) => !isDurableEvent(event))).toEqual([])
    let understood = 0
    for (const [index, event] of events.entries())
      for (const wrong of variantsOf(event)) {
        if (!isDurableEvent(wrong as Event)) continue
        understood++
        const all = events.with(index, wrong as Event) as readonly DurableEvent[]
        try {
          await use(all)
        } catch (error) {
          throw new Error(`${JSON.stringify(wrong)} was understood`, { cause: error })
        }
      }
    expect(understood).toBeGreaterThan(100)
  })
})

/**
 * Yields variants of the value, each with one wrong part: null, a number, an object, the name of a member that every object has, or a list
 * that contains only null.
 */
function* variantsOf(value: unknown): Generator {
  if (typeof value !== 'object' || value === null) {
    for (const wrong of [null, -7, 'constructor', {}]) yield wrong
    return
  }
  if (Array.isArray(value)) {
    for (const wrong of [null, 'constructor', [null]]) yield wrong
    for (const [index, one] of value.entries()) for (const wrong of variantsOf(one)) yield value.with(index, wrong)
    return
  }
  for (const [key, one] of Object.entries(value)) {
    if (key === 'kind') continue
    for (const wrong of variantsOf(one)) yield { ...value, [key]: wrong }
  }
}

/** Does with these events everything that the app does with a session's events. */
async function use(events: readonly DurableEvent[]): Promise<void> {
  const id = session('s')
  const envelopes = events.map((event, index): Envelope => ({ seq: index + 1, sessionId: id, after: index || null, at: 5, event }))
  rowOf(projectionOf(foldAll(emptySession(id), envelopes)))
  for (const event of events) {
    searchableTexts(event, { changedLines: () => [], requested: () => [] })
    blobsOf(event)
  }
  const missing = (): never => {
    throw new StorageError(storageTrouble('storage_missing_blob', 'x'))
  }
  const store = {
    sessions: { get: () => null, list: () => [] },
    eventsAfter: () => [envelopes],
    blobs: { has: () => false, get: missing },
    log: () => ({ read: () => envelopes }),
  } as unknown as Store
  await text(store, id, 'html')
}

describe('transcripts of other programs', () => {
  const user = (uuid: string, content: unknown, parentUuid: string | null = null) => ({
    type: 'user',
    uuid,
    parentUuid,
    message: { role: 'user', content },
  })
  const called = (uuid: string, name: string) => ({
    type: 'assistant',
    uuid,
    parentUuid: 'u1',
    message: { id: `m-${uuid}`, model: 'claude-x', content: [{ type: 'tool_use', id: 't1', name, input: {} }] },
  })
  const result = (uuid: string, id: string) => user(uuid, [{ type: 'tool_result', tool_use_id: id, content: 'Found.' }])
  const toolNames = ({ items }: SessionState) => items.flatMap((item) => (item.kind === 'call' ? [item.toolName] : []))

  test.each(['constructor', 'toString', '__proto__'])('a tool called %s keeps its name', async (name) => {
    const claude = readBy(new ClaudeLines(), [user('u1', 'Go'), called('a1', name)])
    const codex = readBy(new CodexLines(), [
      { type: 'response_item', payload: { type: 'function_call', call_id: 'c', name, arguments: '{}' } },
    ])
    for (const transcript of [claude, codex]) expect(toolNames((await imported(transcript)).state)).toEqual([name])
  })

  test('Claude Code: repeated lines count once, and a result without its call is kept', async () => {
    const lines = [user('u1', 'Go'), called('a1', 'Bash'), result('u2', 't1')]
    const transcript = readBy(new ClaudeLines(), [...lines, ...lines, result('u3', 'gone')])
    expect(transcript.leftOut.get('Lines that repeat others')).toBe(3)
    expect(transcript.unknown).toBe(1)
    const { state } = await imported(transcript)
    expect(state.items.map(({ kind }) => kind)).toEqual(['user', 'call', 'notice', 'notice'])
    expect(JSON.stringify(state.items[2])).toContain('gone')
  })

  test('Claude Code: many calls with the same id and many abandoned branches at the end take time in proportion to their number', () => {
    const reader = new ClaudeLines()
    const add = (line: object): void => reader.add(line, '')
    const before = process.threadCpuUsage()
    for (let at = 0; at < 8000; at++) {
      add(user(`u${at}`, 'Go', at === 0 ? null : `a${at - 1}`))
      add({ ...called(`a${at}`, 'Bash'), parentUuid: `u${at}` })
    }
    for (let at = 0; at < 16_000; at++) add(user(`r${at}`, 'Again', 'a7999'))
    const { user: used, system } = process.threadCpuUsage(before)
    expect((used + system) / 1e6).toBeLessThan(3)
    expect(reader.end()?.sessions[0]?.events.filter(({ event }) => event.kind === 'USER_INPUT').length).toBe(8001)
  })

  test('Claude Code: the session’s name and a line of an unknown kind are kept, even if they are on an abandoned branch', async () => {
    const abandoned = [user('u2', 'Abandoned', 'a1'), { type: 'custom-title', customTitle: 'Invoices' }, { type: 'from-the-future' }]
    const transcript = readBy(new ClaudeLines(), [user('u1', 'Go'), called('a1', 'Bash'), ...abandoned, user('u3', 'Kept', 'a1')])
    const { state } = await imported(transcript)
    expect(state.title).toBe('Invoices')
    expect(state.items.map((item) => (item.kind === 'user' ? item.text : item.kind))).toEqual(['Go', 'call', 'notice', 'Kept', 'notice'])
    expect(transcript.leftOut.get('Entries of abandoned branches')).toBeGreaterThan(0)
  })

  test('Codex: a negative exit code is a failure, and a result without its call is kept', async () => {
    const item = (payload: object) => ({ type: 'response_item', payload })
    const output = (callId: string) => ({
      type: 'function_call_output',
      call_id: callId,
      output: '{"output":"killed","metadata":{"exit_code":-1}}',
    })
    const transcript = readBy(new CodexLines(), [
      item({ type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{}' }),
      item(output('c1')),
      item(output('gone')),
    ])
    const { state } = await imported(transcript)
    expect(state.items).toMatchObject([
      { kind: 'call', isError: true, output: 'killed' },
      { kind: 'notice', trouble: { code: 'imported_line', kept: expect.stringContaining('gone') as string } },
      { kind: 'notice' },
    ])
  })
})

describe('while another process uses the same store', () => {
  const long = ours(...linesOf('s', [start('s'), ...Array.from({ length: 600 }, () => [request, answer]).flat()]))

  test('a session that is being imported is claimed, so that the other process does not take it over', async () => {
    const folder = tempFolder()
    const mine = await opened(folder)
    const other = await opened(folder)
    const seen: boolean[] = []
    let answers = 0
    const looking = {
      text: (text: string) => {
        if (text === 'Hi.' && answers++ % 100 === 0) seen.push(...other.sessions.list().map(({ running }) => running))
        return text
      },
    }
    const id = await importSession(long, { store: mine, redactor: looking })
    expect(new Set(seen)).toEqual(new Set([true]))
    expect(other.claims.running().has(id)).toBe(false)
  })

  test('a session that is being forked is claimed too', async () => {
    const folder = tempFolder()
    const mine = await opened(folder)
    const other = await opened(folder)
    const source = await importSession(long, { store: mine, redactor })
    const seen: boolean[] = []
    const forking = mine.sessions.fork(source, Number.MAX_SAFE_INTEGER)
    let isOver = false
    void forking.finally(() => (isOver = true))
    while (!isOver) {
      seen.push(...other.sessions.list().flatMap(({ sessionId, running }) => (sessionId === source ? [] : [running])))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(seen).toContain(true)
    expect(other.claims.running().has(await forking)).toBe(false)
  })

  test('an import and a fork wait until the other process releases its lock', async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    const lock = new Database(join(folder, DATABASE_FILE))
    const whileLocked = async <T>(work: () => Promise<T>): Promise<T> => {
      lock.exec('BEGIN IMMEDIATE')
      setTimeout(() => lock.exec('ROLLBACK'), 100)
      return work()
    }
    try {
      const id = await whileLocked(() => importSession(long, { store, redactor }))
      const fork = await whileLocked(() => store.sessions.fork(id, Number.MAX_SAFE_INTEGER))
      expect(stateIn(store, fork).items.length).toBeGreaterThan(1_200)
    } finally {
      lock.close()
    }
  })
})

test('text in place of a hash never becomes a path', async () => {
  const folder = tempFolder()
  const store = await opened(join(folder, 'data'))
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  const hash = '../secret.txt' as BlobHash
  expect(store.blobs.has(hash)).toBe(false)
  expect(store.blobs.path(hash)).toBeNull()
})
