import Database from 'better-sqlite3'
import { Buffer } from 'node:buffer'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHistorySearch } from '../../main/history/history-search.ts'
import { type IndexedEvent, openSearchIndex } from '../../main/history/search-index.ts'
import { dayOf, type FoundIn, type HistoryQuery } from '../../shared/api/history.ts'
import type { ApprovalId, BlobHash, SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { Effect, WriteEffect } from '../../shared/session/effects.ts'
import type { ApprovalAnswer, DurableEvent } from '../../shared/session/events.ts'
import { callEnd, CONFIG, input, opened } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'
import { ANY } from './any-query.ts'

const ran = (command: string): DurableEvent => ({
  kind: 'TOOL_CALL_START',
  toolCallId: 'call' as ToolCallId,
  toolName: 'shell',
  args: { command },
})

const changed = (shown: string, before: BlobHash | null = null, after: BlobHash | null = null): DurableEvent => ({
  kind: 'FILES_CHANGED',
  toolCallId: 'call' as ToolCallId,
  files: [{ path: `/w/a/${shown}`, shown, before, after, beforeBytes: 27, afterBytes: 27, beforeMode: 420, afterMode: 420, lines: null }],
})

/** Creates an empty data folder and the search over it. `session` adds a session with these events. */
async function history(clock?: { now(): number }) {
  const folder = tempFolder()
  const store = await opened(folder, clock)
  const session = (cwd: string, ...events: readonly DurableEvent[]): SessionId => {
    const id = store.sessions.create({ cwd, ...CONFIG })
    for (const event of events) store.log(id).append(event)
    return id
  }
  const search = createHistorySearch(folder)
  onTestFinished(() => search.close())
  const find = async (words: string, more: Partial<HistoryQuery> = {}) => {
    const found = await search.search({ ...ANY, words, ...more })
    if (!found.ok) throw new Error(found.failure.what)
    return found.value
  }
  const shown = async (words: string, more?: Partial<HistoryQuery>) =>
    (await find(words, more)).hits.map(({ foundIn, parts }) => `${foundIn}: ${parts.join('')}`)
  return { folder, store, session, search, find, shown }
}

describe('searching the history', () => {
  it('finds messages, commands and outputs by parts of words, in upper or lower case, newest first', async () => {
    const { session, shown, find } = await history()
    session(
      '/w/a',
      input('Why does getMonthName fail?'),
      ran('rg getMonth src'),
      callEnd('call' as ToolCallId, 'src/a.ts: getMonth()\nother'),
    )
    expect(await shown('GETMONTH')).toEqual([
      'output: src/a.ts: getMonth()\nother',
      'run: rg getMonth src',
      'you: Why does getMonthName fail?',
    ])
    expect((await find('getmonth')).hits.at(-1)?.parts).toEqual(['Why does ', 'getMonth', 'Name fail?'])
    expect(await shown('onthna')).toEqual(['you: Why does getMonthName fail?'])
    expect(await shown('getYear')).toEqual([])
  })

  it('finds texts that contain all words, treats quoted words as a phrase, and uses short words only together with a longer one', async () => {
    const { session, shown } = await history()
    session('/w/a', input('fix the date of it'), input('the date: fix it'))
    expect(await shown('date fix')).toHaveLength(2)
    expect(await shown('"fix the date"')).toEqual(['you: fix the date of it'])
    expect(await shown('date of')).toEqual(['you: fix the date of it'])
    expect(await shown('of')).toEqual([])
  })

  it.each(['"', '100%', 'a_b', "x' OR 1=1", 'NEAR(a b)', '*'])('treats %s literally', async (words) => {
    const { session, shown } = await history()
    session('/w/a', input(`before ${words}abc after`), input('something else 100 axb NEAR'))
    expect(await shown(`${words}abc`.replaceAll('"', ''))).toHaveLength(1)
  })

  it('finds a change by its path and its added or removed lines, but not by its context lines', async () => {
    const { session, store, shown } = await history()
    const put = (text: string) => store.blobs.put(Buffer.from(text))
    const before = put('keep this line\nold wording\n')
    const after = put('keep this line\nnew wording\n')
    session('/w/a', changed('src/dates.ts', before, after))
    expect(await shown('old wording')).toEqual(['diff: old wording\nnew wording'])
    expect(await shown('dates.ts')).toHaveLength(1)
    expect(await shown('keep this')).toEqual([])
  })

  it('finds a refused change by its path or lines, says that it was refused, and does not count its file as changed', async () => {
    const { session, store, find, shown } = await history()
    const put = (text: string): BlobHash => store.blobs.put(Buffer.from(text))
    const write = (shown: string, before: string | null, after: string): WriteEffect => ({
      kind: 'write',
      path: `/w/a/${shown}`,
      shown,
      outside: false,
      control: false,
      lines: null,
      beforeBytes: 1,
      afterBytes: 1,
      before: before === null ? null : put(before),
      after: put(after),
    })
    const asked = (id: string, answer: ApprovalAnswer, ...effects: readonly Effect[]): readonly DurableEvent[] => {
      const about = { toolCallId: id as ToolCallId, approvalId: `ap_${id}` as ApprovalId }
      return [
        { kind: 'TOOL_CALL_START', toolCallId: about.toolCallId, toolName: 'edit_file', args: {} },
        { kind: 'APPROVAL_REQUESTED', ...about, toolName: 'edit_file', effects, hash: 'h', reason: 'It writes.', destructive: false },
        { kind: 'APPROVAL_ANSWERED', ...about, answer },
      ]
    }
    const refused = { kind: 'refused', note: null, by: 'person' } as const
    const command: Effect = {
      kind: 'command',
      command: 'make',
      cwd: '/w/a',
      outside: false,
      env: {},
      timeoutMs: 1,
      destructive: false,
      sandbox: 'copy',
      changeSet: put('{}'),
    }
    const proposed = write('src/part.ts', 'same\n', 'same\nsigned needle\nrejected needle\n')
    const signed = write('src/part.ts', 'same\n', 'same\nsigned needle\n')
    const file = { path: proposed.path, shown: proposed.shown, left: false, hunks: 2, rejected: 1, edited: 0 }
    session(
      '/w/a',
      ...asked('edit', refused, write('src/dates.ts', 'same\nold needle\n', 'same\nnew needle\n')),
      ...asked('copy', refused, command, write('dist/made.js', null, 'made needle\n')),
      ...asked('part', { kind: 'signed', amended: { effects: [signed], hash: 'h', files: [file] } }, proposed),
      ...asked('whole', { kind: 'signed' }, write('src/signed.ts', null, 'signed needle\n')),
    )
    expect(await shown('needle')).toEqual(['refused: rejected needle', 'refused: made needle', 'refused: old needle\nnew needle'])
    expect((await find('dates.ts')).hits).toMatchObject([{ foundIn: 'refused', path: 'src/dates.ts', step: 1 }])
    expect((await find('needle', { foundIn: 'refused', touched: 'dates.ts' })).total).toBe(0)
    expect((await find('needle', { touched: 'src/*.ts' })).total).toBe(0)
  })

  it('filters by kind of text, folder, session and touched files, and counts the hits of each filter', async () => {
    const { session, find } = await history()
    const one = session('/w/a', input('needle one'), ran('echo needle'))
    session('/w/b', input('needle two'))
    const all = await find('needle')
    expect([all.total, all.byPlace.you, all.byPlace.run, all.byFolder]).toEqual([3, 2, 1, { '/w/a': 2, '/w/b': 1 }])
    expect((await find('needle', { foundIn: 'run' })).byFolder).toEqual({ '/w/a': 1 })
    expect((await find('needle', { folder: '/w/b' })).total).toBe(1)
    expect((await find('needle', { sessionId: one })).hits.map(({ sessionId }) => sessionId)).toEqual([one, one])
    expect((await find('needle', { touched: 'src/' })).total).toBe(0)
  })

  it.each([
    ['folder', { folder: '/w/old' }],
    ['place', { foundIn: 'run' as const }],
    ['session', { sessionId: 's_old' as SessionId }],
    ['model', { model: 'old' }],
    ['state', { state: 'failed' as const }],
    ['touched file', { touched: 'src/**/*.ts' }],
  ])('finds the hits of a filter by %s among 2,001 newer hits', (_, filter) => {
    const index = openSearchIndex(new Database(':memory:'), (id) =>
      id === 's_old' ? { model: 'old', state: 'failed' } : { model: 'new', state: 'done' },
    )
    const event = (seq: number, of: 'old' | 'new', foundIn: FoundIn, path: string | null): IndexedEvent => ({
      seq,
      sessionId: `s_${of}` as SessionId,
      folder: `/w/${of}`,
      at: seq,
      item: null,
      step: 0,
      isCut: false,
      texts: [{ foundIn, text: 'a needle', path }],
    })
    index.add([event(1, 'old', 'run', 'src/a/dates.ts')], 1)
    index.add(
      Array.from({ length: 2_001 }, (__, at) => event(at + 2, 'new', 'you', null)),
      2_002,
    )
    const all = index.search({ ...ANY, words: 'needle' })
    expect([all.isBound, all.byFolder]).toEqual([true, { '/w/new': 2_000 }])
    const found = index.search({ ...ANY, words: 'needle', ...filter })
    expect([found.hits.map(({ sessionId }) => sessionId), found.isBound]).toEqual([['s_old'], false])
  })

  it.each([
    ['src/', true],
    ['DATES', true],
    ['src/**/*.ts', true],
    ['src/*.ts', false],
    ['**/dates.{js,ts}', true],
    ['src/[', false],
  ])('treats %s as part of a changed path or as a glob: %s', async (touched, isFound) => {
    const { session, find } = await history()
    session('/w', input('the needle'), changed('src/a/dates.ts'))
    expect((await find('needle', { touched })).total).toBe(isFound ? 1 : 0)
  })

  it('searches only the texts of the chosen days, including imported texts', () => {
    const ran: string[] = []
    const db = new Database(':memory:', { verbose: (sql) => ran.push(String(sql)) })
    const index = openSearchIndex(db, () => ({ model: 'm', state: 'done' }))
    const DAY = 86_400_000
    const event = (seq: number, at: number): IndexedEvent => ({
      seq,
      sessionId: 's' as SessionId,
      folder: '/w',
      at,
      item: null,
      step: 0,
      isCut: false,
      texts: [{ foundIn: 'you', text: 'a needle', path: null }],
    })
    const old = [event(1, 5), event(2, DAY + 5)]
    index.add([...old, ...Array.from({ length: 2_001 }, (_, at) => event(at + 3, 9 * DAY + at))], 2_003)
    const first = { ...ANY, words: 'needle', since: 0, until: DAY }
    expect(index.search(first).hits.map(({ seq }) => seq)).toEqual([1])
    expect(ran.filter((sql) => /MATCH .*words\.rowid <= CAST\(1(?:\.0)? AS INTEGER\)/u.test(sql))).toHaveLength(1)
    index.add([event(6_000, 7)], 6_000)
    expect(index.search(first).hits.map(({ seq }) => seq)).toEqual([6_000, 1])
    expect(index.search({ ...first, since: 3 * DAY, until: 4 * DAY }).total).toBe(0)
  })

  it.each(['src/', 'src/**/*.ts'])('finds the sessions that changed %s by reading only the index of changed paths', (touched) => {
    const ran: string[] = []
    const db = new Database(':memory:', { verbose: (sql) => ran.push(String(sql)) })
    openSearchIndex(db, () => ({ model: 'm', state: 'done' })).search({ ...ANY, words: 'needle', touched })
    const looked = ran.findLast((sql) => /DISTINCT (?:path, )?session_id FROM texts/u.test(sql))
    const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${looked}`).all()
    expect(plan.map(({ detail }) => detail).join()).toContain('USING COVERING INDEX texts_by_path')
  })

  it('groups the hits of a session, up to a limit, with their total number', async () => {
    const { session, store, find } = await history()
    const one = session('/w', input('needle 1'), input('needle 2'))
    const two = session('/w', input('needle 3'))
    store.log(one).append(input('needle 4'))
    const { hits, bySession, total } = await find('needle', { perSession: 2 })
    expect(hits.map(({ parts }) => parts.join(''))).toEqual(['needle 4', 'needle 2', 'needle 3'])
    expect([Object.entries(bySession), total]).toEqual([
      [
        [one, 3],
        [two, 1],
      ],
      4,
    ])
    expect((await find('needle')).hits.map(({ sessionId }) => sessionId)).toEqual([one, two, one, one])
  })

  it('finds words far into a long text, and counts texts that are too long to be searched completely', async () => {
    const { session, find } = await history()
    const lines = (count: number): string => 'a line of the output\n'.repeat(count)
    session('/w', callEnd('call' as ToolCallId, `${lines(50_000)}the needle\n${lines(100)}`))
    expect(await find('needle')).toMatchObject({ total: 1, cut: 0 })
    session('/w', callEnd('call' as ToolCallId, `${lines(200_000)}another needle`))
    expect(await find('needle')).toMatchObject({ total: 1, cut: 1 })
  })

  it('finds words at the places where a long line is split', async () => {
    const { session, find } = await history()
    session('/w', callEnd('call' as ToolCallId, `${'x'.repeat(39_995)} a needle ${'x'.repeat(39_995)}`))
    expect((await find('needle')).total).toBeGreaterThan(0)
  })

  it('says in which step each text was found', async () => {
    const { session, find } = await history()
    session('/w', input('a needle'), ran('echo needle'), callEnd('call' as ToolCallId, 'needle'))
    expect((await find('needle')).hits.map(({ foundIn, step }) => [foundIn, step])).toEqual([
      ['output', 1],
      ['run', 1],
      ['you', 0],
    ])
  })

  it('finds text written since the last search, and rebuilds a lost index', async () => {
    const { session, find, folder, store, search } = await history()
    const id = session('/w/a', input('first words'))
    expect((await find('words')).total).toBe(1)
    store.log(id).append(input('second words'))
    expect((await find('words')).total).toBe(2)
    await search.close()
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `search.db${end}`), { force: true })
    expect((await find('words')).total).toBe(2)
  })

  it('says what to do if the index is damaged', async () => {
    const { folder, search } = await history()
    writeFileSync(join(folder, 'search.db'), Buffer.alloc(4096, 'no database'))
    const found = await search.search({ ...ANY, words: 'words' })
    expect(found).toMatchObject({ ok: false, failure: { code: 'history_not_searched', todo: expect.stringContaining('search.db') } })
  })

  it('reports an error if the history is only in memory', async () => {
    expect(await createHistorySearch(null).search({ ...ANY, words: 'words' })).toMatchObject({
      ok: false,
      failure: { code: 'history_in_memory' },
    })
  })

  it('filters by day, model and state, and counts the hits of each choice', async () => {
    const clock = { at: Date.UTC(2026, 10, 20), now: () => clock.at }
    const { store, find } = await history(clock)
    const made = (model: string, reason: 'completed' | 'error' | null): SessionId => {
      const id = store.sessions.create({ cwd: '/w', ...CONFIG, model })
      store.log(id).append(input('the needle'))
      if (reason) store.log(id).append({ kind: 'PROCESSING_END', reason })
      return id
    }
    const old = made('small', 'completed')
    clock.at = Date.UTC(2026, 10, 22)
    const failed = made('large', 'error')
    const running = made('large', null)
    store.sessions.mark(old, 'archived', '1')
    const ids = async (more: Partial<HistoryQuery>) => (await find('needle', more)).hits.map(({ sessionId }) => sessionId)
    expect(await ids({ model: 'large' })).toEqual([running, failed])
    expect(await ids({ state: 'failed' })).toEqual([failed])
    expect(await ids({ state: 'archived' })).toEqual([old])
    expect(await ids({ since: Date.UTC(2026, 10, 21) })).toEqual([running, failed])
    expect(await ids({ until: Date.UTC(2026, 10, 21) })).toEqual([old])
    expect((await find('needle', { since: Date.UTC(2026, 10, 21) })).byDay).toEqual({
      [dayOf(Date.UTC(2026, 10, 20))]: 1,
      [dayOf(Date.UTC(2026, 10, 22))]: 2,
    })
    expect(await find('needle', { model: 'large', state: 'running' })).toMatchObject({
      byModel: { large: 1 },
      byState: { needs: 0, running: 1, done: 0, failed: 1, archived: 0 },
      total: 1,
    })
  })

  it('does not find a session that was deleted', async () => {
    const { session, search, shown } = await history()
    const id = session('/w', input('the needle'))
    session('/w', input('another needle'))
    expect(await shown('needle')).toHaveLength(2)
    await search.forget([id])
    expect(await shown('needle')).toEqual(['you: another needle'])
  })
})
