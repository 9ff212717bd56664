import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SessionListItem } from '../../shared/api/sessions.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { call, calls, gate, message, say, text } from '../support/scripted-model.ts'
import { brokenAfter } from '../agent/support/broken-answer.ts'
import { appears } from './support/appears.ts'
import { answerIn, idOf, openOffice, openWindow, value, waits } from './support/office.ts'

const shell = (command: string) => call('shell', { command })
const ended = ({ ended: why }: { readonly ended: unknown }) => why !== null

describe('many sessions', () => {
  test('a session is opened only once for all its viewers, and an unknown session is reported', async () => {
    const office = await openOffice([say('Hello.')])
    const session = await office.create()
    expect(value(await office.sessions.open(session.sessionId))).toBe(session)
    expect(await office.sessions.open(idOf('s_none'))).toMatchObject({ ok: false, failure: { code: 'no_session' } })
  })

  test('two sessions in one folder run at the same time, but their steps take turns', async () => {
    const office = await openOffice(({ body }) =>
      body.messages.length === 1 ? calls(shell('read n < n.txt; sleep 0.1; echo $((n + 1)) > n.txt')) : say('Done.'),
    )
    await writeFile(join(office.folder, 'n.txt'), '0\n')
    const windows = await Promise.all(
      [1, 2, 3].map(async () => {
        const session = await office.create('full')
        await session.send({ inputId: 'in_1', text: 'Count', delivery: 'queue' })
        return openWindow(session)
      }),
    )
    await Promise.all(windows.map((window) => window.shows(ended)))
    expect(await readFile(join(office.folder, 'n.txt'), 'utf8')).toBe('3\n')
  })

  test('that edit one file at the same time do not mix their edits, and the later one learns that the file changed (fault 23)', async () => {
    const office = await openOffice(({ body }) => {
      const who = JSON.stringify(body.messages[0]).includes('first') ? 'first' : 'second'
      if (body.messages.length === 1) return calls(call('read_file', { file_path: 'a.txt' }))
      if (body.messages.length === 3) return calls(call('edit_file', { file_path: 'a.txt', old_string: 'line', new_string: who }))
      return say(JSON.stringify(body.messages.at(-1)?.content))
    })
    await writeFile(join(office.folder, 'a.txt'), 'a line\n')
    const first = await office.create()
    const second = await office.create()
    await first.send({ inputId: 'in_1', text: 'first', delivery: 'queue' })
    await second.send({ inputId: 'in_1', text: 'second', delivery: 'queue' })
    const one = openWindow(first)
    const two = openWindow(second)
    const [ofFirst, ofSecond] = await Promise.all([one.shows(waits), two.shows(waits)])
    await answerIn(first, ofFirst)
    await one.shows(ended)
    await answerIn(second, ofSecond)
    await two.shows(ended)
    expect(await readFile(join(office.folder, 'a.txt'), 'utf8')).toBe('a first\n')
    expect(two.state().items.flatMap((item) => (item.kind === 'call' ? [[item.status, item.output]] : []))[1]).toEqual([
      'failed',
      expect.stringContaining('a.txt has changed since the agent read it.'),
    ])
  })

  test('the list starts with all sessions, then reports each changed session with what it needs', async () => {
    const office = await openOffice([calls(shell('touch made')), say('Done.')])
    const session = await office.create()
    const items: SessionListItem[] = []
    const closing = new AbortController()
    const listed = Promise.withResolvers<void>()
    const awaiting = Promise.withResolvers<void>()
    void (async () => {
      for await (const item of office.sessions.list(closing.signal)) {
        items.push(item)
        if (item.kind === 'all') listed.resolve()
        else if (item.kind === 'changed' && item.session.run === 'AWAITING_INPUT') awaiting.resolve()
      }
    })()
    await listed.promise
    await session.send({ inputId: 'in_1', text: 'Mend it', delivery: 'queue' })
    await awaiting.promise
    closing.abort()
    expect(items[0]).toMatchObject({ kind: 'all', sessions: [{ sessionId: session.sessionId, run: 'IDLE', running: true }] })
    expect(items.at(-1)).toMatchObject({ kind: 'changed', session: { title: 'Mend it', run: 'AWAITING_INPUT', need: 'A command' } })
  })

  test('pages of the ledger connect without a gap', async () => {
    const office = await openOffice(({ body }) => say(`answer ${body.messages.length}`))
    const session = await office.create()
    const window = openWindow(session)
    for (let n = 0; n < 5; n++) {
      await session.send({ inputId: `in_${n}`, text: `message ${n}`, delivery: 'queue' })
      await window.shows((state) => state.items.filter(({ kind }) => kind === 'prose').length === n + 1 && state.run === 'IDLE')
    }
    const { firstItem, items } = session.snapshot(4)
    const page = await office.sessions.page(session.sessionId, firstItem, 3)
    const older = await office.sessions.page(session.sessionId, page.firstItem, 100)
    expect([older.firstItem, page.firstItem, firstItem]).toEqual([0, 3, 6])
    expect([...older.items, ...page.items, ...items]).toEqual(window.state().items)
  })
})

