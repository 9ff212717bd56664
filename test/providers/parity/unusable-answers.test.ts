import { describe, expect, test } from 'vitest'
import type { EventLog } from '../../../main/agent/ports/event-log.ts'
import { anthropicFrames } from '../../../main/providers/rehearsal/anthropic-frames.ts'
import { chatFrames } from '../../support/wire-formats/chat-frames.ts'
import { geminiFrames } from '../../support/wire-formats/gemini-frames.ts'
import type { ScriptedAnswer, ScriptedBlock } from '../../../main/providers/rehearsal/scripted-answer.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { call, calls, message, say, stream, text, thinking } from '../../support/scripted-model.ts'
import { type Desk, endsOf, openDesk, type Way, WAYS } from './desk.ts'

type Form = readonly [name: string, answer: ScriptedAnswer]

const PLAN = 'Let me look at the file first.'
const CALL_AS_TEXT = `${PLAN}\n\n<tool_call>\n{"name": "read_file", "arguments": {"file_path": "a.txt"}}\n</tool_call>`

/** Answers that say nothing, in every format. */
const ALL: readonly Form[] = [
  ['nothing', message([])],
  ['only whitespace', say(' \n\n ')],
  ['only thinking', message([thinking('I could read the file.', 'c2ln'), text('\n')])],
]

const asChat = (blocks: readonly ScriptedBlock[], change: (body: string) => string): ScriptedAnswer =>
  stream(change(chatFrames({ kind: 'message', blocks }, 'm', 'odd').join('')))

/** Answers that say nothing, as only one service sends them. */
const OWN: Readonly<Record<Way['provider'], readonly Form[]>> = {
  anthropic: [['a stop for a call without a call', stream(anthropicFrames(message([], { stopReason: 'tool_use' }), 'm', 'odd').join(''))]],
  openai: [],
  'openai-compatible': [
    ['a stop for a call without a call', asChat([], (body) => body.replace('"finish_reason":"stop"', '"finish_reason":"tool_calls"'))],
    [
      'a broken connection behind the service',
      asChat([], (body) => body.replace('"finish_reason":"stop"', '"finish_reason":"stop","native_finish_reason":"network_error"')),
    ],
  ],
  gemini: [
    [
      'STOP without parts',
      stream(geminiFrames(message([]), 'm', 'odd').join('').replace('"content":{"role":"model","parts":[{"text":""}]},', '')),
    ],
  ],
}

const READ = calls(call('list_directory', { path: '.' }))
const CASES = WAYS.flatMap((way) =>
  [...ALL, ...OWN[way.provider], ['a call written as text', say(CALL_AS_TEXT)] as const].map(([form, answer]) => ({
    way,
    provider: way.provider,
    form,
    answer,
    code: form === 'a call written as text' ? 'call_as_text' : 'empty_answer',
  })),
)

/** One form for each wire, and the form that has text: which answers are unusable is decided before the loop gets them. */
const OF_LOOPS = CASES.filter(({ provider, form }) => form === 'only thinking' || (provider === 'anthropic' && form.startsWith('a call')))

/** Subagents run in the same loop, so two forms of one wire show what their parents hear. */
const OF_SUBAGENTS = OF_LOOPS.filter(({ provider }) => provider === 'anthropic')

const errors = (desk: Desk) => desk.events().flatMap((event) => (event.kind === 'ERROR' ? [event.error.code] : []))
const notes = (desk: Desk) => desk.events().flatMap((event) => (event.kind === 'STEERING_INJECTED' ? [event.text] : []))

describe.each(CASES)('$provider: $form', { timeout: 60_000 }, ({ way, answer, code }) => {
  test('as the first answer is asked again once, and a second one ends the turn as an error', async () => {
    const desk = await openDesk(way, () => answer)
    expect((await desk.run('Go')).ended).toBe('error')
    expect([errors(desk), desk.model.requests.length]).toEqual([[code], 2])
    expect(notes(desk)).toHaveLength(1)
    expect(desk.asked(1)).toContain(notes(desk)[0])
  })
})

describe.each(OF_LOOPS)('$provider: $form', { timeout: 60_000 }, ({ way, answer }) => {
  test('after a step is asked again, and the work goes on; each new step allows it once more', async () => {
    const desk = await openDesk(way, ({ index }) => [READ, answer, READ, answer, say('Done.')][index] ?? answer)
    expect((await desk.run('Go')).ended).toBe('completed')
    expect([errors(desk), desk.model.requests.length, notes(desk).length]).toEqual([[], 5, 2])
  })
})

