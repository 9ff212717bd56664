import { expect, test } from 'vitest'
import type { ProviderEvent } from '../../main/agent/ports/provider.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { AgentFailure, ForeignAgent } from '../../main/agent/ports/foreign-agent.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Turn } from '../../shared/session/conversation-turns.ts'
import { modelOver, type ScriptedAgent, scriptedAgent, userTurn } from './support/scripted-agent.ts'

const PLANTED: Trouble = { code: 'agent_settings_changed', what: 'It has planted a hook.', kept: '', todo: '' }

const call = (id: string, path: string) =>
  ({ kind: 'call', call: { id, title: `Write ${path}`, kind: 'edit', input: null, paths: new Set([path]) } }) as const

const steer = (content: string): Turn => ({ kind: 'steering', content })

const codes = (events: readonly ProviderEvent[]): readonly string[] =>
  events.flatMap((event) => (event.kind === 'notice' ? [event.trouble.code] : event.kind === 'failure' ? [event.failure.code] : []))

test('calls of a stopped turn take no changes from the steps of later turns', async () => {
  const scripted = scriptedAgent()
  const { ask, model, steps } = modelOver(scripted)
  const first = ask([userTurn('one')])
  await expect.poll(() => scripted.got).toHaveLength(1)
  scripted.act(call('t1', '/w/other.txt'))
  scripted.act(call('t2', '/w/a.txt'))
  await first
  await model.stop()
  const second = ask([userTurn('one'), userTurn('two')])
  await expect.poll(() => scripted.got).toHaveLength(2)
  scripted.act(call('t3', '/w/a.txt'))
  const finish = (await second).find(({ kind }) => kind === 'finish')
  const parts = finish?.kind === 'finish' ? finish.answer.parts : []
  const [taken] = parts.flatMap((part) => (part.kind === 'tool_call' ? [steps.taken(part.toolCallId)] : []))
  if (!taken) throw new Error('No step was taken.')
  expect(steps.isChangedBy(taken, '/w/a.txt')).toBe(true)
})

test('settings that the agent changed in a stopped turn are reported, at once or with the next message', async () => {
  const scripted = scriptedAgent()
  const planted: Trouble[] = []
  const troubles: Trouble[] = []
  const { ask, model } = modelOver(scripted, {
    afterTurn: () => Promise.resolve(void troubles.push(...planted.splice(0))),
    takeTroubles: () => troubles.splice(0),
  })
  const stopping = new AbortController()
  const first = ask([userTurn('one')], stopping.signal)
  await expect.poll(() => scripted.got).toHaveLength(1)
  planted.push(PLANTED)
  stopping.abort()
  expect(codes(await first)).toEqual([PLANTED.code, 'aborted'])

  const second = ask([userTurn('two')])
  await expect.poll(() => scripted.got).toHaveLength(2)
  scripted.act(call('t1', '/w/a.txt'))
  await second
  planted.push(PLANTED)
  await model.stop()
  const third = ask([userTurn('three')])
  await expect.poll(() => scripted.got).toHaveLength(3)
  scripted.end()
  expect(codes(await third)).toEqual([PLANTED.code])
})

test('if the agent cannot start, it gets the message together with the next one', async () => {
  const scripted = scriptedAgent()
  const answers: Result<ForeignAgent, AgentFailure>[] = [failed({ why: 'It needs a sign-in.', signIn: 'Run this.' }), ok(scripted.agent)]
  const { ask } = modelOver(scripted, { connect: () => Promise.resolve(answers.shift() ?? failed({ why: 'again' })) })
  const turns = [userTurn('the task')]
  expect(codes(await ask(turns))).toEqual(['authentication'])
  const second = ask([...turns, userTurn('I have signed in')])
  await expect.poll(() => scripted.got).toEqual(['the task\n\nI have signed in'])
  scripted.end()
  await second
})

