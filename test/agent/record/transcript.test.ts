import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTranscript } from '../../../main/agent/record/transcript.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { LoggedTurn } from '../../../shared/session/conversation-turns.ts'
import { answer, begun, call, ended, input, steering } from '../support/events.ts'

function turnsOf(...events: readonly DurableEvent[]): readonly LoggedTurn[] {
  const transcript = createTranscript()
  for (const event of events) transcript.add(event)
  return transcript.turns()
}

const text = (words: string) => ({ kind: 'text', text: words }) as const

describe('transcript: a pure function of the log', () => {
  test('input, answers, results and steering messages become turns with verbatim parts, usage and answer id (P2-09…P2-11, P2-13, S-06, D-04)', () => {
    const parts = [{ kind: 'thinking', text: 'hm', signature: 's1' } as const, text('I look.'), call('c1', 'read_file', { file_path: 'a' })]
    const usage = { input: 5, output: 6, cacheRead: 1, cacheWrite: 2, reasoning: 3 }
    expect(
      turnsOf(
        input('go'),
        answer(parts, { usage, responseId: 'msg_1' }),
        begun('c1'),
        ended('c1', 'whole', { modelText: 'cut' }),
        steering('faster'),
        answer([text('Done.')]),
      ),
    ).toEqual([
      { kind: 'user', content: 'go' },
      { kind: 'assistant', content: parts, provider: 'anthropic', model: 'm', usage, responseId: 'msg_1' },
      { kind: 'tool_results', results: [{ toolCallId: 'c1', toolName: 'read_file', output: 'cut', isError: false }] },
      { kind: 'steering', content: 'faster' },
      {
        kind: 'assistant',
        content: [text('Done.')],
        provider: 'anthropic',
        model: 'm',
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
        responseId: null,
      },
    ])
  })

  test('results of a round are in call order, whichever call finished first (P3-19)', () => {
    const turns = turnsOf(
      input('go'),
      answer([call('a'), call('b'), call('c')]),
      ended('c'),
      ended('a'),
      ended('b', 'no', { isError: true }),
    )
    expect(turns.at(-1)).toEqual({
      kind: 'tool_results',
      results: [
        { toolCallId: 'a', toolName: 'read_file', output: 'result of a', isError: false },
        { toolCallId: 'b', toolName: 'read_file', output: 'no', isError: true },
        { toolCallId: 'c', toolName: 'read_file', output: 'result of c', isError: false },
      ],
    })
  })

  test('interrupted and empty answers are left out', () => {
    expect(turnsOf(input('go'), answer([text('I was ab')], { complete: false }), answer([]))).toEqual([{ kind: 'user', content: 'go' }])
  })

  test('a round is added when its last call has ended, before messages that arrived during the round', () => {
    const transcript = createTranscript()
    for (const event of [input('go'), answer([call('a'), call('b')]), ended('a'), steering('wait')]) transcript.add(event)
    expect(transcript.turns()).toEqual([{ kind: 'user', content: 'go' }])
    expect(['a', 'b'].map((id) => transcript.openRound()?.isEnded(call(id).toolCallId))).toEqual([true, false])
    transcript.add(ended('b'))
    expect(transcript.turns().map((turn) => turn.kind)).toEqual(['user', 'assistant', 'tool_results', 'steering'])
    expect(transcript.openRound()).toBeNull()
  })

  test('a duplicate end of a call, or an end without a call, is ignored', () => {
    const once = turnsOf(input('go'), answer([call('a')]), ended('a', 'first'))
    expect(turnsOf(input('go'), answer([call('a')]), ended('stray'), ended('a', 'first'), ended('a', 'second'))).toEqual(once)
  })

  test('earlier turns remain the same objects, so an adapter can cache their converted form', () => {
    const transcript = createTranscript()
    for (const event of [input('go'), answer([call('a')]), ended('a')]) transcript.add(event)
    const before = transcript.turns()
    transcript.add(answer([text('more')]))
    const after = transcript.turns()
    expect(before.length).toBe(3)
    expect(before.every((turn, index) => turn === after[index])).toBe(true)
  })

  test('in any log, every call in the transcript has exactly one result, and every result belongs to a call (T-08)', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    const event: fc.Arbitrary<DurableEvent> = fc.oneof(
      fc.constantFrom(...ids).map((id) => ended(id)),
      fc.string().map((words) => input(words)),
      fc.string().map((words) => steering(words)),
      fc.tuple(fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 3 }), fc.boolean()).map(([calls, complete]) =>
        answer(
          calls.map((id) => call(id)),
          { complete },
        ),
      ),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const turns = turnsOf(...events)
        turns.forEach((turn, index) => {
          const calls =
            turn.kind === 'assistant' ? turn.content.flatMap((part) => (part.kind === 'tool_call' ? [part.toolCallId] : [])) : []
          const next = turns[index + 1]
          if (calls.length > 0) expect(next?.kind === 'tool_results' && next.results.map((result) => result.toolCallId)).toEqual(calls)
          if (turn.kind === 'tool_results') expect(turns[index - 1]?.kind).toBe('assistant')
        })
      }),
    )
  })
})