const TASK = calls(call('task', { agent_type: 'explore', prompt: 'CHILD: look', description: 'Look' }))

describe.each(OF_SUBAGENTS)('$provider: $form', { timeout: 60_000 }, ({ way, answer, code }) => {
  test('from a subagent is asked again once; after a second one the parent hears of the error, and no result', async () => {
    const childAnswers = [READ, answer, answer]
    const parentAnswers = [TASK, say('It failed.')]
    const desk = await openDesk(way, ({ json }) => {
      const isChild = !JSON.stringify(json).includes('Ask the child')
      return (isChild ? childAnswers : parentAnswers).shift() ?? say('Never asked.')
    })
    expect((await desk.run('Ask the child')).ended).toBe('completed')
    const child = desk.app.store.sessions.list().find(({ parent }) => parent !== null)
    const why = child ? errorIn(desk.app.store.log(child.sessionId)) : null
    expect([why?.code, childAnswers.length]).toEqual([code, 0])
    expect(endsOf(desk)).toMatchObject([{ tool: 'task', isError: true }])
    expect(endsOf(desk)[0]?.output).toContain(`The explore subagent did not finish: ${why?.what ?? ''}`)
    expect(endsOf(desk)[0]?.output).not.toContain('without a report')
  })

  test('instead of the answer in the requested form leaves the free text as the answer, and a notice says so', async () => {
    const plan = calls(call('task', { agent_type: 'plan', prompt: 'CHILD: plan', description: 'Plan' }))
    const desk = await openDesk(way, [plan, say('First a parser.'), answer, say('Agreed.')])
    expect((await desk.run('Plan it')).ended).toBe('completed')
    expect(endsOf(desk)).toMatchObject([{ tool: 'task', output: 'First a parser.', isError: false }])
    const child = desk.app.store.sessions.list().find(({ parent }) => parent !== null)
    const events = child ? [...desk.app.store.log(child.sessionId).read()] : []
    expect(events.flatMap(({ event }) => (event.kind === 'WARNING' ? [event.trouble.code] : []))).toEqual(['no_object'])
  })
})

function errorIn(log: EventLog): Trouble | null {
  const found = [...log.read()].find(({ event }) => event.kind === 'ERROR')?.event
  return found?.kind === 'ERROR' ? found.error : null
}

function wayOf(provider: Way['provider']): Way {
  const way = WAYS.find((one) => one.provider === provider)
  if (!way) throw new Error('There is no such way.')
  return way
}

const ended = (blocks: readonly ScriptedBlock[], stopReason: 'tool_use' | 'pause_turn' | 'end_turn') =>
  stream(anthropicFrames(message(blocks, { stopReason }), 'm', 'odd').join(''))
const EXAMPLE = 'The template is:\n\n```\n<tool_call>\n{}\n</tool_call>\n```'

test.each<readonly [name: string, provider: Way['provider'], answers: readonly ScriptedAnswer[], ended: string, notes: number]>([
  ['text before a pause counts', 'anthropic', [ended([text('All done.')], 'pause_turn'), ended([], 'end_turn')], 'completed', 0],
  ['a pause without text does not', 'anthropic', [ended([], 'pause_turn'), ended([], 'end_turn'), say('Done.')], 'completed', 1],
  ['a call in a code block is an example', 'openai', [say(EXAMPLE)], 'completed', 0],
  [
    'text with an announced call that is missing is asked again once',
    'anthropic',
    [1, 2].map(() => ended([text(PLAN)], 'tool_use')),
    'completed',
    1,
  ],
  [
    'text that a broken connection behind the service cut is an error',
    'openai-compatible',
    [
      asChat([text('I have')], (body) =>
        body.replace('"finish_reason":"stop"', '"finish_reason":"stop","native_finish_reason":"network_error"'),
      ),
    ],
    'error',
    0,
  ],
])('%s', { timeout: 60_000 }, async (_, provider, answers, end, count) => {
  const desk = await openDesk(wayOf(provider), answers)
  expect((await desk.run('Go')).ended).toBe(end)
  expect([notes(desk).length, desk.model.requests.length]).toEqual([count, answers.length])
})
