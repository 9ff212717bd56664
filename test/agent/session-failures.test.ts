import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createBudget, NOTHING_SPENT } from '../../main/subagents/subagent-budget.ts'
import { NO_LEASE } from '../../shared/session/settings/budget-lease.ts'
import { manualClock } from '../support/manual-clock.ts'
import { call, calls, gate, message, say, text } from '../support/scripted-model.ts'
import { answerCall, waiting } from './support/rig.ts'
import { failing, heard, read, rigFor, said, tail, write } from './support/scripted-rig.ts'

describe('limits, checked before each request (T-08, T-15)', () => {
  test('the round limit of a message ends the turn after all results, and Resume continues (AC1.5, R-03)', async () => {
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

  test('at the answer limit of a session, no further request is sent (AC1.6)', async () => {
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

  test('the time limit of a session is reported in minutes, and a higher limit lets it continue', async () => {
    const clock = manualClock(0)
    let minutes = 10
    const budget = createBudget({ lease: () => ({ ...NO_LEASE, minutes }), startedAt: 0, spentByOthers: () => NOTHING_SPENT, clock })
    const passing = [10 * 60_000 - 1, 1]
    const { provider, rig } = await rigFor(
      async (_, index) => {
        await clock.advance(passing[index] ?? 0)
        return index < 2 ? calls(read(`${index}.txt`)) : say('Done.')
      },
      { budget },
    )
    rig.session.submit('go')
    await rig.session.idle()
    // The last request is made one millisecond before the time limit. No request is made at the limit.
    expect([provider.requests.length, clock.now()]).toEqual([2, 10 * 60_000])
    expect(tail(rig, 2)).toEqual([
      { kind: 'TURN_LIMIT', reason: 'time', limit: 10 },
      { kind: 'PROCESSING_END', reason: 'limit' },
    ])
    minutes = 20
    rig.session.resume()
    expect((await rig.session.idle()).ended).toBe('completed')
  })

  test('a repeated call causes one warning, sent to the model as a user message, and one LOOP_DETECTION event, and the turn continues (AC1.8, fault 49)', async () => {
    const { provider, rig } = await rigFor((_, index) => (index < 6 ? calls(read('a.txt')) : say('Enough.')))
    rig.session.submit('go')
    await rig.session.idle()
    const messages = rig.events().flatMap((event) => (event.kind === 'LOOP_DETECTION' ? [event.message] : []))
    expect(messages).toEqual([expect.stringMatching(/last 5 tool calls .* different approach/s)])
    expect(said({ provider }, 5)?.at(-1)).toEqual(['steering', messages[0]])
    expect(rig.session.state().ended).toBe('completed')
  })

  test('a call that keeps failing the same way between other calls causes one warning (fault 49)', async () => {
    const script = [read('no.txt'), read('a.txt'), read('no.txt'), read('b.txt'), read('no.txt')]
    const { provider, rig } = await rigFor((_, index) => (script[index] ? calls(script[index]) : say('I see.')))
    rig.session.submit('go')
    await rig.session.idle()
    const messages = rig.events().flatMap((event) => (event.kind === 'LOOP_DETECTION' ? [event.message] : []))
    expect(messages).toEqual([expect.stringMatching(/same read_file call has failed 3 times/)])
    expect(said({ provider }, 5)?.at(-1)).toEqual(['steering', messages[0]])
    expect(rig.session.state().ended).toBe('completed')
  })

  test('the same call refused three times ends the turn and asks the user (fault 36)', async () => {
    const { provider, rig } = await rigFor(() => calls(write('a.txt', 'a')))
    rig.session.submit('go')
    for (const note of [null, 'no', 'I said no']) answerCall(rig.session, (await waiting(rig.session))[0], note)
    const state = await rig.session.idle()
    expect([state.ended, provider.requests.length]).toEqual(['stopped', 3])
    expect(tail(rig, 2)[0]).toMatchObject({ kind: 'ERROR', error: { code: 'refused_repeatedly' } })
  })
})

describe('failures of the service', () => {
  test('a wrong key ends the turn and keeps the message, and Resume sends it again (fault 41, D-41, AC11.2)', async () => {
    const { provider, rig } = await rigFor([failing({ code: 'authentication', message: 'Wrong key.', status: 401 }), say('Hello.')])
    rig.session.submit('Keep these words')
    const state = await rig.session.idle()
    expect([state.run, state.ended]).toEqual(['IDLE', 'error'])
    expect(tail(rig, 2)).toEqual([
      { kind: 'ERROR', error: { code: 'authentication', what: 'Wrong key.', kept: 'Everything is unchanged.', todo: 'Try again.' } },
      { kind: 'PROCESSING_END', reason: 'error' },
    ])
    rig.session.resume()
    await rig.session.idle()
    expect(said({ provider }, 1)).toEqual([['user', 'Keep these words']])
    expect(rig.session.state().ended).toBe('completed')
  })

  test('an answer that is cut off inside a call is kept, but is neither executed nor sent back (fault 45)', async () => {
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
    expect(said({ provider }, 1)).toEqual([['user', 'go']])
  })

  test.each([
    ['max_tokens', 'answer_length', 'limit'],
    ['refusal', 'content_filter', 'error'],
  ] as const)('an answer that ends with %s ends the turn with a clear error (fault 48)', async (stopReason, code, ended) => {
    const { rig } = await rigFor([message([text('I was')], { stopReason })])
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe(ended)
    expect(tail(rig, 2)[0]).toMatchObject({ kind: 'ERROR', error: { code } })
  })

  test('a call cut off by the length limit is not executed, but a complete call before the cut is', async () => {
    const { provider, rig } = await rigFor(
      [
        message([write('b.txt', 'whole'), call('write_file', '{"file_path":"a.txt","content":"ab')], { stopReason: 'max_tokens' }),
        say('Shorter.'),
      ],
      { mode: 'full' },
    )
    rig.session.submit('go')
    await rig.session.idle()
    const results = provider.requests[1]?.turns.at(-1)
    expect(results?.kind === 'tool_results' && results.results[1]?.output).toMatch(/cut off by the length limit/)
    await expect(readFile(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
    expect(await readFile(join(rig.folder, 'b.txt'), 'utf8')).toBe('whole')
  })

  test('no queued message is lost after a failure', async () => {
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

  test('an internal error is reported and ends the turn, but the session survives', async () => {
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

  test('Resume is refused if there is nothing to resume', async () => {
    const { rig } = await rigFor([say('Hello.')])
    expect(rig.session.resume()).toMatchObject({ ok: false, trouble: { code: 'nothing_to_resume' } })
    rig.session.submit('go')
    await rig.session.idle()
    expect(rig.session.resume()).toMatchObject({ ok: false, trouble: { code: 'nothing_to_resume' } })
  })

  test('after an answer that hit its length limit, Resume sends a user message that asks the model to continue', async () => {
    const { provider, rig } = await rigFor([message([text('Chapter one')], { stopReason: 'max_tokens' }), say('Chapter two')])
    rig.session.submit('a long story')
    await rig.session.idle()
    rig.session.resume()
    await rig.session.idle()
    expect(said({ provider }, 1)).toEqual([
      ['user', 'a long story'],
      ['assistant', ''],
      ['steering', 'Go on.'],
    ])
  })
})
