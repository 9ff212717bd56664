import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Tool } from '../../main/agent/ports/tool.ts'
import { call, calls, gate, say, text } from '../support/scripted-model.ts'
import { answerCall, waiting } from './support/rig.ts'
import { failing, heard, only, read, rigFor, said, shell, tail, write } from './support/scripted-rig.ts'

describe('messages', () => {
  test('queued messages are sent in order after the turn ends (AC1.4, AC6.2, S-08)', async () => {
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
    expect(said({ provider }, 2)).toEqual([
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

  test('steering reaches the agent after the current round, before the next request (AC6.1, AC6.3, AC6.4)', async () => {
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
    expect(said({ provider }, 1)).toEqual([
      ['user', 'go'],
      ['assistant', ''],
      ['tool_results', ''],
      ['steering', 'only the first line'],
    ])
    expect(rig.kinds().filter((kind) => kind === 'STEERING_INJECTED').length).toBe(1)
    expect(rig.session.state().queue).toEqual([])
  })

  test('steering that arrives during the last answer is not lost: the turn continues with it', async () => {
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
    expect(said({ provider }, 1)?.at(-1)).toEqual(['steering', 'and the tests'])
  })

  test('a steering message sent while nothing runs is delivered before the first request of the next turn (S-11)', async () => {
    const { provider, rig } = await rigFor([say('Done.')])
    rig.session.steer('in French')
    expect([rig.session.state().run, rig.session.state().queue.length]).toEqual(['IDLE', 1])
    rig.session.submit('go')
    await rig.session.idle()
    expect(said({ provider }, 0)).toEqual([
      ['user', 'go'],
      ['steering', 'in French'],
    ])
  })

  test('waiting messages can be reordered even if one of them was already sent, and each message reaches the agent once (R-72)', async () => {
    const held = gate()
    const { provider, rig } = await rigFor(async (_, index) => {
      if (index === 0) await held.opened
      return say(`answer ${index}`)
    })
    const { session } = rig
    session.submit('go')
    await heard(session, 'REQUEST_SENT')
    for (const name of ['a', 'b', 'c']) session.send({ inputId: name, text: name, delivery: 'queue' })
    expect(session.arrange(['c', 'gone', 'a'])).toEqual({ ok: true })
    const order = session.state().queue.map(({ inputId, delivery, held: isHeld }) => [inputId, delivery, isHeld])
    expect(order).toEqual(['c', 'a', 'b'].map((name) => [name, 'queue', false]))
    const before = rig.events().length
    expect(session.arrange(['c', 'a'])).toEqual({ ok: true })
    expect(rig.events().length).toBe(before)
    held.open()
    await session.idle()
    expect(said({ provider }, 3)?.flatMap(([who, words]) => (who === 'user' ? [words] : []))).toEqual(['go', 'c', 'a', 'b'])
    expect(session.arrange(['a'])).toMatchObject({ ok: false, trouble: { code: 'nothing_runs' } })
  })

  test('a waiting message can be withdrawn, but a sent message cannot', async () => {
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

  test('a changed effort or model takes effect with the next request (S-12, AC8.2)', async () => {
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
  test('while the model writes: the request is canceled, and the partial answer is kept as unfinished', async () => {
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

  test('while a command runs: the command is ended, and its partial output goes to the model with the next request (fault 30)', async () => {
    const { provider, rig } = await rigFor([calls(shell('echo begun; echo still here; exec sleep 60')), say('Fine.')], { mode: 'full' })
    rig.session.submit('go')
    const printed = Promise.withResolvers<void>()
    rig.session.record.subscribe(({ event }) => {
      if (event.kind === 'TOOL_CALL_OUTPUT_DELTA' && event.tail.includes('still here')) printed.resolve()
    })
    await printed.promise
    await rig.session.stop()
    expect([rig.session.state().run, rig.session.state().ended]).toEqual(['IDLE', 'stopped'])
    rig.session.submit('on')
    await rig.session.idle()
    const results = provider.requests[1]?.turns[2]
    expect(results?.kind === 'tool_results' && results.results[0]).toMatchObject({
      isError: true,
      output: expect.stringMatching(/^begun\nstill here\nStopped after \d+ ms\nCancelled by the user\.$/) as unknown,
    })
    // The user sees the output of the command without the line about how it ended and how long it took. Those facts are separate fields.
    expect(only(rig, 'TOOL_CALL_END').map(({ outcome, output }) => [outcome, output])).toEqual([['stopped', 'begun\nstill here\n']])
    expect(only(rig, 'TOOL_CALL_END')[0]?.durationMs).toBeGreaterThan(0)
  })

  test('while requests wait: the requests are withdrawn, and nothing runs', async () => {
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

  test('STOP_REQUESTED from any process ends the turn', async () => {
    const { rig } = await rigFor([calls(write('a.txt', 'a')), say('Fine.')])
    rig.session.submit('go')
    await waiting(rig.session)
    rig.store.log(rig.sessionId).append({ kind: 'STOP_REQUESTED' })
    expect((await rig.session.idle()).ended).toBe('stopped')
  })

  test('a tool that ignores the stop does not keep the turn from ending', async () => {
    const begun = gate()
    const deaf: Tool = {
      definition: { name: 'deaf', description: '', parameters: { type: 'object' } },
      validate: (value) => ({ ok: true, value }),
      prepare: () =>
        Promise.resolve({
          kind: 'ready',
          effects: [],
          commit: () => {
            begun.open()
            return new Promise(() => {})
          },
        }),
    }
    const { rig } = await rigFor([calls(call('deaf', {})), say('Fine.')], { tools: [deaf] })
    rig.session.submit('go')
    await begun.opened
    await rig.session.stop()
    expect(tail(rig, 2)).toEqual([
      expect.objectContaining({
        kind: 'TOOL_CALL_END',
        outcome: 'stopped',
        output: expect.stringMatching(/did not end.*outcome is unknown\.$/s) as unknown,
        modelText: expect.stringMatching(/did not end.*outcome is unknown.*Cancelled by the user/s) as unknown,
      }),
      { kind: 'PROCESSING_END', reason: 'stopped' },
    ])
  })

  test('waiting messages are held, and can be sent, withdrawn or left for the next turn', async () => {
    const { provider, rig } = await rigFor([calls(write('a.txt', 'a')), say('One.'), say('Two.')])
    const { session } = rig
    session.submit('go')
    await waiting(session)
    session.steer('more briefly')
    for (const inputId of ['in_a', 'in_b', 'in_c']) session.send({ inputId, text: inputId, delivery: 'queue' })
    await session.stop()
    expect(session.state().queue.map(({ text, delivery, held }) => [text, delivery, held])).toEqual([
      ['more briefly', 'steer', true],
      ['in_a', 'queue', true],
      ['in_b', 'queue', true],
      ['in_c', 'queue', true],
    ])
    expect(session.withdraw('in_a')).toEqual({ ok: true })
    expect(session.send({ inputId: 'in_b', text: 'in_b, changed', delivery: 'queue' })).toEqual({ ok: true })
    const { queue } = await session.idle()
    expect(queue).toEqual([])
    expect(said({ provider }, 2)?.filter(([kind]) => kind !== 'tool_results')).toEqual([
      ['user', 'go'],
      ['assistant', ''],
      ['user', 'in_b, changed'],
      ['steering', 'more briefly'],
      ['assistant', ''],
      ['user', 'in_c'],
    ])
    expect(rig.replay().queue).toEqual([])
  })

  test('is a no-op if nothing runs', async () => {
    const { rig } = await rigFor([])
    await rig.session.stop()
    expect(rig.kinds()).toEqual(['SESSION_START'])
  })
})
