import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAgentSteps } from '../../main/foreign-agents/agent-steps.ts'
import { createModelRequests } from '../../main/foreign-agents/model-requests.ts'
import type { OpenedSession } from '../../main/sessions/opened-session.ts'
import { limitTrouble } from '../../shared/session/limit-trouble.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, changesByStep, eventsOf, saidIn, send } from './support/agent-place.ts'

/** A model service that counts its requests and reports 60 tokens for each. */
async function service() {
  let requests = 0
  const server = createServer((_, answer) => {
    requests++
    answer.end(JSON.stringify({ usage: { prompt_tokens: 50, completion_tokens: 10 } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/`, requests: () => requests }
}

const barriers = (session: OpenedSession): readonly unknown[] =>
  eventsOf(session, 'TOOL_CALL_END').map(({ details }) => (details as { readonly readAt?: string } | null)?.readAt)

test('a model request passes even if the changes of earlier steps cannot be read', async () => {
  const requests = createModelRequests({
    steps: createAgentSteps(),
    comparison: { read: () => Promise.reject(new Error('The folder is gone.')) },
    heardAll: () => Promise.resolve(),
    isOwn: () => true,
    isSpent: () => false,
    onRefused: () => {},
  })
  expect(await requests.onRequest({ host: 'model.example', port: 443 })).not.toBeNull()
})

describe.skipIf(hasNoCopies)('the model requests of a third-party agent', () => {
  test('wait until the changes of the previous call are read, so each call gets its own, even without permission requests', async () => {
    const { port, url } = await service()
    const { start } = await agentPlace({ ports: [port] })
    const session = await start()
    const names = ['same.txt', 'one.txt', 'same.txt', 'two.txt', 'same.txt', 'three.txt', 'same.txt', 'four.txt']
    await send(session, [...names.flatMap((name, at) => [{ request: url }, { act: [name, `version ${at}`] }]), { request: url }])
    expect(changesByStep(session)).toEqual(
      names.map((name, at) => [`act on ${name}`, [`${name === 'same.txt' && at > 0 ? '~' : '+'}${name}`]]),
    )
    expect(barriers(session)).toEqual(names.map(() => 'request'))
  })

  test('are counted, and no request is passed on when the budget is used up', async () => {
    const { port, url, requests } = await service()
    const { app, start } = await agentPlace({ ports: [port] })
    app.settings.change({ budgetTokens: 100 })
    const session = await start()
    await send(session, [{ request: url }, { act: ['a.txt', 'x'] }, { request: url }, { request: url }, { waitForCancel: true }])
    expect(requests()).toBe(2)
    expect(eventsOf(session, 'TURN_LIMIT')).toMatchObject([{ reason: 'tokens', limit: 100, countedBy: 'proxy' }])
    expect(changesByStep(session)).toEqual([['act on a.txt', ['+a.txt']]])
    expect(saidIn(session)).not.toContain('no answer')
    expect(session.record.state().usage).toMatchObject({ input: 100, output: 20 })
  })

  test('are limited by the agent’s own figures where the proxy can read none, and the limit says so', async () => {
    const { app, start } = await agentPlace()
    app.settings.change({ budgetTokens: 100 })
    const session = await start()
    await send(session, [
      { usage: [50, 0] },
      { act: ['a.txt', 'x'] },
      { usage: [400, 0] },
      { act: ['b.txt', 'x'] },
      { waitForCancel: true },
    ])
    const [limit] = eventsOf(session, 'TURN_LIMIT')
    expect(limit).toMatchObject({ reason: 'tokens', limit: 100, countedBy: 'agent' })
    expect(limit && limitTrouble(limit).what).toContain('The agent itself reports what it spends')
    expect(eventsOf(session, 'PROCESSING_END').at(-1)?.reason).not.toBe('completed')
  })
})
