import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AppClient } from '../../shared/api/contract.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Envelope } from '../../shared/session/events.ts'
import { isInConversation } from '../../shared/session/conversation-move.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { opened } from '../store/support/stores.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { KEY, openDesk, type ServedDesk, staying } from './support/served-desk.ts'

/** Resolves with the session's state in a window as soon as `look` accepts it. */
async function shows(client: AppClient, sessionId: SessionId, look: (state: SessionState) => boolean): Promise<SessionState> {
  let state: SessionState | null = null
  for await (const item of client.sessions.open({ sessionId, cursor: null }, staying())) {
    if (item.kind === 'snapshot') state = item.state
    if (item.kind === 'events' && state) state = foldAll(state, item.envelopes)
    if (state && look(state)) return state
  }
  throw new Error('The window lost the session.')
}

let inputs = 0
async function ask({ client }: ServedDesk, sessionId: SessionId, text: string): Promise<SessionState> {
  const before = (await shows(client, sessionId, () => true)).turnEnd?.seq ?? 0
  await client.sessions.send({ sessionId, inputId: `in_${++inputs}`, text, delivery: 'queue' })
  return shows(client, sessionId, ({ turnEnd, run }) => run === 'IDLE' && (turnEnd?.seq ?? 0) > before)
}

const seqOf = (state: SessionState, text: string): number =>
  Number(state.items.find((item) => item.kind === 'user' && item.text === text)?.id.slice(1))

/** Returns the messages of the newest request, without its system prompt and tools. */
const newest = ({ model }: ServedDesk): string => JSON.stringify(model.requests.at(-1)?.body.messages)

const write = (path: string, content: string) => calls(call('write_file', { file_path: path, content }))

test('after going back, the model gets only the remaining conversation, even after a restart, and the removed part can be restored', async () => {
  const desk = await openDesk([say('One.'), say('Two.'), say('Other.'), say('Four.'), say('Five.')])
  const sessionId = await desk.session()
  await ask(desk, sessionId, 'first')
  const before = await ask(desk, sessionId, 'second')
  const moved = await desk.client.sessions.goBack({ sessionId, point: { kind: 'before', seq: seqOf(before, 'second') } })
  expect(moved).toEqual({ ok: true })
  const again = await desk.again()
  await again.client.settings.setKey({ provider: 'anthropic', key: KEY })
  await ask(again, sessionId, 'another')
  expect(newest(again)).not.toContain('second')
  expect(newest(again)).not.toContain('Two.')
  expect(newest(again)).toMatch(/first.*One\..*another/u)

  const state = await shows(again.client, sessionId, () => true)
  expect(state.items.map((item) => [item.kind, isInConversation(Number(item.id.slice(1)), state.moves)])).toEqual([
    ...[true, true].map((is, at) => [at === 0 ? 'user' : 'prose', is]),
    ...[false, false].map((is, at) => [at === 0 ? 'user' : 'prose', is]),
    ['move', true],
    ['user', true],
    ['prose', true],
  ])
  const [move] = state.moves
  await again.client.sessions.goBack({ sessionId, point: { kind: 'before', seq: move?.seq ?? 0 } })
  await ask(again, sessionId, 'third')
  expect(newest(again)).toMatch(/first.*One\..*second.*Two\..*third/u)
  expect(newest(again)).not.toContain('another')
})

test('the live state, the stored state and a replay of the log are the same', async () => {
  const todo = { id: '1', content: 'Look', status: 'pending', priority: 'high' } as const
  const desk = await openDesk([calls(call('todo_write', { todos: [todo] })), say('One.'), say('Two.')])
  const sessionId = await desk.session()
  const state = await ask(desk, sessionId, 'first')
  expect(state.todos).toHaveLength(1)
  await desk.client.sessions.goBack({ sessionId, point: { kind: 'before', seq: seqOf(state, 'first') } })
  const live = await shows(desk.client, sessionId, ({ moves }) => moves.length === 1)
  expect(live.todos).toEqual([])
  const stored = await opened(desk.data)
  const log: Envelope[] = [...stored.log(sessionId).read()]
  expect(stored.ledger.snapshot(sessionId, 100)).toEqual(live)
  expect(foldAll(emptySession(sessionId), log)).toEqual(live)
})

