import { expect, it } from 'vitest'
import type { AppClient } from '../../shared/api/contract.ts'
import type { TerminalItem } from '../../shared/api/terminals.ts'
import { type SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import type { CallItem, SessionState } from '../../shared/session/state.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { openDesk, staying, until } from './support/served-desk.ts'

const toolCallId = ToolCallId.parse('toolu_shell')
const shell = (command: string) => [calls(call('shell', { command }, 'toolu_shell')), say('Done.')]

/** Resolves with the call in a window as soon as `look` accepts it. */
async function callThat(client: AppClient, sessionId: SessionId, look: (item: CallItem) => boolean): Promise<CallItem> {
  let state: SessionState = emptySession(sessionId)
  for await (const item of client.sessions.open({ sessionId, cursor: null }, staying())) {
    if (item.kind === 'snapshot') state = item.state
    if (item.kind === 'events') state = foldAll(state, item.envelopes)
    const found = state.items.find((one): one is CallItem => one.kind === 'call' && look(one))
    if (found) return found
  }
  throw new Error('The window ended before it showed that.')
}

const send = (client: AppClient, sessionId: SessionId) =>
  client.sessions.send({ sessionId, inputId: 'in_1', text: 'Go on', delivery: 'queue' })
const shown = (items: readonly TerminalItem[]): string => items.map((item) => ('data' in item ? item.data : '')).join('')

it('several windows can watch a running command of the agent, and type into it', async () => {
  // The question does not end with a line break. It is shown anyway.
  const desk = await openDesk(shell('printf "name? "; read name; echo "hello $name"'))
  const sessionId = await desk.session()
  const one = { sessionId, toolCallId }
  expect(await send(desk.client, sessionId)).toEqual({ ok: true })
  await callThat(desk.client, sessionId, ({ tail }) => tail?.text.includes('name?') ?? false)
  const both = [desk.client, desk.window()].map((client) => until(client.terminals.attach(one, staying())))
  expect(await desk.client.terminals.write({ ...one, data: 'Ada\r' })).toEqual({ written: true })
  for (const items of await Promise.all(both))
    expect([shown(items).includes('hello Ada'), items.at(-1)]).toEqual([true, { kind: 'exit', exitCode: 0 }])
  expect(await desk.client.terminals.write({ ...one, data: 'late' })).toEqual({ written: false })
  expect(desk.bugs).toEqual([])
})

it('a window that opens before the terminal exists waits for it', async () => {
  const desk = await openDesk(shell('read name; echo "hello $name"'))
  const sessionId = await desk.session()
  const one = { sessionId, toolCallId }
  await send(desk.client, sessionId)
  // A step is announced when it begins. Its terminal opens later.
  await callThat(desk.client, sessionId, ({ status }) => status === 'running')
  const watching = until(desk.client.terminals.attach(one, staying()), ({ kind }) => kind === 'replay')
  expect((await watching).map(({ kind }) => kind)).toEqual(['replay'])
  await desk.client.sessions.stop({ sessionId })
})

it('a window that waits for a terminal is notified if the step ends without a terminal', async () => {
  const desk = await openDesk([calls(call('write_file', { file_path: 'a.txt', content: 'a' }, 'toolu_shell')), say('Done.')])
  const sessionId = await desk.session()
  const one = { sessionId, toolCallId }
  await send(desk.client, sessionId)
  await callThat(desk.client, sessionId, ({ status }) => status !== 'preparing')
  expect(await until(desk.client.terminals.attach(one, staying()))).toEqual([{ kind: 'none' }])
})

it('after a restart the output of a command is shown from storage', async () => {
  const desk = await openDesk(shell('printf "\\033[32mgreen\\033[0m\\n"; exit 3'))
  const sessionId = await desk.session()
  await send(desk.client, sessionId)
  await callThat(desk.client, sessionId, ({ endedAt }) => endedAt !== null)
  const next = await desk.again()
  expect(await until(next.client.terminals.attach({ sessionId, toolCallId }, staying()))).toEqual([
    { kind: 'replay', columns: 120, rows: 30, data: '\u001b[32mgreen\u001b[0m\r\n', watcher: 'stored' },
    { kind: 'exit', exitCode: 3 },
  ])
})

it('an unknown call has no terminal, and requests for its terminal are ignored', async () => {
  const desk = await openDesk()
  const one = { sessionId: await desk.session(), toolCallId: ToolCallId.parse('toolu_none') }
  const { attach, ack, write, resize } = desk.client.terminals
  expect(await until(attach(one, staying()))).toEqual([{ kind: 'none' }])
  expect([
    await ack({ ...one, watcher: 'nobody', chars: 5 }),
    await write({ ...one, data: 'x' }),
    await resize({ ...one, columns: 80, rows: 24 }),
    desk.bugs,
  ]).toEqual([null, { written: false }, null, []])
})
