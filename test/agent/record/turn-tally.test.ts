import { describe, expect, test } from 'vitest'
import { findLoop } from '../../../main/agent/loop-detection/find-loop.ts'
import { createTurnTally } from '../../../main/agent/record/turn-tally.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { answer, begun, call, callId, ended, input, steering } from '../support/events.ts'

const tallyOf = (...events: readonly DurableEvent[]) => {
  const tally = createTurnTally()
  for (const event of events) tally.add(event)
  return tally
}
const cycle = (pattern: string, length: number) => pattern.repeat(length).slice(0, length).split('')

describe('loop detection (S-16, D-23)', () => {
  test.each([
    ['a loop: the same call 5 times', 'a', 5, { length: 1, calls: 5 }],
    ['a loop: two alternating calls, 10 calls', 'ab', 10, { length: 2, calls: 10 }],
    ['a loop: three alternating calls, 9 calls, although 3 does not divide 10', 'abc', 9, { length: 3, calls: 9 }],
    ['no loop: the same call 4 times', 'a', 4, null],
    ['no loop: two alternating calls, 9 calls', 'ab', 9, null],
    ['no loop: three alternating calls, 8 calls', 'abc', 8, null],
    ['no loop: four alternating calls, 10 calls', 'abcd', 10, null],
  ])('%s', (_, pattern, length, expected) => {
    expect(findLoop(cycle(pattern, length))).toEqual(expected)
  })

  test('a different call ends a pattern', () => {
    expect(findLoop(['a', 'a', 'a', 'a', 'b'])).toBeNull()
    expect(findLoop(['x', 'a', 'a', 'a', 'a', 'a'])).toEqual({ length: 1, calls: 5 })
  })

  test('calls with different arguments differ, but a different order of keys makes no difference', () => {
    const same = [1, 2, 3, 4, 5].map((n) => begun(`c${n}`, 'grep', n % 2 ? { a: 1, b: { c: 2, d: 3 } } : { b: { d: 3, c: 2 }, a: 1 }))
    const different = [1, 2, 3, 4, 5].map((n) => begun(`c${n}`, 'grep', { a: n }))
    expect([tallyOf(...same).loop(), tallyOf(...different).loop()]).toEqual([{ length: 1, calls: 5 }, null])
  })

  test('after a warning, the next one needs the whole pattern again, and a user message resets the count', () => {
    const five = [1, 2, 3, 4, 5].map((n) => begun(`c${n}`))
    const said: DurableEvent = { kind: 'LOOP_DETECTION', message: 'loop' }
    expect(tallyOf(...five, said, ...five.slice(1)).loop()).toBeNull()
    expect(tallyOf(...five, said, ...five).loop()).toEqual({ length: 1, calls: 5 })
    expect(tallyOf(...five, input('go on')).loop()).toBeNull()
  })
})

describe('a loop that continues after its warnings (fault 49)', () => {
  const said: DurableEvent = { kind: 'LOOP_DETECTION', message: 'loop' }
  const five = (name: string) => [1, 2, 3, 4, 5].map((n) => begun(`${name}${n}`, name))
  const warned = (name: string, times: number) => Array.from({ length: times }, () => [...five(name), said]).flat()

  test('ends the turn after three warnings, or after twenty warnings about polling a background process', () => {
    const outlived = (name: string, times: number) => tallyOf(...warned(name, times), ...five(name)).outlivedWarnings()
    expect([2, 3].map((times) => outlived('grep', times))).toEqual([null, 3])
    for (const name of ['wait', 'bash_output']) expect([19, 20].map((times) => outlived(name, times))).toEqual([null, 20])
  })

  test('only warnings about the same loop since the last user message are counted', () => {
    const resumed: DurableEvent = { kind: 'RESUME_REQUESTED' }
    expect(tallyOf(...warned('grep', 3), ...five('glob')).outlivedWarnings()).toBeNull()
    for (const anew of [input('on'), resumed, steering('Other way')])
      expect(tallyOf(...warned('grep', 3), anew, ...five('grep')).outlivedWarnings()).toBeNull()
    expect(tallyOf(...warned('grep', 3), steering('Loop detected', 'loop'), ...five('grep')).outlivedWarnings()).toBe(3)
  })
})