describe('a window on a session', () => {
  test('gets a snapshot, then every event', async () => {
    const office = await openOffice([calls(call('glob', { pattern: '*' })), message([text('Nothing here.')])])
    const session = await office.create()
    const window = openWindow(session)
    await session.send({ inputId: 'in_1', text: 'Look', delivery: 'queue' })
    await window.shows(ended)
    const whole = foldAll(emptySession(session.sessionId), office.store.log(session.sessionId).read())
    expect(window.state()).toEqual(whole)
    await expect(openWindow(session).shows((state) => state)).resolves.toEqual(whole)
  })

  test('that opens during an answer gets the text so far, then the rest', async () => {
    const rest = gate()
    const office = await openOffice(() => brokenAfter(say('one, two, three and all the others'), 'text_delta', rest.opened))
    const session = await office.create()
    const first = openWindow(session)
    await session.send({ inputId: 'in_1', text: 'Count', delivery: 'queue' })
    await first.shows((state) => (state.live?.text ?? '') !== '')
    const second = openWindow(session)
    const live = await second.shows((state) => state.live)
    expect(live.text).toBe(first.state().live?.text)
    rest.open()
    await Promise.all([first.shows(ended), second.shows(ended)])
    expect(second.state()).toEqual(first.state())
  })

  test('that returns with a cursor gets only the events it missed', async () => {
    const office = await openOffice([say('One.'), say('Two.')])
    const session = await office.create()
    const first = openWindow(session)
    await session.send({ inputId: 'in_1', text: 'a', delivery: 'queue' })
    await first.shows(ended)
    first.close()
    const known = first.state()
    await session.send({ inputId: 'in_2', text: 'b', delivery: 'queue' })
    const again = openWindow(session, known.cursor, known)
    await again.shows((state) => state.items.length === 4 && state.run === 'IDLE')
    expect(again.items.every(({ kind }) => kind === 'events')).toBe(true)
    expect(again.state()).toEqual(foldAll(emptySession(session.sessionId), office.store.log(session.sessionId).read()))
  })

  test('that missed many events gets them in pieces, or starts over if it missed more than 5 000', async () => {
    const office = await openOffice([])
    const session = await office.create()
    const known = session.snapshot(100)
    const log = office.store.log(session.sessionId)
    const warn = (count: number): void => {
      const warning = { kind: 'WARNING', trouble: { code: 'x', what: 'x', kept: '', todo: '' } } as const
      log.append(warning, ...Array.from({ length: count - 1 }, () => warning))
    }
    warn(1_200)
    const again = openWindow(session, known.cursor, known)
    await again.shows((state) => state.items.length === 1_200)
    expect(again.items.map((item) => (item.kind === 'events' ? item.envelopes.length : item.kind))).toEqual(Array(8).fill(150))
    warn(3_801)
    const late = openWindow(session, known.cursor, known)
    await late.shows((state) => state.firstItem > 0)
    expect(late.items.map(({ kind }) => kind)).toEqual(['reset', 'snapshot'])
  })

  test('with a cursor from another log starts over', async () => {
    const office = await openOffice([])
    const session = await office.create()
    const window = openWindow(session, 9_999_999)
    await window.shows((state) => state)
    expect(window.items.map(({ kind }) => kind)).toEqual(['reset', 'snapshot'])
  })

  test('shows the history of a session even if its folder is missing, and says what to do (fault 22)', async () => {
    const office = await openOffice([say('Hello.')])
    const session = await office.create()
    const window = openWindow(session)
    await session.send({ inputId: 'in_1', text: 'Hi', delivery: 'queue' })
    await window.shows(ended)
    await office.sessions.closeAll()
    await rm(office.folder, { recursive: true })
    const next = await office.next()
    const again = value(await next.sessions.open(session.sessionId))
    expect(again.snapshot(100).items).toEqual(window.state().items)
    expect(await again.send({ inputId: 'in_2', text: 'More', delivery: 'queue' })).toMatchObject({
      ok: false,
      trouble: { kept: expect.any(String) as unknown },
    })
    expect(again.snapshot(100).cursor).toBe(window.state().cursor)
  })
})

