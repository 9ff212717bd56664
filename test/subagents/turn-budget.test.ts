import { expect, test } from 'vitest'
import type { DurableEvent } from '../../shared/session/events.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Family, openFamily } from './support/family.ts'

const USED = { input: 600, output: 0 } as const
const read = { ...calls(call('glob', { pattern: '*' })), usage: USED }
const done = { ...say('Done.'), usage: USED }
const limitsIn = (log: Iterable<{ readonly event: DurableEvent }>) =>
  [...log].flatMap(({ event }) => (event.kind === 'TURN_LIMIT' ? [event] : []))
const limitsOf = ({ parent }: Family) => limitsIn(parent.record.read())
const TOKENS = { kind: 'TURN_LIMIT', reason: 'turn_tokens', limit: 1000 } as const

test('a turn stops when its tokens are used up, and the next message has the full budget again', async () => {
  const family = await openFamily(({ round }) => (round < 5 ? read : done), { settings: { turnBudgetTokens: 1000 } })
  await family.ask()
  expect([family.model.requests.length, limitsOf(family)]).toEqual([2, [TOKENS]])
  expect(family.parent.record.state()).toMatchObject({ run: 'IDLE', ended: 'limit', open: [] })
  await family.ask('Go on')
  expect([family.model.requests.length, limitsOf(family)]).toEqual([4, [TOKENS, TOKENS]])
  await family.ask('Go on')
  expect([family.model.requests.length, family.parent.record.state().ended]).toEqual([6, 'completed'])
})

test('a turn whose last answer uses up exactly its budget ends normally', async () => {
  const family = await openFamily(({ round }) => (round === 0 ? read : done), { settings: { turnBudgetTokens: 1200 } })
  await family.ask()
  expect([family.model.requests.length, limitsOf(family), family.parent.record.state().ended]).toEqual([2, [], 'completed'])
})

test('a turn that is resumed after its limit has the full budget again', async () => {
  const family = await openFamily(({ round }) => (round < 3 ? read : done), { settings: { turnBudgetTokens: 1000 } })
  await family.ask()
  await family.parent.resume()
  await family.parent.running()?.idle()
  expect([family.model.requests.length, limitsOf(family)]).toEqual([4, [TOKENS]])
  expect(family.parent.record.state().ended).toBe('completed')
})

test('a turn’s cost in dollars is computed from the known prices, separately from earlier costs', async () => {
  // The model claude-haiku-4-5 costs 1 dollar per million input tokens.
  const dime = { ...read, usage: { input: 100_000, output: 0 } }
  const family = await openFamily(() => dime, { settings: { turnBudgetUsd: 0.2 } })
  const limit = { kind: 'TURN_LIMIT', reason: 'turn_cost', limit: 0.2 } as const
  await family.ask()
  await family.ask('Go on')
  expect([family.model.requests.length, limitsOf(family)]).toEqual([4, [limit, limit]])
})

test('with a dollar limit per turn, a model without a known price is not used', async () => {
  const settings = { turnBudgetUsd: 2 }
  const family = await openFamily(() => say('Never.'), { model: 'claude-of-tomorrow', settings, address: false })
  await family.ask()
  const errors = [...family.parent.record.read()].flatMap(({ event }) => (event.kind === 'ERROR' ? [event.error.code] : []))
  expect([errors, family.model.requests.length]).toEqual([['no_price'], 0])
})

test('a subagent’s usage counts in its own turn and in its parent’s current turn', async () => {
  const family = await openFamily(
    ({ who, round }) =>
      who === 'PARENT'
        ? {
            ...(round === 0 ? calls(call('task', { description: 'x', prompt: 'CHILD-A', agent_type: 'explore' })) : say('Done.')),
            usage: USED,
          }
        : read,
    { settings: { turnBudgetTokens: 2000 } },
  )
  await family.ask()
  const child = await family.child()
  // The parent uses 600 tokens and the child three times 600. That is 2,400 at the child's fourth request and at the parent's second, above
  // the limit of 2,000.
  const limit = { ...TOKENS, limit: 2000 }
  expect([limitsIn(child.record.read()), limitsOf(family), family.model.requests.length]).toEqual([[limit], [limit], 4])
})

test('a subagent from an earlier turn is charged to the new turn only for what it uses in that turn, even after a restart', async () => {
  let script: Parameters<typeof openFamily>[0] = ({ who, round }) => {
    const isFirst = who === 'PARENT' && round === 0
    return { ...(isFirst ? calls(call('task', { agent_type: 'explore', prompt: 'CHILD-A' })) : say('Found.')), usage: USED }
  }
  const family = await openFamily((asked) => script(asked), { settings: { turnBudgetTokens: 1700 } })
  await family.ask()
  expect([family.parent.record.state().ended, family.model.requests.length]).toEqual(['completed', 3])
  await family.app.close()
  const next = await family.again()
  const agent_id = next.children()[0]?.sessionId
  script = ({ who, round }) => {
    if (who !== 'PARENT') return { ...say('Found more.'), usage: USED }
    return { ...calls(round === 2 ? call('send_input', { agent_id, message: 'More' }) : call('wait', { agent_id })), usage: USED }
  }
  await next.ask('And now?')
  // The parent used 600 tokens twice and the subagent used 600 once, which is 1,800. If the 1,800 of the previous turn also counted, no
  // request would have been possible.
  expect([next.model.requests.length, limitsOf(next)]).toEqual([6, [{ ...TOKENS, limit: 1700 }]])
})
