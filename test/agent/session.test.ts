import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ProviderFailure } from '../../main/agent/ports/provider.ts'
import type { Session } from '../../main/agent/session.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import { call, calls, gate, message, say, text } from '../support/scripted-model.ts'
import { answerCall, openRig, type Rig, type RigOptions, waiting } from './support/rig.ts'
import { type ProviderAnswer, type ProviderScript, scriptedProvider } from './support/scripted-provider.ts'

const read = (path: string) => call('read_file', { file_path: path })
const write = (path: string, content: string) => call('write_file', { file_path: path, content })
const shell = (command: string) => call('shell', { command })

async function rigFor(script: ProviderScript, options: RigOptions = {}) {
  const provider = scriptedProvider(script)
  return { provider, rig: await openRig(provider, options) }
}
const said = (provider: ReturnType<typeof scriptedProvider>, index: number) =>
  provider.requests[index]?.turns.map((turn) => [turn.kind, turn.kind === 'assistant' || turn.kind === 'tool_results' ? '' : turn.content])
const heard = (session: Session, kind: string) => {
  let found = false
  const subscription = session.record.subscribe(({ event }) => (found ||= event.kind === kind))
  return session.record.until(() => found || null, new AbortController().signal).finally(() => subscription.dispose())
}
const failing = (failure: Partial<ProviderFailure>, ...blocks: Parameters<typeof message>[0]): ProviderAnswer => ({
  kind: 'failure',
  failure,
  blocks,
})
const tail = (rig: Rig, count: number) => rig.events().slice(-count)

describe('messages', () => {
  test('several requests, one after the other (AC1.4); the queue comes after the turn (AC6.2), in order', async () => {
    const held = gate()
    const { provider, rig } = await rigFor(async (_, index) => {
      if (index === 0) await held.opened
      return say(`answer ${index}`)
    })
    rig.session.submit('one')
    await heard(rig.session, 'REQUEST_SENT')
    rig.session.followUp('two')
    rig.session.submit('three')
    expect(rig.session.state().queue.map((input) => input.text)).toEqual(['two', 'three'])
    held.open()
    await rig.session.idle()
    expect(said(provider, 2)).toEqual([
      ['user', 'one'],
      ['assistant', ''],
      ['user', 'two'],
      ['assistant', ''],
      ['user', 'three'],
    ])
    expect(rig.kinds().filter((kind) => kind === 'PROCESSING_END').length).toBe(1)
    expect(rig.events().flatMap((event) => (event.kind === 'USER_INPUT' ? [event.delivery] : []))).toEqual([
      'prompt',
      'follow-up',
      'follow-up',
    ])
  })

  test('steering reaches the agent after the round that runs, before the next request (AC6.1, AC6.3, AC6.4)', async () => {
    const held = gate()
    const { provider, rig } = await rigFor(async (_, index) => {
      if (index === 0) await held.opened
      return index === 0 ? calls(read('a.txt')) : say('Done.')
    })
    rig.session.submit('go')
    await heard(rig.session, 'REQUEST_SENT')
    rig.session.steer('only the first line')
    held.open()
    await rig.session.idle()
    expect(said(provider, 1)).toEqual([
      ['user', 'go'],
      ['assistant', ''],
      ['tool_results', ''],
      ['steering', 'only the first line'],
    ])
    expect(rig.kinds().filter((kind) => kind === 'STEERING_INJECTED').length).toBe(1)
    expect(rig.session.state().queue).toEqual([])
  })

  test('steering that comes during the last answer is not lost: the turn goes on with it', async () => {
    const held = gate()
    const { provider, rig } = await rigFor(async (_, index) => {
      if (index === 0) await held.opened
      return say('Done.')
    })
    rig.session.submit('go')
    await heard(rig.session, 'REQUEST_SENT')
    rig.session.steer('and the tests')
    held.open()
    await rig.session.idle()
    expect(said(provider, 1)?.at(-1)).toEqual(['steering', 'and the tests'])
  })

  test('steering while nothing runs is delivered before the first request of the next turn (S-11)', async () => {
    const { provider, rig } = await rigFor([say('Done.')])
    rig.session.steer('in French')
    expect([rig.session.state().run, rig.session.state().queue.length]).toEqual(['IDLE', 1])
    rig.session.submit('go')
    await rig.session.idle()
    expect(said(provider, 0)).toEqual([
      ['user', 'go'],
      ['steering', 'in French'],
    ])
  })

  test('a message that waits can be taken back; one that has gone cannot', async () => {
    const held = gate()
    const { provider, rig } = await rigFor(async () => {
      await held.opened
      return say('Done.')
    })
    rig.session.submit('go')
    await heard(rig.session, 'REQUEST_SENT')
    rig.session.send({ inputId: 'in_x', text: 'later', delivery: 'queue' })
    rig.session.send({ inputId: 'in_x', text: 'later', delivery: 'queue' })
    expect(rig.session.state().queue.length).toBe(1)
    expect(rig.session.withdraw('in_x')).toEqual({ ok: true })
    expect(rig.session.withdraw('in_x')).toMatchObject({ ok: false, trouble: { code: 'not_waiting' } })
    held.open()
    await rig.session.idle()
    expect(provider.requests.length).toBe(1)
  })

  test('effort and model change with the next request (AC8.2)', async () => {
    const { provider, rig } = await rigFor([say('One.'), say('Two.')])
    rig.session.submit('go')
    await rig.session.idle()
    rig.session.configure({ effort: 'high', model: 'other' })
    rig.session.submit('again')
    await rig.session.idle()
    expect(provider.requests.map(({ model, effort }) => [model, effort])).toEqual([
      ['scripted', null],
      ['other', 'high'],
    ])
    expect(rig.kinds().filter((kind) => kind === 'REQUEST_CONTEXT').length).toBe(2)
  })
})