test('going back to a step keeps that step’s round', async () => {
  const desk = await openDesk([write('a.txt', 'a'), write('b.txt', 'b'), say('Both.'), say('On.')])
  const sessionId = await desk.session()
  await ask(desk, sessionId, 'write')
  expect(await desk.client.sessions.goBack({ sessionId, point: { kind: 'step', step: 1 } })).toEqual({ ok: true })
  await ask(desk, sessionId, 'go on')
  expect(newest(desk)).toContain('a.txt')
  expect(newest(desk)).not.toContain('b.txt')
  expect(newest(desk)).not.toContain('Both.')
  expect(existsSync(join(desk.folder, 'b.txt'))).toBe(true)
})

test('files and conversation go back together, and are restored together', async () => {
  const desk = await openDesk([write('a.txt', 'a'), say('One.'), write('b.txt', 'b'), say('Two.'), say('Three.'), say('Four.')])
  const sessionId = await desk.session()
  await ask(desk, sessionId, 'first')
  const state = await ask(desk, sessionId, 'second')
  const undo = async (target: object, seq: number): Promise<void> => {
    const found = await desk.client.changes.previewUndo({ sessionId, target: target as never })
    if (!found.ok) throw new Error(found.trouble.what)
    const { plan } = found.preview
    const conversation = { kind: 'before', seq } as const
    const outcome = await desk.client.changes.undo({ sessionId, target: target as never, plan, anyway: [], choices: [], conversation })
    expect(outcome).toMatchObject({ kind: 'done' })
  }
  await undo({ kind: 'to', step: 1 }, seqOf(state, 'second'))
  expect(existsSync(join(desk.folder, 'b.txt'))).toBe(false)
  await ask(desk, sessionId, 'third')
  expect(newest(desk)).toMatch(/first.*a\.txt.*One\..*third/u)
  expect(newest(desk)).not.toMatch(/second|b\.txt|Two\.|reverted/u)

  const back = await shows(desk.client, sessionId, () => true)
  const done = back.items.findLast((item) => item.kind === 'rollback')
  await undo({ kind: 'rollback', rollbackId: back.rollbacks.at(-1)?.rollbackId ?? '' }, Number(done?.id.slice(1)))
  expect(readFileSync(join(desk.folder, 'b.txt'), 'utf8')).toBe('b')
  await ask(desk, sessionId, 'fourth')
  expect(newest(desk)).toMatch(/second.*b\.txt.*Two\..*fourth/u)
  expect(newest(desk)).not.toMatch(/third|reverted/u)
})

test('a file that another session changed since is left as it is, and the session and its step are named', async () => {
  const desk = await openDesk([
    write('a.txt', 'a'),
    say('One.'),
    calls(call('read_file', { file_path: 'a.txt' })),
    write('a.txt', 'b'),
    say('Two.'),
  ])
  const sessionId = await desk.session()
  await ask(desk, sessionId, 'first')
  await ask(desk, await desk.session(), 'Mend it')
  const target = { kind: 'to', step: 0 } as const
  const skipped = async (): Promise<unknown> => {
    const found = await desk.client.changes.previewUndo({ sessionId, target })
    return found.ok && found.preview.skipped.map(({ shown, why, detail }) => [shown, why, detail])
  }
  expect(await skipped()).toEqual([['a.txt', 'changed-by-session', 'step 2 of “Mend it”']])
  writeFileSync(join(desk.folder, 'a.txt'), 'mine')
  expect(await skipped()).toEqual([['a.txt', 'changed-since', undefined]])
})

test('if a process is killed halfway, the next process finishes both the files and the conversation', async () => {
  const desk = await openDesk([write('a.txt', 'a'), say('One.'), write('b.txt', 'b'), say('Two.'), say('Three.')])
  const sessionId = await desk.session()
  await ask(desk, sessionId, 'first')
  const state = await ask(desk, sessionId, 'second')
  const target = { kind: 'to', step: 1 } as const
  const found = await desk.client.changes.previewUndo({ sessionId, target })
  if (!found.ok) throw new Error(found.trouble.what)
  const files = found.preview.files.map(({ change }) => change)
  const conversation = { to: seqOf(state, 'second') - 1, todos: [], compactions: [], wholeWanted: false, context: 0 }
  const rest = { rollbackId: 'undo_killed', target, files, skipped: [], uncovered: [], conversation }
  ;(await opened(desk.data)).log(sessionId).append({ kind: 'ROLLBACK_STARTED', ...rest })
  const again = await desk.again()
  await again.client.settings.setKey({ provider: 'anthropic', key: KEY })
  await shows(again.client, sessionId, ({ rollbacks, rollingBack }) => rollbacks.length === 1 && rollingBack === null)
  expect(existsSync(join(desk.folder, 'b.txt'))).toBe(false)
  await ask(again, sessionId, 'third')
  expect(newest(again)).toMatch(/first.*a\.txt.*One\..*third/u)
  expect(newest(again)).not.toMatch(/second|b\.txt/u)
})

