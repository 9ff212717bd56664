import { expect, test } from 'vitest'
import type { DurableEvent } from '../../shared/session/events.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from './support/family.ts'

const USED = { input: 600, output: 0 } as const
const read = { ...calls(call('glob', { pattern: '*' })), usage: USED }
const eventsOf = ({ parent }: Family): readonly DurableEvent[] => [...parent.record.read()].map(({ event }) => event)
const limitsOf = (family: Family) => eventsOf(family).filter(({ kind }) => kind === 'TURN_LIMIT')
const callsOf = ({ app, parent }: Family): readonly CallItem[] =>
  (app.store.ledger.snapshot(parent.sessionId, 100)?.items ?? []).filter((item): item is CallItem => item.kind === 'call')

test('a session stops with a message when its tokens are used up, and continues with a larger budget (R-73)', async () => {
  const family = await openFamily(({ round }) => (round < 3 ? read : { ...say('Done.'), usage: USED }), {
    settings: { budgetTokens: 1000 },
  })
  await family.ask()
  expect(family.model.requests.length).toBe(2)
  expect(limitsOf(family)).toEqual([{ kind: 'TURN_LIMIT', reason: 'tokens', limit: 1000 }])
  expect(family.parent.record.state()).toMatchObject({ run: 'IDLE', ended: 'limit', open: [] })
  await family.ask('Go on')
  expect([family.model.requests.length, limitsOf(family).length]).toEqual([2, 2])
  family.app.settings.change({ budgetTokens: 0 })
  await family.ask('Go on')
  expect([family.model.requests.length, family.parent.record.state().ended]).toEqual([4, 'completed'])
})

test('costs in dollars are computed from the known prices', async () => {
  // The model claude-haiku-4-5 costs 1 dollar per million input tokens.
  const dime = { ...read, usage: { input: 100_000, output: 0 } }
  const family = await openFamily(() => dime, { settings: { budgetUsd: 0.2 } })
  await family.ask()
  expect(family.model.requests.length).toBe(2)
  expect(limitsOf(family)).toEqual([{ kind: 'TURN_LIMIT', reason: 'cost', limit: 0.2 }])
})

test('a compaction counts against the budget, and the next request is checked again', async () => {
  const used = { input: 190_000, output: 0 }
  const family = await openFamily(({ round }) => ({ ...(round === 0 ? read : say('A summary.')), usage: used }), {
    settings: { budgetUsd: 0.3 },
  })
  await family.ask()
  expect(eventsOf(family).filter(({ kind }) => kind === 'COMPACTED').length).toBe(1)
  expect(family.model.requests.length).toBe(2)
  expect(limitsOf(family)).toEqual([{ kind: 'TURN_LIMIT', reason: 'cost', limit: 0.3 }])
})

test('with a dollar limit, a model without a known price is used only if it runs on this machine', async () => {
  const options = { model: 'claude-of-tomorrow', settings: { budgetUsd: 2 } }
  const away = await openFamily(() => say('Never.'), { ...options, address: false })
  await away.ask()
  expect(eventsOf(away)).toContainEqual({ kind: 'ERROR', error: expect.objectContaining({ code: 'no_price' }) })
  const here = await openFamily(() => say('Hello.'), options)
  await here.ask()
  await here.ask('Again')
  expect(here.parent.record.state()).toMatchObject({ ended: 'completed', costUsd: 0 })
})

test('with a dollar limit, no model is used after a model without a price, because the total is unknown', async () => {
  const family = await openFamily(() => say('Hello.'))
  const { app, parent } = family
  const log = app.store.log(parent.sessionId)
  await family.ask()
  const used = { ...parent.record.state().usage, input: 10 }
  log.append({ kind: 'USAGE', turn: used, total: used, costUsd: null }, { kind: 'PROCESSING_END', reason: 'completed' })
  await family.ask('Without a limit')
  app.settings.change({ budgetUsd: 5 })
  await family.ask('With one')
  expect(eventsOf(family).filter(({ kind }) => kind === 'ERROR')).toEqual([
    { kind: 'ERROR', error: expect.objectContaining({ code: 'no_price', what: expect.stringContaining('The cost of this session') }) },
  ])
  expect(family.model.requests.length).toBe(2)
})

test('subagents spend from the same budget, which is checked before the parent’s next request', async () => {
  const family = await openFamily(
    ({ who, round }) => {
      if (who !== 'PARENT') return round === 0 ? read : { ...say(`By ${who}.`), usage: USED }
      const tasks = ['CHILD-A', 'CHILD-B'].map((prompt) => call('task', { agent_type: 'code', prompt }))
      return round === 0 ? { ...calls(...tasks), usage: USED } : say('Never.')
    },
    { settings: { budgetTokens: 2400 } },
  )
  await family.ask()
  const asked = family.model.requests.map(({ body }) => /CHILD-\w/u.exec(JSON.stringify(body.messages[0]))?.[0] ?? 'PARENT')
  // The parent uses 600 tokens and the first subagent uses 1,200, which leaves 600 for one request of the second subagent.
  expect(asked).toEqual(['PARENT', 'CHILD-A', 'CHILD-A', 'CHILD-B'])
  expect(callsOf(family).filter(({ output }) => output.includes('did not finish: The budget of 2,400 tokens is used up.')).length).toBe(1)
  expect(limitsOf(family)).toEqual([{ kind: 'TURN_LIMIT', reason: 'tokens', limit: 2400 }])
})

test('a background subagent reserves part of its parent’s budget only if it has a budget of its own', async () => {
  const spawn = (more: object) => ({ ...calls(call('spawn_agent', { task: 'CHILD-A', agent_type: 'explore', ...more })), usage: USED })
  const script =
    (more: object) =>
    ({ who, round }: { readonly who: string; readonly round: number }) =>
      who !== 'PARENT' ? calls(call('shell', { command: 'sleep 300' })) : round === 0 ? spawn(more) : say('Meanwhile.')
  const free = await openFamily(script({ agent_type: 'code' }), { settings: { budgetTokens: 5000 } })
  await free.ask()
  expect(free.parent.record.state().ended).toBe('completed')
  const reserved = await openFamily(script({ agent_type: 'code', max_tokens: 4400 }), { settings: { budgetTokens: 5000 } })
  await reserved.ask()
  expect(limitsOf(reserved)).toEqual([{ kind: 'TURN_LIMIT', reason: 'tokens', limit: 5000 }])
})
