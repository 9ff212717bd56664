import { describe, expect, test } from 'vitest'
import { anthropicFrames } from '../../../main/providers/rehearsal/anthropic-frames.ts'
import { chatFrames } from '../../support/wire-formats/chat-frames.ts'
import { geminiFrames } from '../../support/wire-formats/gemini-frames.ts'
import { responsesFrames } from '../../support/wire-formats/responses-frames.ts'
import type { ScriptedAnswer, ScriptedMessage, WireName } from '../../../main/providers/rehearsal/scripted-answer.ts'
import { call, message, say, text } from '../../support/scripted-model.ts'
import { type Desk, endsOf, openDesk, type Way, WAYS } from './desk.ts'

const FRAMES = { anthropic: anthropicFrames, 'openai-chat': chatFrames, 'openai-responses': responsesFrames, gemini: geminiFrames } as const

/** Returns the same answer with another stop reason, in the format of each service. */
function endedWith(answer: ScriptedMessage, format: WireName, word: string | null): ScriptedAnswer {
  const body = FRAMES[format](answer, 'm', 'half').join('')
  const said = JSON.stringify(word)
  return { kind: 'raw', headers: { 'content-type': 'text/event-stream' }, body: CHANGES[format](body, said) }
}

const CHANGES: Readonly<Record<WireName, (body: string, word: string) => string>> = {
  anthropic: (body, word) => body.replace(/"stop_reason":"\w+"/u, `"stop_reason":${word}`),
  'openai-chat': (body, word) => body.replace(/"finish_reason":"\w+"/u, `"finish_reason":${word}`),
  'openai-responses': (body, word) =>
    body
      .replaceAll('response.completed', 'response.incomplete')
      .replace('"model":"m","status":"completed"', '"model":"m","status":"incomplete"')
      .replace('"incomplete_details":null', `"incomplete_details":{"reason":${word}}`),
  gemini: (body, word) => body.replace(/"finishReason":"\w+"/u, `"finishReason":${word}`),
}

const REFUSED = {
  anthropic: 'refusal',
  'openai-compatible': 'content_filter',
  openai: 'content_filter',
  gemini: 'SAFETY',
} as const satisfies Record<Way['provider'], string>

/** Stop reasons that are not a normal end, with the code of the message that the user sees. */
const ENDS: Readonly<Record<Way['provider'], readonly (readonly [string | null, string])[]>> = {
  anthropic: [
    ['refusal', 'content_filter'],
    [null, 'answer_unfinished'],
    ['made_up', 'answer_unfinished'],
  ],
  'openai-compatible': [
    ['content_filter', 'content_filter'],
    ['error', 'answer_error'],
    ['made_up', 'answer_unfinished'],
  ],
  openai: [
    ['content_filter', 'content_filter'],
    ['made_up', 'answer_unfinished'],
  ],
  gemini: [
    ['SAFETY', 'content_filter'],
    ['OTHER', 'answer_unfinished'],
  ],
}

/** In Gemini's format, arguments are not text but part of the frame, so the deep value is put into the frame. */
function deepAnswer(format: WireName): ScriptedAnswer {
  const deep = `${'['.repeat(8000)}${']'.repeat(8000)}`
  const answer = (content: string) => message([text('Deep.'), call('write_file', `{"file_path":"a.txt","content":${content}}`)])
  if (format !== 'gemini') return answer(deep)
  const body = geminiFrames(answer('"DEEP"'), 'm', 'deep').join('').replace('"DEEP"', deep)
  return { kind: 'raw', headers: { 'content-type': 'text/event-stream' }, body }
}

const troubles = (desk: Desk) => desk.events().flatMap((event) => (event.kind === 'ERROR' ? [event.error.code] : []))
const CALL = call('write_file', { file_path: 'a.txt', content: 'a' })

describe.each(WAYS)(
  '$provider: an answer that is refused, fails or ends for an unknown reason (fault 48, D-44)',
  { timeout: 60_000 },
  (way) => {
    test.each(ENDS[way.provider])(
      '%s: its calls get results without being executed, and the turn can be resumed later',
      async (word, code) => {
        const desk = await openDesk(way, ({ index, format }) =>
          index === 0 ? endedWith(message([text('I write.'), CALL]), format, word) : say('Done.'),
        )
        expect((await desk.run('Go')).ended).toBe('error')
        await expect(desk.read('a.txt')).rejects.toThrow('ENOENT')
        expect([troubles(desk), desk.model.requests.length]).toEqual([[code], 1])
        expect(endsOf(desk)).toEqual([
          { tool: 'write_file', isError: true, output: expect.stringMatching(/^Not executed: the service/) as string },
        ])
        expect((await desk.run('And now?')).ended).toBe('completed')
        expect(desk.asked(1)).toContain('Not executed: the service')
      },
    )

    test.each(ENDS[way.provider])('%s is an error even if the answer is only text', async (word, code) => {
      const desk = await openDesk(way, ({ format }) => endedWith(say('I was about to'), format, word))
      expect((await desk.run('Go')).ended).toBe('error')
      expect(troubles(desk)).toEqual([code])
      expect(desk.events().filter(({ kind }) => kind === 'ASSISTANT_TURN')).toHaveLength(1)
    })

    test('a refused answer is not requested again', async () => {
      const desk = await openDesk(way, ({ format }) => endedWith(say(''), format, REFUSED[way.provider]))
      await desk.run('Go')
      expect(desk.model.requests).toHaveLength(1)
    })

    test('the answer’s text and usage survive arguments nested 8000 levels deep (fault 47)', async () => {
      const desk = await openDesk(way, ({ index, format }) => (index === 0 ? deepAnswer(format) : say('I see.')))
      expect((await desk.run('Go')).ended).toBe('completed')
      expect(desk.events().flatMap((event) => (event.kind === 'USAGE' ? [event.turn.output] : []))).toEqual([20, 20])
      expect(endsOf(desk)).toEqual([{ tool: 'write_file', isError: true, output: expect.stringMatching(/more than 128 levels/) as string }])
      expect(desk.model.requests[1]?.bytes.toString()).toContain('128 levels')
    })
  },
)

describe('anthropic: pause_turn (D-44)', () => {
  const way = WAYS.find(({ provider }) => provider === 'anthropic') ?? WAYS[0]
  if (!way) throw new Error('There is no such way.')
  const paused = message([text('I look further')], { stopReason: 'pause_turn' })

  test('ends the turn after too many pauses in a row, and a new message continues it', async () => {
    const desk = await openDesk(way, ({ index }) => (index < 11 ? paused : say('Found.')))
    expect((await desk.run('Go')).ended).toBe('limit')
    expect([troubles(desk), desk.model.requests.length]).toEqual([['paused_repeatedly'], 11])
    expect((await desk.run('Go on')).ended).toBe('completed')
  })
})
