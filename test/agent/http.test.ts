import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Session } from '../../main/agent/session.ts'
import type { SessionEvent } from '../../shared/session/events.ts'
import {
  call,
  calls,
  gate,
  httpError,
  message,
  refusingUrl,
  say,
  type Script,
  startScriptedModel,
  text,
  thinking,
} from '../support/scripted-model.ts'
import { brokenAfter } from './support/broken-answer.ts'
import { answerCall, openRig, type RigOptions, waiting } from './support/rig.ts'
import { heard, tail } from './support/scripted-rig.ts'
import { httpProvider } from './support/runtime.ts'

const write = (path: string, content: string) => call('write_file', { file_path: path, content })

/** Runs the agent loop with the real adapter over real HTTP. */
async function httpRig(script: Script, options: RigOptions = {}) {
  const model = await startScriptedModel(script)
  onTestFinished(() => model.close())
  const provider = httpProvider(model.url)
  onTestFinished(() => provider.close())
  const rig = await openRig(provider, options)
  rig.session.configure({ model: 'claude-haiku-4-5' })
  return { model, rig }
}

function heardAll(session: Session): readonly SessionEvent[] {
  const events: SessionEvent[] = []
  session.record.subscribe(({ event }) => events.push(event))
  return events
}

describe('over HTTP', () => {
  test('a complete task runs: thinking is sent back unchanged, and results are in call order (R-05)', async () => {
    const { model, rig } = await httpRig([
      message([
        thinking('Where is it?', 'sig-1'),
        text('I look.'),
        call('glob', { pattern: '*' }, 'toolu_a'),
        call('read_file', { file_path: 'none' }, 'toolu_b'),
      ]),
      calls(write('a.txt', 'a\n')),
      say('Done.', { usage: { input: 10, output: 5 } }),
    ])
    rig.session.submit('Make a.txt')
    answerCall(rig.session, (await waiting(rig.session))[0])
    expect((await rig.session.idle()).ended).toBe('completed')
    expect(await readFile(join(rig.folder, 'a.txt'), 'utf8')).toBe('a\n')
    const [user, assistant, results] = model.requests[1]?.body.messages ?? []
    expect([user?.role, assistant?.role, results?.role]).toEqual(['user', 'assistant', 'user'])
    expect(assistant?.content).toEqual([
      { type: 'thinking', thinking: 'Where is it?', signature: 'sig-1' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'toolu_a', name: 'glob', input: { pattern: '*' } },
      { type: 'tool_use', id: 'toolu_b', name: 'read_file', input: { file_path: 'none' } },
    ])
    expect(
      Array.isArray(results?.content) &&
        results.content.map((part) => part.type === 'tool_result' && [part.tool_use_id, part.is_error ?? false]),
    ).toEqual([
      ['toolu_a', false],
      ['toolu_b', true],
    ])
  })

  test('a wrong key: the request is sent only once, and the user’s text is kept (fault 41)', async () => {
    const { model, rig } = await httpRig(() => httpError(401, 'authentication_error', 'invalid x-api-key'))
    rig.session.submit('Keep me')
    expect((await rig.session.idle()).ended).toBe('error')
    expect(tail(rig, 2)).toEqual([
      expect.objectContaining({ kind: 'ERROR', error: expect.objectContaining({ code: 'authentication' }) as unknown }),
      { kind: 'PROCESSING_END', reason: 'error' },
    ])
    expect([model.requests.length, rig.replay().items[0]]).toMatchObject([1, { kind: 'user', text: 'Keep me' }])
  })

  test('too many requests: the wait that the service asks for is shown, and then the request is repeated (fault 42)', async () => {
    const { model, rig } = await httpRig(({ index }) =>
      index === 0 ? httpError(429, 'rate_limit_error', 'slow down', { 'retry-after': '1' }) : say('Hello.'),
    )
    const events = heardAll(rig.session)
    const from = Date.now()
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('completed')
    const retry = events.find((event) => event.kind === 'RETRY_SCHEDULED')
    expect(retry).toMatchObject({ attempt: 1, why: expect.stringContaining('slow down') as unknown })
    expect(retry?.kind === 'RETRY_SCHEDULED' && retry.atMs - from).toBeGreaterThanOrEqual(1000)
    expect(Buffer.compare(model.requests[0]?.bytes ?? Buffer.alloc(0), model.requests[1]?.bytes ?? Buffer.alloc(1))).toBe(0)
  })

  test('Cancel ends the wait for a retry immediately (fault 42)', async () => {
    const { model, rig } = await httpRig(() => httpError(529, 'overloaded_error', 'busy', { 'retry-after': '50' }))
    rig.session.submit('go')
    await heard(rig.session, 'RETRY_SCHEDULED')
    await rig.session.stop()
    expect([rig.session.state().ended, model.requests.length]).toEqual(['stopped', 1])
  })

  test('an unreachable server is reported after the retries, and Resume sends the request again (fault 43)', async () => {
    const provider = httpProvider(await refusingUrl())
    onTestFinished(() => provider.close())
    const rig = await openRig(provider, { request: (of, request, { signal }) => of.stream(request, signal) })
    rig.session.submit('go')
    await rig.session.idle()
    expect(tail(rig, 2)[0]).toMatchObject({ kind: 'ERROR', error: { code: 'network' } })
  })

  test.each([
    ['in the middle of a text', message([text('I write a long story. '.repeat(20))]), 'text_delta'],
    ['inside a call', message([text('I write.'), write('a.txt', 'x'.repeat(400))]), 'input_json_delta'],
  ] as const)(
    'a connection cut %s: the answer is requested again, and the cost of the lost answer is counted (P6, fault 45)',
    async (_, answer, delta) => {
      const { model, rig } = await httpRig(({ index }) => (index === 0 ? brokenAfter(answer, delta, 'reset') : say('Hello.')), {
        mode: 'full',
      })
      const events = heardAll(rig.session)
      rig.session.submit('go')
      expect((await rig.session.idle()).ended).toBe('completed')
      expect(events.find(({ kind }) => kind === 'RETRY_SCHEDULED')).toMatchObject({
        code: 'cut_off',
        discardedWords: expect.any(Number) as unknown,
        why: expect.stringContaining('the model writes the answer again') as unknown,
      })
      expect(rig.replay().items.filter((item) => item.kind === 'prose')).toMatchObject([{ complete: true, text: 'Hello.' }])
      expect(events.filter(({ kind }) => kind === 'USAGE')).toHaveLength(2)
      expect(model.requests[1]?.bytes).toEqual(model.requests[0]?.bytes)
      await expect(readFile(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
    },
  )

  test('a connection that always breaks: the partial answer is kept as unfinished, and is neither executed nor sent back (fault 45)', async () => {
    const answer = message([text('I write.'), write('a.txt', 'x'.repeat(400))])
    const { model, rig } = await httpRig(({ index }) => (index < 3 ? brokenAfter(answer, 'input_json_delta', 'reset') : say('Hello.')), {
      mode: 'full',
    })
    rig.session.submit('go')
    await rig.session.idle()
    expect(tail(rig, 2)[0]).toMatchObject({ kind: 'ERROR', error: { code: 'cut_off' } })
    const prose = rig.replay().items.find((item) => item.kind === 'prose')
    expect(prose).toMatchObject({ complete: false, text: expect.stringMatching(/^I /) as unknown })
    await expect(readFile(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
    rig.session.resume()
    await rig.session.idle()
    expect(model.requests.at(-1)?.body.messages.length).toBe(1)
  })

  test('the wait for the next attempt can be skipped', async () => {
    const { model, rig } = await httpRig(({ index }) =>
      index === 0 ? httpError(529, 'overloaded_error', 'busy', { 'retry-after': '50' }) : say('Here.'),
    )
    rig.session.submit('go')
    await heard(rig.session, 'RETRY_SCHEDULED')
    expect(rig.session.retryNow()).toEqual({ ok: true })
    expect([(await rig.session.idle()).ended, model.requests.length]).toEqual(['completed', 2])
    expect(rig.session.retryNow()).toMatchObject({ ok: false, trouble: { code: 'nothing_to_retry' } })
  })

  test('if the turn is stopped while the model writes, the connection is closed and what arrived is kept (fault 44)', async () => {
    const never = gate()
    const { model, rig } = await httpRig([
      message([text('Once upon a time')], { delivery: { stops: [{ at: 750, next: never.opened }] } }),
      say('Fine.'),
    ])
    onTestFinished(() => never.open())
    rig.session.submit('A story')
    await heard(rig.session, 'ASSISTANT_TEXT_DELTA')
    await rig.session.stop()
    expect(await model.requests[0]?.ended).toBe('closed')
    expect(tail(rig, 3)).toEqual([
      expect.objectContaining({ kind: 'ASSISTANT_TURN', complete: false }),
      expect.objectContaining({ kind: 'USAGE' }),
      { kind: 'PROCESSING_END', reason: 'stopped' },
    ])
    rig.session.submit('Something else')
    await rig.session.idle()
    expect(model.requests[1]?.body.messages.map(({ role }) => role)).toEqual(['user'])
  })

  test('each request begins with the bytes of the previous request, so that the service can cache them', async () => {
    const { model, rig } = await httpRig(({ body }) => (body.messages.length < 9 ? calls(call('glob', { pattern: '*' })) : say('Done.')))
    rig.session.submit('go')
    await rig.session.idle()
    const turns = model.requests.map(({ body }) =>
      body.messages.map((one) => JSON.stringify(one, (key, value: unknown) => (key === 'cache_control' ? undefined : value))),
    )
    for (const [index, messages] of turns.entries())
      if (index > 0) expect(messages.slice(0, turns[index - 1]?.length)).toEqual(turns[index - 1])
    expect(new Set(model.requests.map(({ body }) => JSON.stringify([body.system, body.tools]))).size).toBe(1)
  })
})
