import { describe, expect, test } from 'vitest'
import type { ScriptedAnswer, ScriptedBlock, ScriptedRequest } from '../../../main/providers/rehearsal/scripted-answer.ts'
import { call, calls, httpError, message, say, text, thinking } from '../../support/scripted-model.ts'
import { type Desk, endsOf, openDesk, type Way, WAYS } from './desk.ts'

const SIGNATURE = 'c2lnbmF0dXJlLW9mLWFuLWVhcmxpZXItYW5zd2Vy'
const THOUGHT: ScriptedBlock = thinking('The folder comes first.', SIGNATURE)

/** What the service gets back of its own reasoning, and how it refuses that. */
const REFUSED: Readonly<Record<Way['provider'], readonly [opaque: string, words: string]>> = {
  anthropic: [SIGNATURE, 'messages.1.content.0: Invalid `signature` in `thinking` block'],
  openai: [SIGNATURE, 'The encrypted content could not be verified.'],
  'openai-compatible': ['reasoning_content', 'Provider returned error'],
  gemini: [SIGNATURE, 'Thought signature is not valid.'],
}

const CASES = WAYS.map((way) => ({ way, provider: way.provider, opaque: REFUSED[way.provider][0], words: REFUSED[way.provider][1] }))
const warnings = (desk: Desk) => desk.events().flatMap((event) => (event.kind === 'WARNING' ? [event.trouble.code] : []))

const conversationOf = ({ json }: Pick<ScriptedRequest, 'json'>): string =>
  JSON.stringify(json['messages'] ?? json['input'] ?? json['contents'])

/** Refuses every request that contains this. */
const refusing =
  (opaque: string, words: string, answers: readonly ScriptedAnswer[]) =>
  ({ index, json }: ScriptedRequest): ScriptedAnswer =>
    conversationOf({ json }).includes(opaque) ? httpError(400, 'invalid_request_error', words) : (answers[index] ?? say('Done.'))

describe.each(CASES)('$provider: reasoning that the service refuses to get back', { timeout: 60_000 }, ({ way, opaque, words }) => {
  test('is left out of the next request, and the user is told', async () => {
    const step = message([THOUGHT, text('I look.'), call('list_directory', { path: '.' })])
    const desk = await openDesk(way, refusing(opaque, words, [step]))
    expect((await desk.run('Go')).ended).toBe('completed')
    expect((await desk.run('And now?')).ended).toBe('completed')
    expect([desk.model.requests.length, warnings(desk)]).toEqual([4, ['reasoning_left_out']])
    expect(desk.asked(1)).toContain(opaque)
    expect(desk.asked(2)).toContain('I look.')
  })

  test('is not sent back at all after a second refusal', async () => {
    const desk = await openDesk(
      way,
      refusing(
        opaque,
        words,
        [0, 1, 2, 3, 4, 5, 6, 7].map(() => message([THOUGHT, text('Yes.')])),
      ),
    )
    for (const task of ['One', 'Two', 'Three', 'Four', 'Five']) expect((await desk.run(task)).ended).toBe('completed')
    expect([desk.model.requests.length, warnings(desk)]).toEqual([7, ['reasoning_left_out', 'reasoning_left_out']])
  })

  test('is left out of the request for a summary, too', async () => {
    const steps = ['One', 'Two'].map((words) => message([THOUGHT, text(words)]))
    const script = refusing(opaque, words, steps)
    const desk = await openDesk(way, (request) => (request.index < 2 ? (steps[request.index] ?? say('')) : script(request)))
    for (const task of ['Go', 'And now?']) await desk.run(task)
    desk.session.compact('')
    const { ended, compactions } = await desk.session.idle()
    expect([ended, compactions.length, warnings(desk)]).toEqual(['completed', 1, ['reasoning_left_out']])
    expect([desk.asked(2).includes(opaque), desk.asked(3).includes(opaque), desk.model.requests.length]).toEqual([true, false, 4])
  })

  test('is left out in a subagent, too', async () => {
    const child: ScriptedRequest[] = []
    const desk = await openDesk(way, (request) => {
      const said = conversationOf(request)
      if (!said.includes('CHILD-TASK')) return calls(call('task', { prompt: 'CHILD-TASK', agent_type: 'explore' }))
      if (said.includes('agent_type')) return say('Done.')
      child.push(request)
      const step = message([THOUGHT, text('I look.'), call('list_directory', { path: '.' })])
      return child.length === 1 ? step : refusing(opaque, words, [])(request)
    })
    expect((await desk.run('Go')).ended).toBe('completed')
    expect([child.length, endsOf(desk)[0]?.isError]).toEqual([3, false])
  })

  test('does not hide a refusal of something else: the turn ends after one repeated request', async () => {
    const step = message([THOUGHT, text('I look.'), call('list_directory', { path: '.' })])
    const desk = await openDesk(way, ({ index }) => (index === 0 ? step : httpError(400, 'invalid_request_error', words)))
    expect((await desk.run('Go')).ended).toBe('error')
    expect([desk.model.requests.length, warnings(desk)]).toEqual([3, ['reasoning_left_out']])
  })
})