describe('the results of repeated calls', () => {
  const said: DurableEvent = { kind: 'LOOP_DETECTION', message: 'loop' }
  let count = 0
  const changed = (toolCallId: string): DurableEvent => ({ kind: 'FILES_CHANGED', toolCallId: callId(toolCallId), files: [] })
  const ran = (command: string, output: string, outcome: 'done' | 'failed' = 'done', isStep = true): readonly DurableEvent[] => {
    const id = `r${++count}`
    const effect = { kind: 'command', command, cwd: '/', outside: false, env: {}, timeoutMs: 1, destructive: false } as const
    return [
      begun(id, 'shell', { command }),
      ...(isStep
        ? [{ kind: 'TOOL_EXECUTION_START', toolCallId: callId(id), signedBy: { kind: 'mode', mode: 'full' }, effects: [effect] } as const]
        : []),
      ended(id, output, { toolName: 'shell', outcome, isError: outcome === 'failed' }),
    ]
  }
  const five = (output: (index: number) => string, outcome: 'done' | 'failed' = 'done') =>
    [1, 2, 3, 4, 5].flatMap((index) => ran('wc -l n', output(index), outcome))
  const warned = [1, 2, 3].flatMap(() => [...five(() => '3 n'), said])
  const outlived = (...events: readonly DurableEvent[]) => tallyOf(...warned, ...events).outlivedWarnings()

  test('identical calls with identical results are a loop, however long they took', () => {
    expect(outlived(...five(() => '3 n'))).toBe(3)
    const slow = [1, 2, 3, 4].flatMap((time) => [...five((index) => `3 n\nExit code: 0 (${time}${index} ms)`), ...(time < 4 ? [said] : [])])
    expect(tallyOf(...slow).outlivedWarnings()).toBe(3)
  })

  test('a changed result resets the count, even if only a time of day changed', () => {
    const outlivedBy = (output: string, outcome: 'done' | 'failed') =>
      tallyOf(
        ...[1, 2, 3].flatMap(() => [...five(() => '10:00:00 waiting', outcome), said]),
        ...five((index) => (index < 3 ? '10:00:00 waiting' : output), outcome),
      ).outlivedWarnings()
    expect([outlivedBy('10:00:00 waiting', 'done'), outlivedBy('10:00:30 waiting', 'done'), outlivedBy('90%', 'failed')]).toEqual([
      3,
      null,
      null,
    ])
    expect(outlivedBy('10:00:30 waiting', 'failed')).toBe(3)
  })

  test('other work in between resets the count, but reads and failures do not', () => {
    const again = five(() => '3 n')
    expect(outlived(...ran('sed -i s/a/b/ n', ''), ...again)).toBeNull()
    expect(outlived(changed('w'), ...again)).toBeNull()
    expect(outlived(...ran('ls', '', 'done', false), ...again)).toBe(3)
    expect(outlived(...ran('make', 'no', 'failed'), ...again)).toBe(3)
    expect(outlived(...again.flatMap((event) => [event, ...(event.kind === 'TOOL_CALL_END' ? [changed(event.toolCallId)] : [])]))).toBe(3)
  })
})

