import { describe, expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, eventsOf, saidIn, send } from './support/agent-place.ts'

describe.skipIf(hasNoCopies)('what a third-party agent offers', () => {
  test('is known while it runs and afterwards, and new sessions with the agent know it too', async () => {
    const { app, start } = await agentPlace()
    const session = await start()
    const offers = (id = session.sessionId) => app.agentChoices.offers(id, 'fake')
    expect(offers()).toBeNull()
    await send(session, [{ mode: true }])
    expect(offers()?.choices.map(({ id, current }) => [id, current])).toEqual([
      ['mode', 'free'],
      ['their-model', 'small'],
    ])
    await expect.poll(() => offers()?.commands).toEqual([{ name: 'polish', description: 'Polishes it', hint: 'what' }])
    await app.sessions.discard(session.sessionId)
    expect(offers()?.choices).toHaveLength(2)
    expect(offers((await start()).sessionId)?.commands).toHaveLength(1)
  })

  test('can be chosen while it runs, and is chosen again after a restart; a refused value says why', async () => {
    const { app, start } = await agentPlace()
    const session = await start()
    const choose = (id: string, value: string) => app.agentChoices.choose(session.sessionId, id, value)
    expect(await choose('their-model', 'large')).toMatchObject({ ok: true })
    await send(session, [{ model: true }])
    expect(saidIn(session)).toContain('[model large]')
    const refused = await choose('their-model', 'none')
    expect(refused.ok ? '' : refused.failure.what).toContain('There is no such model')
    expect(await choose('mode', 'ask')).toMatchObject({ ok: true })
    await send(session, [{ mode: true }])
    expect(saidIn(session)).toContain('[mode ask]')
    await app.sessions.discard(session.sessionId)
    const again = await app.sessions.open(session.sessionId)
    if (!again.ok) throw new Error(again.failure.what)
    await send(again.value, [{ model: true }, { mode: true }])
    expect(saidIn(again.value)).toMatch(/\[model large\]\[mode ask\]$/u)
  })

  test('is shown as chosen until the agent runs, and then with the values that it really has', async () => {
    const { app, start } = await agentPlace()
    const session = await start()
    const model = () => app.agentChoices.offers(session.sessionId, 'fake')?.choices.find(({ id }) => id === 'their-model')?.current
    await send(session, [{ model: true }])
    await app.sessions.discard(session.sessionId)
    expect(await app.agentChoices.choose(session.sessionId, 'their-model', 'none')).toMatchObject({ ok: true })
    expect(model()).toBe('none')
    const again = await app.sessions.open(session.sessionId)
    if (!again.ok) throw new Error(again.failure.what)
    await send(again.value, [{ model: true }])
    expect(model()).toBe('small')
  })
})

const FORM = {
  mode: 'form',
  message: 'Which way?',
  requestedSchema: {
    type: 'object',
    properties: {
      way: {
        type: 'string',
        oneOf: [
          { const: 'l', title: 'Left' },
          { const: 'r', title: 'Right' },
        ],
      },
    },
  },
}

describe.skipIf(hasNoCopies)('a question of a third-party agent', () => {
  test('reaches the user, even in the middle of a call, and the agent gets the answer as the value that its form names', async () => {
    const { start } = await agentPlace({}, { takesQuestions: true })
    const session = await start()
    const running = session.running()
    running?.submit(JSON.stringify([{ elicitWithin: FORM }, { write: ['a.txt', 'x'] }]))
    await expect.poll(() => eventsOf(session, 'APPROVAL_REQUESTED'), { timeout: 20_000 }).toHaveLength(1)
    const [request] = eventsOf(session, 'APPROVAL_REQUESTED')
    if (!request) throw new Error('Nothing was asked.')
    expect(request.effects).toMatchObject([
      { kind: 'question', questions: [{ question: 'Which way?', options: [{ label: 'Left' }, { label: 'Right' }] }] },
    ])
    const reply = { kind: 'answers', answers: [{ chosen: ['Right'], text: '' }] } as const
    await session.answer({ ...request, answer: { kind: 'sign', reply }, from: 'terminal' })
    await running?.idle()
    expect(saidIn(session)).toContain('{"action":"accept","content":{"way":"r"}}')
    expect(eventsOf(session, 'FILES_CHANGED')).toHaveLength(1)
  })

  test('is declined if nobody answers questions', async () => {
    const { start } = await agentPlace()
    const session = await start()
    await send(session, [{ elicit: FORM }])
    expect(saidIn(session)).toContain('{"action":"decline"}')
  })
})
