import { describe, expect, test } from 'vitest'
import { refusedAtStart } from '../../main/foreign-agents/agent-choices.ts'
import { setChoices } from '../../main/foreign-agents/protocol/set-choices.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, eventsOf, saidIn, send, startWith } from './support/agent-place.ts'

const MODES = ['plan', 'free', 'ask']

/** The choices of an agent that refuses the values in `refused` and starts again in `ask` when its model changes. */
function agentWith(refused: readonly string[] = []) {
  const current = new Map([
    ['mode', 'ask'],
    ['model', 'small'],
  ])
  const choiceOf = (id: string, values: readonly string[]) => ({
    id,
    name: id === 'mode' ? 'Mode' : 'Model',
    category: id,
    current: current.get(id) ?? '',
    values: values.map((value) => ({ value, name: `The ${value} one`, about: '' })),
  })
  return {
    now: () => ({ choices: [choiceOf('mode', MODES), choiceOf('model', ['small', 'large'])], commands: [] }),
    choose(id: string, value: string): Promise<string | null> {
      if (refused.includes(value)) return Promise.resolve('No.')
      if (id === 'model') current.set('mode', 'ask')
      if (current.has(id)) current.set(id, value)
      return Promise.resolve(current.has(id) ? null : 'Unknown.')
    },
  }
}

test('the mode is in force even if another model starts in a mode of its own', async () => {
  const agent = agentWith()
  expect(await setChoices(agent, { modes: ['free'], chosen: { mode: 'plan', model: 'large' } })).toEqual([])
  expect(agent.now().choices.map(({ current }) => current)).toEqual(['plan', 'large'])
})

test('a preferred mode that the agent refuses is replaced by the next one, and a mode that the user chose by none', async () => {
  const preferred = agentWith(['free'])
  expect(await setChoices(preferred, { modes: ['free', 'unknown', 'plan', 'ask'], chosen: {} })).toEqual([
    { name: 'Mode', wanted: 'The free one', current: 'The plan one', why: 'No.' },
  ])
  const chosen = agentWith(['plan'])
  expect(await setChoices(chosen, { modes: ['free'], chosen: { mode: 'plan', gone: 'x' } })).toEqual([
    { name: 'gone', wanted: 'x', current: null, why: 'Unknown.' },
    { name: 'Mode', wanted: 'The plan one', current: 'The ask one', why: 'No.' },
  ])
})

test('a choice that the agent no longer offers is said once', () => {
  const refused = { name: 'Mode', wanted: 'plan', current: null, why: 'The agent no longer offers this choice.' }
  expect(refusedAtStart('Fake', refused).what).toBe('Fake did not take “plan” as its mode: it no longer offers this choice.')
})

describe.skipIf(hasNoCopies)('a session with a third-party agent', () => {
  test('says which preferred mode the agent refused, and which one it works in, before its turn', async () => {
    const { start } = await agentPlace({ modes: ['locked', 'free'] })
    const session = await start()
    await send(session, [{ mode: true }])
    const warnings = eventsOf(session, 'WARNING').map(({ trouble }) => trouble.what)
    expect(warnings).toEqual(['Fake did not take “locked” as its mode (An administrator has locked it). It now works with “free”.'])
    expect(saidIn(session)).toContain('[mode free]')
    const kinds = [...session.record.read()].map(({ event }) => event.kind)
    expect(kinds.indexOf('WARNING')).toBeLessThan(kinds.indexOf('ASSISTANT_TURN'))
    await send(session, [{ mode: true }])
    expect(eventsOf(session, 'WARNING')).toHaveLength(1)
  })

  test('notices a mode that the agent accepts but does not have, at its start and while it runs', async () => {
    const { app, project, start } = await agentPlace({ modes: ['ask'] })
    const session = await start()
    await app.agentChoices.choose(session.sessionId, 'mode', 'sticky')
    await send(session, [{ mode: true }])
    expect(eventsOf(session, 'WARNING').map(({ trouble }) => trouble.what)).toEqual([
      'Fake did not take “sticky” as its mode (The agent accepted the value, but reports another one). It now works with “ask”.',
    ])
    expect(saidIn(session)).toContain('[mode ask]')

    const other = await startWith(app, project, 'fake')
    await send(other, [{ mode: true }])
    const chosen = await app.agentChoices.choose(other.sessionId, 'mode', 'sticky')
    expect(chosen.ok ? '' : chosen.failure.what).toContain(
      '(The agent accepted the value, but reports another one). It now works with “ask”.',
    )
    const mode = app.agentChoices.offers(other.sessionId, 'fake')?.choices.find(({ id }) => id === 'mode')
    expect(mode?.current).toBe('ask')
  })
})
