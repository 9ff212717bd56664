import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { calls, message, say, text } from '../support/scripted-model.ts'
import { heard, only, rigFor, said, shell, tail, write } from './support/scripted-rig.ts'

describe('usage and context', () => {
  test('usage and cost are summed, and an unknown price makes the sum unknown', async () => {
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

  test('the context warning comes once, when the context passes 80 % (S-32, AC11.4)', async () => {
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
  test('a session has exactly one SESSION_START and one SESSION_END, which is the last event (P2-14, S-15, AC10.2, AC10.4, T-14)', async () => {
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

  test('D-06: each input ends with PROCESSING_END, and SESSION_END comes only when the session is closed', async () => {
    const { rig } = await rigFor([say('One.'), say('Two.')])
    for (const words of ['a', 'b']) {
      rig.session.submit(words)
      await rig.session.idle()
    }
    const ends = (): readonly string[] => rig.kinds().filter((kind) => kind === 'PROCESSING_END' || kind === 'SESSION_END')
    expect(ends()).toEqual(['PROCESSING_END', 'PROCESSING_END'])
    await rig.session.close()
    expect(ends()).toEqual(['PROCESSING_END', 'PROCESSING_END', 'SESSION_END'])
  })

  test('closing a session ends its running command first, and every call ends before CLOSED (S-42, AC1.7, AC11.5)', async () => {
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

  test('a closed session can be reopened and continued', async () => {
    const { provider, rig } = await rigFor([say('One.'), say('Two.')])
    rig.session.submit('a')
    await rig.session.idle()
    await rig.session.close()
    const again = await rig.takeOver()
    again.submit('b')
    expect((await again.idle()).ended).toBe('completed')
    expect(said({ provider }, 1)).toEqual([
      ['user', 'a'],
      ['assistant', ''],
      ['user', 'b'],
    ])
  })

  test('suspending ends a running command and records it, and Resume continues the turn', async () => {
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

describe('the contents of events (T-14)', () => {
  test('TOOL_CALL_START contains the complete arguments, even of a call that writes', async () => {
    const { rig } = await rigFor([calls(write('a.txt', 'a')), say('Done.')], { mode: 'accept-edits' })
    await writeFile(join(rig.folder, 'a.txt'), 'old')
    rig.session.submit('go')
    await rig.session.idle()
    expect(only(rig, 'TOOL_CALL_START').map(({ args }) => args)).toEqual([{ file_path: 'a.txt', content: 'a' }])
  })
})