test('a turn that is stopped while the agent starts sends nothing to the agent', async () => {
  const scripted = scriptedAgent()
  const starting = Promise.withResolvers<Result<ForeignAgent, AgentFailure>>()
  const { ask } = modelOver(scripted, { connect: () => starting.promise })
  const stopping = new AbortController()
  const first = ask([userTurn('one')], stopping.signal)
  stopping.abort()
  expect(codes(await first)).toEqual(['aborted'])
  starting.resolve(ok(scripted.agent))
  await new Promise(setImmediate)
  expect(scripted.got).toEqual([])
})

test('a message sent while the agent works is not lost if the agent cannot be started for it', async () => {
  const scripted = scriptedAgent()
  const answers: Result<ForeignAgent, AgentFailure>[] = [ok(scripted.agent), failed({ why: 'It has ended.' }), ok(scripted.agent)]
  const { ask } = modelOver(scripted, { connect: () => Promise.resolve(answers.shift() ?? failed({ why: 'again' })) })
  const turns = [userTurn('one')]
  const first = ask(turns)
  await expect.poll(() => scripted.got).toHaveLength(1)
  scripted.act(call('t1', '/w/a.txt'))
  await first
  const steered = [...turns, steer('and this')]
  const second = ask(steered)
  scripted.end()
  expect(codes(await second)).toEqual(['unknown'])
  const third = ask([...steered, userTurn('go on')])
  await expect.poll(() => scripted.got).toEqual(['one', 'and this\n\ngo on'])
  scripted.end()
  expect(codes(await third)).toEqual([])
})

test('after the user goes back, the agent is told to disregard the later messages, because it cannot forget them', async () => {
  const scripted = scriptedAgent()
  const { ask } = modelOver(scripted)
  const answer: Turn = { kind: 'assistant', content: [] } as unknown as Turn
  const one = userTurn('one')
  const two = userTurn('two')
  for (const [turns, at] of [
    [[one], 1],
    [[one, answer, two], 2],
  ] as const) {
    const asked = ask(turns)
    await expect.poll(() => scripted.got).toHaveLength(at)
    scripted.end()
    await asked
  }
  const third = ask([one, answer, userTurn('three')])
  await expect.poll(() => scripted.got).toHaveLength(3)
  scripted.end()
  await third
  expect(scripted.got[2]).toMatch(/went back to an earlier point[^]*> two[^]*three$/u)
  expect(scripted.got[2]).not.toContain('> one')
})

test('if the budget is used up during a step, the agent is not told to go on', async () => {
  const scripted = scriptedAgent()
  let isRefused = false
  const { ask, model } = modelOver(scripted, {
    isOutOfBudget() {
      const found = isRefused
      isRefused = false
      return found
    },
  })
  const turns = [userTurn('one')]
  const first = ask(turns)
  await expect.poll(() => scripted.got).toHaveLength(1)
  scripted.act(call('t1', '/w/a.txt'))
  await first
  isRefused = true
  await model.stop()
  const last = (await ask(turns)).at(-1)
  expect(last).toMatchObject({ kind: 'finish', answer: { stopReason: 'pause' } })
  expect(scripted.got).toEqual(['one'])
  const raised = ask(turns)
  await expect.poll(() => scripted.got).toHaveLength(2)
  scripted.end()
  await raised
})

test('an agent stops even between an answer and its step, and the commands it left running are ended', async () => {
  const scripted = scriptedAgent()
  let ended = 0
  const { ask } = modelOver(scripted, { endCommands: () => Promise.resolve(void ended++) })
  const stopping = new AbortController()
  const first = ask([userTurn('one')], stopping.signal)
  await expect.poll(() => scripted.got).toHaveLength(1)
  scripted.act(call('t1', '/w/a.txt'))
  await first
  stopping.abort(new Error('Stopped.'))
  await expect.poll(() => ended).toBe(1)
  const second = ask([userTurn('one'), userTurn('two')])
  await expect.poll(() => scripted.got).toHaveLength(2)
  scripted.end()
  await second
})

const lost = { kind: 'failed', why: 'ACP connection closed', hasEnded: true } as const