describe('calls that keep failing', () => {
  let count = 0
  const tried = (name: string, words: string, outcome: 'failed' | 'done' = 'failed'): readonly DurableEvent[] => {
    const id = `t${++count}`
    return [begun(id, 'shell', { command: name }), ended(id, words, { toolName: 'shell', outcome, isError: outcome === 'failed' })]
  }
  const changed: DurableEvent = { kind: 'FILES_CHANGED', toolCallId: callId('w'), files: [] }

  test('three identical failures are detected, whatever other calls happen between them and however long they took', () => {
    const events = [...tried('a', 'no such file (3 ms)'), ...tried('b', 'ok', 'done'), ...tried('a', 'no such file (12 ms)')]
    expect(tallyOf(...events).failing()).toBeNull()
    expect(tallyOf(...events, ...tried('c', 'ok', 'done'), ...tried('a', 'no such file (4 ms)')).failing()).toMatchObject({
      toolName: 'shell',
      times: 3,
    })
  })

  test('failures with different numbers or positions count as different, but times, process ids, addresses and temporary names are ignored', () => {
    const found = (words: (index: number) => string) =>
      tallyOf(...[1, 2, 3].flatMap((index) => [...tried('a', words(index)), ...tried(`b${index}`, 'ok', 'done')])).failing()?.times ?? null
    for (const words of [(n: number) => `Tests: ${n} failed`, (n: number) => `a.ts:${n}:10: no`, (n: number) => `a.c:10:12:${n}0: no`])
      expect([words(1), found(words)]).toEqual([words(1), null])
    for (const words of [
      (n: number) => `2026-11-2${n}T10:0${n}:00.5Z no`,
      (n: number) => `[10:00:0${n}] no, after ${n}.5 s`,
      (n: number) => `1 test failed in ${n} seconds\nExit code: 1 (${n}00 ms)`,
      (n: number) => `(node:4${n}) Warning\npid ${n}: no`,
      (n: number) => `at 0x7f${n}a: no`,
      (n: number) => `/tmp/run.k${n}/a.txt: no`,
    ])
      expect([words(1), found(words)]).toEqual([words(1), 3])
  })

  test('consecutive identical failures are reported as a loop, not as a failing call', () => {
    const events = [1, 2, 3, 4].flatMap(() => tried('a', 'x'))
    expect([tallyOf(...events).failing(), tallyOf(...events, ...tried('a', 'x')).loop()]).toEqual([null, { length: 1, calls: 5 }])
  })

  test('another failure, a success or a changed file in between resets the count, and the warning comes only once', () => {
    const three = (between: readonly DurableEvent[]) => [
      ...[tried('a', 'x'), tried('b', 'ok', 'done'), tried('a', 'x')].flat(),
      ...between,
      ...tried('a', 'x'),
    ]
    expect(tallyOf(...three([])).failing()).toMatchObject({ toolName: 'shell', times: 3 })
    expect(
      [three(tried('a', 'y')), three(tried('a', 'ok', 'done')), three([changed])].map((events) => tallyOf(...events).failing()),
    ).toEqual([null, null, null])
    expect(tallyOf(...three([]), { kind: 'LOOP_DETECTION', message: 'x' }).failing()).toBeNull()
    expect(tallyOf(...three([]), input('on')).failing()).toBeNull()
  })
})

describe('what counts toward limits', () => {
  test('rounds are counted since the last message, but answers are counted over the whole session (T-15)', () => {
    const round = [answer([call('a')]), begun('a'), ended('a')]
    const tally = tallyOf(input('one'), ...round, ...round, answer([]), input('two'), ...round, answer([call('b')], { complete: false }))
    expect([tally.rounds(), tally.answers()]).toEqual([1, 5])
  })

  test('after the round limit has ended a turn, the count of rounds starts over', () => {
    expect(tallyOf(input('one'), answer([call('a')]), { kind: 'TURN_LIMIT', reason: 'max_tool_rounds', limit: 1 }).rounds()).toBe(0)
  })

  test('refusals of the same call are counted whatever its id, until the next message (fault 36)', () => {
    const refused = (id: string, args = { command: 'rm x' }) => [begun(id, 'shell', args), ended(id, 'no', { outcome: 'refused' })]
    const tally = tallyOf(...refused('a'), ...refused('b'), ...refused('other', { command: 'ls' }))
    expect([tally.refusals(callId('b')), tally.refusals(callId('other'))]).toEqual([2, 1])
    tally.add(input('again'))
    for (const event of refused('c')) tally.add(event)
    expect(tally.refusals(callId('c'))).toBe(1)
  })
})

test('a requested compaction survives an interrupted turn, and runs before the next message is answered', () => {
  const wanted = { kind: 'COMPACTION_REQUESTED', instructions: 'Keep names.', alone: true } as const
  const end = (reason: 'interrupted' | 'stopped') => ({ kind: 'PROCESSING_END', reason }) as const
  expect(tallyOf(wanted, end('interrupted')).wantedCompaction()).toEqual({ instructions: 'Keep names.', alone: true })
  expect(tallyOf(wanted, end('interrupted'), input('in1')).wantedCompaction()).toEqual({ instructions: 'Keep names.', alone: false })
  expect(tallyOf(wanted, end('stopped')).wantedCompaction()).toBeNull()
})