describe('stop', () => {
  test('while the model writes: the request is cancelled, what arrived is kept as unfinished, state IDLE', async () => {
    const never = gate()
    const { provider, rig } = await rigFor(async function (_, index) {
      if (index === 0) return failing({ code: 'aborted' }, text('Half a'))
      await never.opened
      return say('never')
    })
    rig.session.record.subscribe(({ event }) => {
      if (event.kind === 'ASSISTANT_TEXT_DELTA') void rig.session.stop()
    })
    rig.session.submit('go')
    const state = await rig.session.idle()
    expect([state.run, state.ended]).toEqual(['IDLE', 'stopped'])
    expect(tail(rig, 2)).toEqual([
      expect.objectContaining({ kind: 'ASSISTANT_TURN', complete: false, parts: [{ kind: 'text', text: 'Half a' }] }),
      { kind: 'PROCESSING_END', reason: 'stopped' },
    ])
    expect(provider.requests.length).toBe(1)
  })

  test('while a command runs: it is ended, its partial output goes to the model, the next request works (fault 30)', async () => {
    const { provider, rig } = await rigFor([calls(shell('echo begun; exec sleep 60')), say('Fine.')], { mode: 'full' })
    rig.session.submit('go')
    await heard(rig.session, 'TOOL_CALL_OUTPUT_DELTA')
    await rig.session.stop()
    expect([rig.session.state().run, rig.session.state().ended]).toEqual(['IDLE', 'stopped'])
    rig.session.submit('on')
    await rig.session.idle()
    const results = provider.requests[1]?.turns[2]
    expect(results?.kind === 'tool_results' && results.results[0]).toMatchObject({
      isError: true,
      output: expect.stringMatching(/^begun\n.*Cancelled by the user\.$/s) as unknown,
    })
    expect(rig.events().flatMap((event) => (event.kind === 'TOOL_CALL_END' ? [event.outcome] : []))).toEqual(['stopped'])
  })

  test('while signatures are waited for: they are withdrawn, nothing runs, every call has its result', async () => {
    const { provider, rig } = await rigFor([calls(write('a.txt', 'a'), shell('touch b.txt')), say('Fine.')])
    rig.session.submit('go')
    const [first] = await waiting(rig.session, 2)
    await rig.session.stop()
    expect(answerCall(rig.session, first)).toMatchObject({ kind: 'ignored', why: 'withdrawn' })
    expect(tail(rig, 5).map((event) => ('answer' in event ? event.answer : event.kind))).toEqual([
      { kind: 'withdrawn', why: 'stopped' },
      'TOOL_CALL_END',
      { kind: 'withdrawn', why: 'stopped' },
      'TOOL_CALL_END',
      'PROCESSING_END',
    ])
    await expect(readFile(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
    rig.session.submit('on')
    await rig.session.idle()
    expect(provider.requests[1]?.turns.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool_results', 'user'])
  })

  test('in any process: STOP_REQUESTED in the log ends the turn', async () => {
    const { rig } = await rigFor([calls(write('a.txt', 'a')), say('Fine.')])
    rig.session.submit('go')
    await waiting(rig.session)
    rig.store.log(rig.sessionId).append({ kind: 'STOP_REQUESTED' })
    expect((await rig.session.idle()).ended).toBe('stopped')
  })

  test('when nothing runs it does nothing', async () => {
    const { rig } = await rigFor([])
    await rig.session.stop()
    expect(rig.kinds()).toEqual(['SESSION_START'])
  })
})

describe('limits, checked before each request (T-08, T-15)', () => {
  test('rounds for one request: every call has its result, TURN_LIMIT, IDLE; Resume goes on (AC1.5)', async () => {
    const { provider, rig } = await rigFor((_, index) => calls(read(`${index}.txt`)), { limits: { maxRounds: 2 } })
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('limit')
    expect(provider.requests.length).toBe(2)
    expect(tail(rig, 3)).toEqual([
      expect.objectContaining({ kind: 'TOOL_CALL_END' }),
      { kind: 'TURN_LIMIT', reason: 'max_tool_rounds', limit: 2 },
      { kind: 'PROCESSING_END', reason: 'limit' },
    ])
    expect(rig.session.resume()).toEqual({ ok: true })
    await rig.session.idle()
    expect(provider.requests.length).toBe(4)
    expect(provider.requests[2]?.turns.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool_results', 'assistant', 'tool_results'])
  })

  test('answers in the session (AC1.6)', async () => {
    const { provider, rig } = await rigFor([say('One.'), say('Two.'), say('Three.')], { limits: { maxTurns: 2 } })
    for (const words of ['a', 'b', 'c']) {
      rig.session.submit(words)
      await rig.session.idle()
    }
    expect(provider.requests.length).toBe(2)
    expect(tail(rig, 2)).toEqual([
      { kind: 'TURN_LIMIT', reason: 'max_turns', limit: 2 },
      { kind: 'PROCESSING_END', reason: 'limit' },
    ])
  })

  test('the same call again and again: a warning in the user’s role and LOOP_DETECTION, once, and the turn goes on (AC1.8, fault 49)', async () => {
    const { provider, rig } = await rigFor((_, index) => (index < 6 ? calls(read('a.txt')) : say('Enough.')))
    rig.session.submit('go')
    await rig.session.idle()
    const messages = rig.events().flatMap((event) => (event.kind === 'LOOP_DETECTION' ? [event.message] : []))
    expect(messages).toEqual([expect.stringMatching(/last 5 tool calls .* different approach/s)])
    expect(said(provider, 5)?.at(-1)).toEqual(['steering', messages[0]])
    expect(rig.session.state().ended).toBe('completed')
  })

  test('the same call refused three times ends the turn and asks the person (fault 36)', async () => {
    const { provider, rig } = await rigFor(() => calls(write('a.txt', 'a')))
    rig.session.submit('go')
    for (const note of [null, 'no', 'I said no']) answerCall(rig.session, (await waiting(rig.session))[0], note)
    const state = await rig.session.idle()
    expect([state.ended, provider.requests.length]).toEqual(['stopped', 3])
    expect(tail(rig, 2)[0]).toMatchObject({ kind: 'ERROR', error: { code: 'refused_repeatedly' } })
  })
})

describe('failures of the service', () => {
  test('a wrong key ends the turn, keeps the text, and a new key lets it go on (fault 41, D-41)', async () => {
    const { provider, rig } = await rigFor([failing({ code: 'authentication', message: 'Wrong key.', status: 401 }), say('Hello.')])
    rig.session.submit('Keep these words')
    const state = await rig.session.idle()
    expect([state.run, state.ended]).toEqual(['IDLE', 'error'])
    expect(tail(rig, 2)).toEqual([
      { kind: 'ERROR', error: { code: 'authentication', what: 'Wrong key.', kept: 'Everything.', todo: 'Try again.' } },
      { kind: 'PROCESSING_END', reason: 'error' },
    ])
    rig.session.resume()
    await rig.session.idle()
    expect(said(provider, 1)).toEqual([['user', 'Keep these words']])
    expect(rig.session.state().ended).toBe('completed')
  })

  test('an answer that is cut off inside a call: the text is kept, no call runs, and it is not sent back (fault 45)', async () => {
    const { provider, rig } = await rigFor([failing({ code: 'cut_off' }, text('I write'), write('a.txt', 'a')), say('Hello.')], {
      mode: 'full',
    })
    rig.session.submit('go')
    await rig.session.idle()
    expect(rig.kinds().slice(3)).toEqual(['ASSISTANT_TURN', 'ERROR', 'PROCESSING_END'])
    await expect(readFile(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
    expect(rig.replay().items.map((item) => (item.kind === 'prose' ? [item.text, item.complete] : item.kind))).toEqual([
      'user',
      ['I write', false],
      'notice',
    ])
    rig.session.resume()
    await rig.session.idle()
    expect(said(provider, 1)).toEqual([['user', 'go']])
  })

  test.each([
    ['max_tokens', 'answer_length', 'limit'],
    ['refusal', 'content_filter', 'error'],
  ] as const)('an answer that ends with %s has a defined end (fault 48)', async (stopReason, code, ended) => {
    const { rig } = await rigFor([message([text('I was')], { stopReason })])
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe(ended)
    expect(tail(rig, 2)[0]).toMatchObject({ kind: 'ERROR', error: { code } })
  })

  test('an empty answer and one of thinking alone end the turn (fault 48)', async () => {
    const { provider, rig } = await rigFor([message([]), message([{ kind: 'thinking', text: 'hm', signature: 's' }]), say('Yes.')])
    for (const words of ['a', 'b', 'c']) {
      rig.session.submit(words)
      expect((await rig.session.idle()).ended).toBe('completed')
    }
    expect(said(provider, 2)).toEqual([
      ['user', 'a'],
      ['user', 'b'],
      ['assistant', ''],
      ['user', 'c'],
    ])
  })

  test('arguments cut off by the length limit are not executed, although they might parse', async () => {
    const { provider, rig } = await rigFor(
      [message([call('write_file', '{"file_path":"a.txt","content":"ab')], { stopReason: 'max_tokens' }), say('Shorter.')],
      { mode: 'full' },
    )
    rig.session.submit('go')
    await rig.session.idle()
    const results = provider.requests[1]?.turns.at(-1)
    expect(results?.kind === 'tool_results' && results.results[0]?.output).toMatch(/cut off by the length limit/)
  })

  test('after a failure what was queued waits, and nothing is lost', async () => {
    const held = gate()
    const { rig } = await rigFor(async () => {
      await held.opened
      return failing({ code: 'overloaded' })
    })
    rig.session.submit('go')
    await heard(rig.session, 'REQUEST_SENT')
    rig.session.followUp('next')
    held.open()
    await rig.session.idle()
    expect(rig.session.state().queue.map((input) => input.text)).toEqual(['next'])
  })

  test('a bug of ours is said and ends the turn; the session lives', async () => {
    let broken = true
    const { rig } = await rigFor([say('Hello.')], {
      systemPrompt: () => (broken ? Promise.reject(new Error('no prompt')) : Promise.resolve('prompt')),
    })
    rig.session.submit('go')
    await rig.session.idle()
    expect(tail(rig, 2)[0]).toMatchObject({
      kind: 'ERROR',
      error: { code: 'internal', what: expect.stringContaining('no prompt') as unknown },
    })
    broken = false
    rig.session.resume()
    expect((await rig.session.idle()).ended).toBe('completed')
  })

  test('Resume needs something to go on with', async () => {
    const { rig } = await rigFor([say('Hello.')])
    expect(rig.session.resume()).toMatchObject({ ok: false, trouble: { code: 'nothing_to_resume' } })
    rig.session.submit('go')
    await rig.session.idle()
    expect(rig.session.resume()).toMatchObject({ ok: false, trouble: { code: 'nothing_to_resume' } })
  })

  test('Resume behind an answer that stopped at its length asks to go on, in the user’s role', async () => {
    const { provider, rig } = await rigFor([message([text('Chapter one')], { stopReason: 'max_tokens' }), say('Chapter two')])
    rig.session.submit('a long story')
    await rig.session.idle()
    rig.session.resume()
    await rig.session.idle()
    expect(said(provider, 1)).toEqual([
      ['user', 'a long story'],
      ['assistant', ''],
      ['steering', 'Go on.'],
    ])
  })
})

describe('usage and context', () => {
  test('usage and cost are summed; an unknown price makes the sum unknown', async () => {
    const spent = (input: number) => say('x', { usage: { input, output: 1 } })
    const { rig } = await rigFor([spent(10), spent(20)], { cost: ({ input }) => input / 10 })
    for (const words of ['a', 'b']) {
      rig.session.submit(words)
      await rig.session.idle()
    }
    expect(
      rig.events().flatMap((event) => (event.kind === 'USAGE' ? [[event.total.input, event.total.output, event.costUsd]] : [])),
    ).toEqual([
      [10, 1, 1],
      [30, 2, 3],
    ])
  })

  test('the context warning comes once, when 80 % are crossed (S-32)', async () => {
    const spent = (input: number) => say('x', { usage: { input } })
    const { rig } = await rigFor([spent(790), spent(850), spent(900)], { contextWindow: 1000 })
    for (const words of ['a', 'b', 'c']) {
      rig.session.submit(words)
      await rig.session.idle()
    }
    expect(rig.events().filter(({ kind }) => kind === 'CONTEXT_WARNING')).toEqual([{ kind: 'CONTEXT_WARNING', usagePercent: 85 }])
  })
})

describe('the end', () => {
  test('SESSION_START and SESSION_END bracket the session, once each; events end with it (AC10.2, AC10.4, T-14)', async () => {
    const { rig } = await rigFor([message([{ kind: 'thinking', text: 'hm', signature: 's' }, text('Hello.')])])
    const seen: string[] = []
    const done = (async () => {
      for await (const { event } of rig.session.events()) seen.push(event.kind)
    })()
    rig.session.submit('go')
    await rig.session.idle()
    await rig.session.close()
    await done
    expect(seen).toEqual([
      'USER_INPUT',
      'REQUEST_CONTEXT',
      'REQUEST_SENT',
      'THINKING_DELTA',
      'ASSISTANT_TEXT_START',
      'ASSISTANT_TEXT_DELTA',
      'ASSISTANT_TEXT_END',
      'ASSISTANT_TURN',
      'USAGE',
      'PROCESSING_END',
      'SESSION_END',
    ])
    expect(rig.session.state().run).toBe('CLOSED')
    expect(rig.kinds().filter((kind) => kind === 'SESSION_START' || kind === 'SESSION_END')).toEqual(['SESSION_START', 'SESSION_END'])
  })

  test('close in the middle of a command ends it first; CLOSED comes last, and every call is paired (S-42)', async () => {
    const { rig } = await rigFor([calls(shell('echo begun; exec sleep 60'))], { mode: 'full' })
    rig.session.submit('go')
    await heard(rig.session, 'TOOL_CALL_OUTPUT_DELTA')
    await rig.session.close('aborted')
    expect(tail(rig, 3)).toEqual([
      expect.objectContaining({ kind: 'TOOL_CALL_END', outcome: 'stopped' }),
      { kind: 'PROCESSING_END', reason: 'stopped' },
      { kind: 'SESSION_END', sessionId: rig.sessionId, reason: 'aborted' },
    ])
  })

  test('a closed session can be opened again and goes on', async () => {
    const { provider, rig } = await rigFor([say('One.'), say('Two.')])
    rig.session.submit('a')
    await rig.session.idle()
    await rig.session.close()
    const again = await rig.takeOver()
    again.submit('b')
    expect((await again.idle()).ended).toBe('completed')
    expect(said(provider, 1)).toEqual([
      ['user', 'a'],
      ['assistant', ''],
      ['user', 'b'],
    ])
  })

  test('suspend while a signature is waited for: it waits on, is signed after the next start, and runs exactly once', async () => {
    const { rig } = await rigFor([calls(shell('echo x >> count.txt')), say('Done.')])
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    await rig.session.suspend()
    expect(rig.replay().run).toBe('AWAITING_INPUT')
    const again = await rig.takeOver()
    expect(again.state().items.at(-1)).toEqual(asked)
    expect(answerCall(again, asked)).toEqual({ kind: 'accepted' })
    expect((await again.idle()).ended).toBe('completed')
    expect(await readFile(join(rig.folder, 'count.txt'), 'utf8')).toBe('x\n')
  })

  test('suspend while a command runs: it is ended and recorded, the turn is interrupted, Resume goes on', async () => {
    const { provider, rig } = await rigFor([calls(shell('echo begun; exec sleep 60')), say('Done.')], { mode: 'full' })
    rig.session.submit('go')
    await heard(rig.session, 'TOOL_CALL_OUTPUT_DELTA')
    await rig.session.suspend()
    expect(tail(rig, 2)).toEqual([
      expect.objectContaining({ kind: 'TOOL_CALL_END', outcome: 'interrupted' }),
      { kind: 'PROCESSING_END', reason: 'interrupted' },
    ])
    const again = await rig.takeOver()
    again.resume()
    expect((await again.idle()).ended).toBe('completed')
    expect(provider.requests[1]?.turns.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool_results'])
  })
})

describe('every event kind comes at its time (T-14)', () => {
  test('arguments are whole in TOOL_CALL_START, also those of a call that writes', async () => {
    const { rig } = await rigFor([calls(write('a.txt', 'a')), say('Done.')], { mode: 'accept-edits' })
    await writeFile(join(rig.folder, 'a.txt'), 'old')
    rig.session.submit('go')
    await rig.session.idle()
    const starts = rig
      .events()
      .filter((event): event is Extract<DurableEvent, { kind: 'TOOL_CALL_START' }> => event.kind === 'TOOL_CALL_START')
    expect(starts.map(({ args }) => args)).toEqual([{ file_path: 'a.txt', content: 'a' }])
  })
})
