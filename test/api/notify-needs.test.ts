import { expect, it } from 'vitest'
import type { SessionId } from '../../shared/lib/ids.ts'
import { call, calls, httpError, say } from '../support/scripted-model.ts'
import { openDesk, type ServedDesk, staying, until } from './support/served-desk.ts'

const send = (desk: ServedDesk, sessionId: SessionId, inputId = 'i'): Promise<unknown> =>
  desk.client.sessions.send({ sessionId, inputId, text: 'Go.', pictures: [], delivery: 'queue' })

/** Resolves when the session's turn has ended. */
const ended = (desk: ServedDesk, sessionId: SessionId): Promise<unknown> =>
  until(
    desk.client.sessions.list({}, staying()),
    (item) => item.kind === 'changed' && item.session.sessionId === sessionId && item.session.turnEnd > 0,
  )

const write = calls(call('write_file', { file_path: 'a.txt', content: 'a' }))

it('without a window, one notification about a request is shown, with the title of its session', async () => {
  const desk = await openDesk([write])
  await desk.client.settings.change({ notifications: 'needs' })
  const sessionId = await desk.session('ask')
  desk.withoutWindow()
  await send(desk, sessionId)
  await expect.poll(() => desk.notes).toEqual([{ sessionId, title: 'Go', body: expect.stringMatching(/^Needs you: ./) }])
  await desk.client.sessions.rename({ sessionId, name: 'Other' })
  await until(desk.client.sessions.list({}, staying()), (item) => item.kind === 'all' && item.sessions[0]?.title === 'Other')
  expect(desk.notes.length).toBe(1)
})

it.each([
  ['a finished turn, if the user wants to know', 'finished', say('Done.'), 'Finished'],
  ['a question at the end of a turn', 'needs', say('Shall I go on?'), 'Asked you a question'],
  ['a turn that ended early', 'needs', httpError(401, 'authentication_error', 'no'), 'Ended early, nothing lost'],
] as const)('without a window, %s is shown', async (_, notifications, answer, body) => {
  const desk = await openDesk(() => answer)
  await desk.client.settings.change({ notifications })
  const sessionId = await desk.session()
  desk.withoutWindow()
  await send(desk, sessionId)
  await expect.poll(() => desk.notes).toEqual([{ sessionId, title: 'Go', body }])
})

it('no notification is shown if notifications are off or do not include finished turns, or if a window is open again', async () => {
  const desk = await openDesk(() => say('Done.'))
  for (const notifications of ['off', 'needs', 'finished'] as const) {
    await desk.client.settings.change({ notifications })
    const sessionId = await desk.session()
    const withoutWindow = desk.withoutWindow()
    if (notifications === 'finished') withoutWindow.abort()
    const turn = ended(desk, sessionId)
    await send(desk, sessionId, notifications)
    await turn
    withoutWindow.abort()
  }
  expect(desk.notes).toEqual([])
})

it('no notification is shown for a request that was made before the last window closed', async () => {
  const desk = await openDesk([write])
  await desk.client.settings.change({ notifications: 'needs' })
  const sessionId = await desk.session('ask')
  await send(desk, sessionId)
  await until(desk.client.sessions.list({}, staying()), (item) => item.kind === 'changed' && item.session.need !== null)
  desk.withoutWindow()
  await desk.client.sessions.rename({ sessionId, name: 'Other' })
  await until(desk.client.sessions.list({}, staying()), (item) => item.kind === 'all' && item.sessions[0]?.title === 'Other')
  expect(desk.notes).toEqual([])
})
