import { expect, it } from 'vitest'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import type { ApprovalId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope } from '../../../shared/session/events.ts'
import { startChild } from '../support/child.ts'
import { CONFIG, input, opened, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ID = session('followed')

it('a process that follows a session gets every event that another process appends, once and in order', { timeout: 60_000 }, async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const heard: AnyEnvelope[] = []
  const complete = new Promise<void>((resolve) => {
    store.subscribe(ID, (envelopes) => {
      heard.push(...envelopes)
      if (heard.length === 5 * 60) resolve()
    })
  })
  startChild('writer', [folder, ID, '60'])
  await complete
  expect(heard).toEqual([...store.log(ID).read()])
  expect(foldAll(emptySession(ID), heard)).toEqual(store.ledger.snapshot(ID, Number.MAX_SAFE_INTEGER))
})

it('a process that watches the list gets the newest state of sessions that other processes change', { timeout: 60_000 }, async () => {
  const folder = tempFolder()
  const store = await opened(folder)
  const titles = new Map<string, number>()
  const complete = new Promise<void>((resolve) => {
    store.subscribeAll(({ sessionId, steps }) => {
      titles.set(sessionId, steps)
      if ([...titles.values()].filter((count) => count === 30).length === 2) resolve()
    })
  })
  startChild('writer', [folder, 'one', '30'])
  startChild('writer', [folder, 'two', '30'])
  await complete
  expect(titles).toEqual(new Map([...titles.keys()].map((id) => [id, 30])))
  expect(
    store.sessions
      .list()
      .map(({ sessionId }) => sessionId)
      .toSorted(),
  ).toEqual(['one', 'two'])
})

it(
  'a process that watches the list learns that another process deleted a session, and can no longer write to that session',
  { timeout: 60_000 },
  async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    const kept = store.sessions.create({ cwd: '/w', ...CONFIG })
    const gone = store.sessions.create({ cwd: '/w', ...CONFIG })
    const log = store.log(gone)
    log.append(input('first'))
    store.subscribeAll(() => {})
    const removed = new Promise((resolve) => store.onRemoved(resolve))
    startChild('deleter', [folder, gone, ''])
    expect(await removed).toEqual([gone])
    expect(store.sessions.list().map(({ sessionId }) => sessionId)).toEqual([kept])
    expect(() => log.append(input('second'))).toThrow(/deleted by another/u)
    expect([...store.log(gone).read()]).toEqual([])
  },
)

it('two processes that append to one session at the same time lose nothing and agree on the order', { timeout: 60_000 }, async () => {
  const folder = tempFolder()
  const children = [startChild('writer', [folder, ID, '40']), startChild('writer', [folder, ID, '40'])]
  await Promise.all(children.map((child) => child.next()))
  const said = await Promise.all(
    children.map(async (child) => {
      const seqs: unknown[] = []
      for (let line = await child.next(); (line as { kind: string }).kind === 'stored'; line = await child.next()) seqs.push(line)
      return seqs
    }),
  )
  const store = await opened(folder)
  const all = [...store.log(ID).read()]
  expect(said.map((seqs) => seqs.length)).toEqual([160, 160])
  expect(all).toHaveLength(400)
  expect(all.slice(1).map(({ after }) => after)).toEqual(all.slice(0, -1).map(({ seq }) => seq))
  expect(store.ledger.snapshot(ID, Number.MAX_SAFE_INTEGER)).toEqual(foldAll(emptySession(ID), all))
})

it(
  'if six processes answer a request at the same moment, exactly one succeeds, and the others see its answer',
  { timeout: 60_000 },
  async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    const call = { toolCallId: 'c' as ToolCallId, toolName: 'shell' }
    const approval = { approvalId: 'a' as ApprovalId, effects: [], hash: 'h', reason: 'r', destructive: false }
    store.log(ID).append({ kind: 'TOOL_CALL_START', ...call, args: {} }, { kind: 'APPROVAL_REQUESTED', ...call, ...approval })
    expect(store.sessions.get(ID)).toMatchObject({ run: 'AWAITING_INPUT', need: 'A step to sign' })
    const children = Array.from({ length: 6 }, () => startChild('answerer', [folder, ID]))
    expect(await Promise.all(children.map((child) => child.next()))).toEqual(Array(6).fill({ kind: 'ready', seen: 2 }))
    for (const child of children) child.say('go')
    const decided = (await Promise.all(children.map((child) => child.next()))) as readonly { first: boolean }[]
    expect(decided.filter(({ first }) => first)).toHaveLength(1)
    expect([...store.log(ID).read()].map(({ event }) => event.kind)).toEqual(['TOOL_CALL_START', 'APPROVAL_REQUESTED', 'APPROVAL_ANSWERED'])
    expect(store.sessions.get(ID)).toMatchObject({ run: 'PROCESSING', need: null })
  },
)