test('an agent that ended unnoticed after its last turn is restarted and gets the message', async () => {
  const agents = [scriptedAgent(), scriptedAgent()]
  const { ask, model } = modelOver(agents[0] as ScriptedAgent, {
    connect: () => Promise.resolve(ok(agents[0]?.agent as ForeignAgent)),
    drop: () => Promise.resolve(void agents.shift()),
  })
  const [before, after] = agents
  const answer = ask([userTurn('go on')])
  await expect.poll(() => before?.got).toEqual(['go on'])
  before?.end(lost)
  await expect.poll(() => after?.got).toEqual(['go on'])
  await model.stop()
  expect(codes(await answer)).toEqual([])
})

test('after a restart, the user is told what the agent refused before its next text or step', async () => {
  const agents = [scriptedAgent(), scriptedAgent()]
  const [before, after] = agents
  const troubles: Trouble[] = []
  const { ask } = modelOver(before as ScriptedAgent, {
    connect: () => Promise.resolve(ok(agents[0]?.agent as ForeignAgent)),
    drop() {
      agents.shift()
      return Promise.resolve(void troubles.push(PLANTED))
    },
    takeTroubles: () => troubles.splice(0),
  })
  const answer = ask([userTurn('go on')])
  await expect.poll(() => before?.got).toHaveLength(1)
  before?.end(lost)
  await expect.poll(() => after?.got).toHaveLength(1)
  after?.act({ kind: 'text', text: 'I go on.' })
  after?.end()
  expect((await answer).map(({ kind }) => kind)).toEqual(['start', 'notice', 'text', 'finish'])
})

test('a turn that is stopped during a restart of its agent ends at once', async () => {
  const scripted = scriptedAgent()
  const starts: Promise<Result<ForeignAgent, AgentFailure>>[] = [Promise.resolve(ok(scripted.agent))]
  const restarting = Promise.withResolvers<null>()
  const connect = () => {
    const start = starts.shift()
    if (start === undefined) restarting.resolve(null)
    return start ?? new Promise<never>(() => {})
  }
  const { ask } = modelOver(scripted, { connect })
  const stopping = new AbortController()
  const answer = ask([userTurn('go on')], stopping.signal)
  await expect.poll(() => scripted.got).toHaveLength(1)
  scripted.end(lost)
  await restarting.promise
  stopping.abort()
  expect(codes(await answer)).toEqual(['aborted'])
}, 10_000)

test.each([
  ['asked its model', { modelRequests: 1, hasMore: false }],
  ['changed its layer', { modelRequests: 0, hasMore: true }],
])('an agent that %s and ended without a word does not get the message again', async (_, worked) => {
  const scripted = scriptedAgent()
  const now = { modelRequests: 0, hasMore: false }
  const { ask } = modelOver(scripted, { modelRequests: () => now.modelRequests, hasMore: () => Promise.resolve(now.hasMore) })
  const turns = [userTurn('one')]
  const answer = ask(turns)
  await expect.poll(() => scripted.got).toHaveLength(1)
  Object.assign(now, worked)
  scripted.end(lost)
  const [finish] = (await answer).filter(({ kind }) => kind === 'finish')
  // The session carries out the step for what has changed.
  now.hasMore = false
  if (finish) await ask(turns)
  expect(scripted.got).toEqual(['one'])
})

test.each([
  ['has done something in this turn', { ...lost, acts: true }],
  ['refuses the message', { ...lost, hasEnded: false, acts: false }],
])('an agent that %s and then fails is not asked again', async (_, { acts, ...end }) => {
  const scripted = scriptedAgent()
  const { ask } = modelOver(scripted)
  const answer = ask([userTurn('one')])
  await expect.poll(() => scripted.got).toHaveLength(1)
  if (acts) scripted.act({ kind: 'text', text: 'I begin.' })
  scripted.end(end)
  expect(codes(await answer)).toEqual(['unknown'])
  expect(scripted.got).toEqual(['one'])
})
