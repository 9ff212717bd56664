import { describe, expect, test } from 'vitest'
import type { DurableEvent } from '../../shared/session/events.ts'
import { planText, readPlan } from '../../shared/workflow/plan-agent-answer.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type Desk, endsOf, openDesk, WAYS } from '../providers/parity/desk.ts'

const PLAN = {
  summary: 'A parser in a file of its own.',
  files_to_create: [{ path: 'parse.ts', purpose: 'Reads the file.' }],
  files_to_modify: [{ path: 'main.ts', changes: 'Calls it.' }],
  commands: ['npm test'],
  dependencies: [],
  tests: [{ path: 'parse.test.ts', coverage: 'Broken files.' }],
}
const TEXT = `A parser in a file of its own.

**Files to create**

- \`parse.ts\`: Reads the file.

**Files to modify**

- \`main.ts\`: Calls it.

**Commands**

- \`npm test\`

**Tests**

- \`parse.test.ts\`: Broken files.`

const plan = calls(call('task', { agent_type: 'plan', prompt: 'Plan a parser.', description: 'Plan it' }))
/** Returns the events of the subagent's log. */
function logOf({ app }: Desk): readonly DurableEvent[] {
  const child = app.store.sessions.list().find(({ parent }) => parent !== null)
  return child ? [...app.store.log(child.sessionId).read()].map(({ event }) => event) : []
}
/** Matches any of the ways in which a request can specify the shape of its answer. */
const hasShape = (asked: string): boolean => /"(?:json_schema|responseJsonSchema)"/.test(asked)

describe.each(WAYS)('$provider', { timeout: 60_000 }, (way) => {
  test('a subagent submits its plan as data that matches a schema, and its parent gets the plan as text (R-54, R-55, L-27)', async () => {
    const desk = await openDesk(way, [plan, say('First a parser, then its use.'), say(JSON.stringify(PLAN)), say('Agreed.')])
    expect((await desk.run('Plan it')).ended).toBe('completed')
    expect(endsOf(desk)).toMatchObject([{ tool: 'task', output: TEXT, isError: false }])
    expect([0, 1, 2, 3].map((index) => hasShape(desk.asked(index)))).toEqual([false, false, true, false])
    expect(desk.asked(2)).toContain('Now give the same plan as one JSON object')
  })

  test('the free-text answer of a model that ignores the schema becomes the plan', async () => {
    const desk = await openDesk(way, [plan, say('First a parser.'), say('Here you are: {'), say('Agreed.')])
    expect((await desk.run('Plan it')).ended).toBe('completed')
    expect(endsOf(desk)).toMatchObject([{ tool: 'task', output: 'First a parser.', isError: false }])
    expect(logOf(desk).slice(-2)).toMatchObject([
      { kind: 'WARNING', trouble: { code: 'no_object' } },
      { kind: 'PROCESSING_END', reason: 'completed' },
    ])
  })

  test('a model can make other calls before it submits its plan', async () => {
    const look = calls(call('glob', { pattern: '*' }))
    const desk = await openDesk(way, [plan, say('First a parser.'), look, say(JSON.stringify(PLAN)), say('Agreed.')])
    await desk.run('Plan it')
    expect(endsOf(desk)).toMatchObject([{ tool: 'task', output: TEXT, isError: false }])
    expect(logOf(desk).filter((event) => event.kind === 'STEERING_INJECTED').length).toBe(1)
  })
})

test('a subagent whose last allowed answer is free text counts as finished, and no limit is reported', async () => {
  const spawn = calls(call('spawn_agent', { agent_type: 'plan', task: 'Plan a parser.', max_turns: 1 }))
  const [way] = WAYS.filter(({ provider }) => provider === 'anthropic')
  if (!way) throw new Error('There is no such way.')
  let round = 0
  const desk: Desk = await openDesk(way, ({ json }) => {
    const asked = JSON.stringify(json)
    if (!asked.includes('Plan it')) return say('First a parser.')
    const [id = ''] = /s_[0-9a-f]{24}/u.exec(asked) ?? []
    return [spawn, calls(call('wait', { agent_id: id })), say('Agreed.')][round++] ?? say('Agreed.')
  })
  await desk.run('Plan it')
  expect(JSON.parse(endsOf(desk).at(-1)?.output ?? 'null')).toMatchObject({
    status: 'completed',
    success: true,
    output: 'First a parser.',
    turns_used: 1,
  })
  expect(logOf(desk).filter((event) => event.kind === 'TURN_LIMIT')).toEqual([])
})

test('an answer that is not a plan is rejected', () => {
  expect([readPlan('A plan.'), readPlan('{"summary":"x"}'), readPlan('{')]).toEqual([null, null, null])
  expect(readPlan(JSON.stringify(PLAN))).toEqual(PLAN)
  expect(planText({ ...PLAN, files_to_create: [], files_to_modify: [], commands: [], tests: [] })).toBe(PLAN.summary)
})