test('files that were read in the removed part of the conversation count as unread', async () => {
  const desk = await openDesk([write('a.txt', 'a'), say('One.'), write('a.txt', 'b'), say('Two.')])
  const sessionId = await desk.session()
  const state = await ask(desk, sessionId, 'first')
  await desk.client.sessions.goBack({ sessionId, point: { kind: 'before', seq: seqOf(state, 'first') } })
  const { items } = await ask(desk, sessionId, 'write it')
  expect(items.findLast((item) => item.kind === 'call')).toMatchObject({ toolName: 'write_file', isError: true })
  expect(readFileSync(join(desk.folder, 'a.txt'), 'utf8')).toBe('a')
})

test('an unknown point is refused without any change', async () => {
  const desk = await openDesk([say('One.')])
  const sessionId = await desk.session()
  const state = await ask(desk, sessionId, 'first')
  for (const point of [
    { kind: 'before', seq: 9_999 },
    { kind: 'step', step: 7 },
  ] as const)
    expect(await desk.client.sessions.goBack({ sessionId, point })).toMatchObject({ ok: false, trouble: { code: 'no_such_point' } })
  expect((await shows(desk.client, sessionId, () => true)).cursor).toBe(state.cursor)
})

test('a fork has the conversation up to the chosen point with the original times, and its source is unchanged', async () => {
  const desk = await openDesk([write('a.txt', 'a'), say('One.'), say('Two.'), say('Fork.'), say('Three.')])
  const sessionId = await desk.session()
  await ask(desk, sessionId, 'first')
  const source = await ask(desk, sessionId, 'second')
  const forked = await desk.client.sessions.fork({ sessionId, point: { kind: 'before', seq: seqOf(source, 'second') } })
  if (!forked.ok) throw new Error(forked.trouble.what)
  const fork = await shows(desk.client, forked.sessionId, () => true)
  expect(fork).toMatchObject({ title: 'first', run: 'IDLE', forkedFrom: { sessionId } })
  expect(fork.items.map(({ kind, at }) => [kind, at])).toEqual(source.items.slice(0, 3).map(({ kind, at }) => [kind, at]))
  await ask(desk, forked.sessionId, 'instead')
  expect(newest(desk)).toMatch(/first.*a\.txt.*One\..*instead/u)
  expect(newest(desk)).not.toContain('second')
  await ask(desk, sessionId, 'third')
  expect(newest(desk)).toMatch(/first.*second.*Two\..*third/u)
  expect(newest(desk)).not.toContain('instead')
})

test('a fork after going back contains only the remaining conversation', async () => {
  const desk = await openDesk([say('One.'), say('Two.'), say('Three.'), say('Four.')])
  const sessionId = await desk.session()
  await ask(desk, sessionId, 'first')
  const state = await ask(desk, sessionId, 'second')
  await desk.client.sessions.goBack({ sessionId, point: { kind: 'before', seq: seqOf(state, 'second') } })
  const now = await ask(desk, sessionId, 'third')
  const forked = await desk.client.sessions.fork({ sessionId, point: { kind: 'after', seq: Number(now.items.at(-1)?.id.slice(1)) } })
  if (!forked.ok) throw new Error(forked.trouble.what)
  const { items } = await shows(desk.client, forked.sessionId, () => true)
  expect(items.flatMap((item) => (item.kind === 'user' || item.kind === 'prose' ? [item.text] : []))).toEqual([
    'first',
    'One.',
    'third',
    'Three.',
  ])
  await ask(desk, forked.sessionId, 'fourth')
  expect(newest(desk)).toMatch(/first.*third.*fourth/u)
})