describe('quitting and the next launch', () => {
  test('quitting stops every command, and a waiting request can be signed after the next launch', async () => {
    const office = await openOffice(({ body }) => {
      const words = JSON.stringify(body.messages[0])
      if (body.messages.length > 1) return say('Done.')
      return words.includes('slow') ? calls(shell('echo $$ > pid.txt; exec sleep 60')) : calls(shell('echo x >> count.txt'))
    })
    const slow = await office.create('full')
    const asking = await office.create('ask')
    await slow.send({ inputId: 'in_1', text: 'slow', delivery: 'queue' })
    await asking.send({ inputId: 'in_1', text: 'ask', delivery: 'queue' })
    const window = openWindow(slow)
    await Promise.all([
      openWindow(asking).shows(waits),
      window.shows(({ items }) => items.some((item) => item.kind === 'call' && item.status === 'running')),
    ])
    const pid = await appears(office.folder, (text, name) => name === 'pid.txt' && text.endsWith('\n'))
    await office.sessions.closeAll()
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
    const next = await office.next()
    await next.sessions.recover('here')
    expect(next.store.sessions.list().map(({ run, ended: why }) => [run, why])).toEqual(
      expect.arrayContaining([
        ['IDLE', 'interrupted'],
        ['AWAITING_INPUT', null],
      ]),
    )
    const again = value(await next.sessions.open(asking.sessionId))
    const call = waits(again.snapshot(10))
    if (!call) throw new Error('Nothing waits.')
    expect(await answerIn(again, call)).toEqual({ kind: 'accepted' })
    await openWindow(again).shows(ended)
    expect(await readFile(join(office.folder, 'count.txt'), 'utf8')).toBe('x\n')
  })

  test('an interrupted turn is marked as interrupted at the next launch even if its folder is missing', async () => {
    const office = await openOffice([])
    const sessionId = office.store.sessions.create({
      cwd: join(office.folder, 'gone'),
      provider: 'anthropic',
      model: 'm',
      mode: 'ask',
      effort: null,
      baseUrl: null,
    })
    office.store.log(sessionId).append({ kind: 'USER_INPUT', inputId: 'in_1', text: 'go', delivery: 'prompt' })
    await office.sessions.recover('here')
    expect(office.store.sessions.get(sessionId)).toMatchObject({ run: 'IDLE', ended: 'interrupted', running: false })
  })

  test('turns on other machines are recovered separately, so that a launch never waits for those machines', async () => {
    const office = await openOffice([])
    const started = (cwd: string) => {
      const id = office.store.sessions.create({ cwd, provider: 'anthropic', model: 'm', mode: 'ask', effort: null, baseUrl: null })
      office.store.log(id).append({ kind: 'USER_INPUT', inputId: 'in_1', text: 'go', delivery: 'prompt' })
      return id
    }
    const here = started(join(office.folder, 'gone'))
    const far = started('ssh://box/work')
    const runs = () => [here, far].map((id) => office.store.sessions.get(id)?.ended)
    await office.sessions.recover('here')
    expect(runs()).toEqual(['interrupted', null])
    await office.sessions.recover('far')
    expect(runs()).toEqual(['interrupted', 'interrupted'])
  })

  test('closing one session logs SESSION_END, and the session can be opened again', async () => {
    const office = await openOffice([say('One.'), say('Two.')])
    const session = await office.create()
    await session.send({ inputId: 'in_1', text: 'a', delivery: 'queue' })
    await openWindow(session).shows(ended)
    await office.sessions.close(session.sessionId)
    expect(office.store.sessions.get(session.sessionId)).toMatchObject({ run: 'CLOSED', running: false })
    const again = value(await office.sessions.open(session.sessionId))
    await again.send({ inputId: 'in_2', text: 'b', delivery: 'queue' })
    await openWindow(again).shows((state) => state.items.length === 4)
  })

  test('no session can be opened after the app has closed its sessions', async () => {
    const office = await openOffice([])
    const { sessionId } = await office.create()
    await office.sessions.closeAll()
    expect(await office.sessions.open(sessionId)).toMatchObject({ ok: false, failure: { code: 'closing' } })
  })
})
