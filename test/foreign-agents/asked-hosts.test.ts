import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, eventsOf, saidIn, send } from './support/agent-place.ts'
import { asked } from './support/signing.ts'

/** What each turn of a request did. */
const turnsOf = (effects: Awaited<ReturnType<typeof asked>>['request']['effects']) =>
  effects.flatMap((effect) => (effect.kind === 'command' ? (effect.broughtFrom?.agent?.turns ?? []) : []))

describe.skipIf(hasNoCopies)('a request to sign the work of a third-party agent', () => {
  test('names the commands of each turn, and the hosts that its proxy saw, whether or not the agent reports them', async () => {
    const server = createServer((_, answer) => void answer.end('{}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const place = await agentPlace({ ports: [port] })
    const session = await place.start()
    const own = `http://127.0.0.1:${port}/`
    await send(session, [{ request: 'http://elsewhere.example/' }, { request: own }, { run: 'echo one' }, { write: ['a.txt', 'a'] }])
    await send(session, [{ run: 'echo two > b.txt' }, { run: 'echo three' }])
    const { request } = await asked(place, session)
    const hosts = [
      { host: 'elsewhere.example:80', answer: 'refused' },
      { host: `localhost:${port}`, answer: 'own' },
    ]
    expect(turnsOf(request.effects)).toEqual([
      { turn: 1, first: 2, last: 2, commands: ['echo one'], moreCommands: 0, hosts },
      { turn: 2, first: 3, last: 3, commands: ['echo two > b.txt', 'echo three'], moreCommands: 0, hosts: [] },
    ])
  })

  test('a host that is asked for after the last step is part of that turn, and not of the next', async () => {
    const { start } = await agentPlace()
    const session = await start()
    // The question is declined when the step before it has ended.
    const question = { mode: 'form', message: 'Go on?', requestedSchema: { type: 'object', properties: { go: { type: 'boolean' } } } }
    await send(session, [{ run: 'false || true' }, { elicit: question }, { request: 'http://elsewhere.example/' }, { say: 'Over.' }])
    await send(session, [{ request: 'http://elsewhere.example/' }, { say: 'Only talk.' }])
    await send(session, [{ run: 'true' }])
    const ends = eventsOf(session, 'TOOL_CALL_END').map(({ details }) => (details as { readonly hosts?: unknown } | null)?.hosts)
    const titles = eventsOf(session, 'TOOL_CALL_START').map(({ args }) => args?.['title'])
    const steps = titles.flatMap((title, at) => (title === undefined ? [] : [[title, ends[at]] as const]))
    expect(steps).toEqual([
      ['false || true', undefined],
      ['What happened after the last step', [{ host: 'elsewhere.example:80', answer: 'refused' }]],
      ['true', undefined],
    ])
    expect(saidIn(session).match(/gave no answer/gu)).toHaveLength(1)
    expect(session.record.state()).toMatchObject({ run: 'IDLE', ended: 'completed' })
  })

  test('the next step names the hosts of a stopped turn, even after a turn without steps', async () => {
    const heard = Promise.withResolvers<null>()
    const server = createServer((_, answer) => {
      heard.resolve(null)
      answer.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { start } = await agentPlace({ ports: [port] })
    const session = await start()
    const own = `http://127.0.0.1:${port}/`
    const stopped = send(session, [{ request: 'http://elsewhere.example/' }, { request: own }, { waitForCancel: true }])
    await heard.promise
    await session.stop()
    await stopped
    await send(session, [{ say: 'Only talk.' }])
    await send(session, [{ run: 'true' }])
    const hosts = eventsOf(session, 'TOOL_CALL_END').map(({ details }) => (details as { readonly hosts?: unknown } | null)?.hosts)
    expect(hosts).toEqual([
      [
        { host: 'elsewhere.example:80', answer: 'refused' },
        { host: `localhost:${port}`, answer: 'own' },
      ],
    ])
  })
})
