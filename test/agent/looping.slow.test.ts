import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { calls, say } from '../support/scripted-model.ts'
import { only, read, rigFor, shell, tail } from './support/scripted-rig.ts'

const LETTERS = ['a.txt', 'b.txt', 'c.txt'] as const

/** Reads these files in turn, forever. */
const cycle = (length: number) => (_: unknown, index: number) => calls(read(LETTERS[index % length] ?? ''))

describe('an agent that has no round limit and keeps looping (fault 49, peers 30)', () => {
  test.each([
    ['one call', 1, 20],
    ['two alternating calls', 2, 40],
    ['three alternating calls', 3, 36],
  ] as const)('%s, repeated: after three warnings the turn ends and asks the user', async (_, length, requests) => {
    const { provider, rig } = await rigFor(cycle(length))
    for (const name of LETTERS) await writeFile(join(rig.folder, name), name)
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('limit')
    expect([provider.requests.length, only(rig, 'LOOP_DETECTION').length]).toEqual([requests, 3])
    expect(tail(rig, 3)).toMatchObject([
      { kind: 'TOOL_CALL_END' },
      { kind: 'ERROR', error: { code: 'looping' } },
      { kind: 'PROCESSING_END', reason: 'limit' },
    ])
  })

  test.each([
    ['one call', 1, 20],
    ['two alternating calls', 2, 20],
    ['three alternating calls', 3, 28],
  ] as const)('%s, repeated and failing: the turn also ends at the limit', async (_, length, requests) => {
    const { provider, rig } = await rigFor(cycle(length))
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('limit')
    expect([provider.requests.length, only(rig, 'LOOP_DETECTION').length]).toEqual([requests, 3])
  })

  test('Resume or a new message allows the same number of repetitions again', async () => {
    let isDone = false
    const { provider, rig } = await rigFor(() => (isDone ? say('Done.') : calls(read('a.txt'))))
    rig.session.submit('go')
    await rig.session.idle()
    rig.session.resume()
    expect((await rig.session.idle()).ended).toBe('limit')
    expect(provider.requests.length).toBe(40)
    isDone = true
    rig.session.submit('Stop reading')
    expect((await rig.session.idle()).ended).toBe('completed')
    const turns = provider.requests.at(-1)?.turns ?? []
    expect(turns.filter(({ kind }) => kind === 'assistant').length).toBe(turns.filter(({ kind }) => kind === 'tool_results').length)
  })

  test('after a restart the turn ends at the same call as without a restart', async () => {
    const { provider, rig } = await rigFor((_, index) => {
      if (index === 11) void rig.session.suspend()
      return calls(read('a.txt'))
    })
    rig.session.submit('go')
    await rig.session.record.until(() => (rig.session.state().run === 'IDLE' ? true : null), AbortSignal.timeout(60_000)).catch(() => {})
    const before = provider.requests.length
    expect(before).toBe(12)
    const session = await rig.takeOver()
    session.submit('go on')
    await session.idle()
    // A message from the user resets the count.
    expect(provider.requests.length - before).toBe(20)
  })

  test('a message from the user resets the count', async () => {
    const { provider, rig } = await rigFor((_, index) => {
      if (index === 18) rig.session.steer('Keep looking')
      return calls(read('a.txt'))
    })
    rig.session.submit('go')
    await rig.session.idle()
    expect(provider.requests.length).toBe(39)
  })

  test('a check that fails differently after each shell step counts as progress', async () => {
    const check = 'cat f.txt; echo "Tests: $(cat f.txt) failed"; exit 1'
    const { provider, rig } = await rigFor(
      (_, index) => (index < 32 ? calls(shell(index % 2 ? check : `echo ${100 - index} > f.txt`)) : say('Done.')),
      { mode: 'full' },
    )
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('completed')
    expect([provider.requests.length, only(rig, 'LOOP_DETECTION').length]).toEqual([33, 0])
  })

  test('a check that keeps failing the same way is not a loop if a different shell command runs before each attempt', async () => {
    const { provider, rig } = await rigFor(
      (_, index) => (index < 30 ? calls(shell(index % 2 ? 'echo 1 failed; exit 1' : `echo ${index} > f.txt`)) : say('Done.')),
      { mode: 'full' },
    )
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('completed')
    expect([provider.requests.length, only(rig, 'LOOP_DETECTION').length]).toEqual([31, 0])
  })

  test('repeatedly checking something that changes causes a warning but does not end the turn', async () => {
    const { provider, rig } = await rigFor((_, index) => (index < 40 ? calls(shell('echo x >> n; wc -l n')) : say('Done.')), {
      mode: 'full',
    })
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('completed')
    expect([provider.requests.length, only(rig, 'LOOP_DETECTION').length]).toEqual([41, 8])
  })

  test('repeating one command with the same result ends the turn, however long the command takes', async () => {
    const { provider, rig } = await rigFor(() => calls(shell('echo same')), { mode: 'full' })
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('limit')
    expect(provider.requests.length).toBe(20)
  })

  test('each loop gets its own warnings', async () => {
    const { provider, rig } = await rigFor((_, index) => {
      if (index >= 60) return say('Done.')
      return calls(read(`${Math.floor(index / 15)}.txt`))
    })
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('completed')
    expect([provider.requests.length, only(rig, 'LOOP_DETECTION').length]).toEqual([61, 12])
  })

  test.each([
    [30, 30],
    [50, 50],
    [51, 20],
  ])('with a limit of %i rounds instead, a loop ends the turn after %i requests', async (maxRounds, requests) => {
    const { provider, rig } = await rigFor(cycle(1), { limits: { maxRounds } })
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('limit')
    expect(provider.requests.length).toBe(requests)
    expect(tail(rig, 2)[0]?.kind).toBe(requests === maxRounds ? 'TURN_LIMIT' : 'ERROR')
  })

  test('D-08: with loop detection off, no loop ends a turn', async () => {
    const { provider, rig } = await rigFor((_, index) => (index < 50 ? calls(read('a.txt')) : say('Done.')), {
      limits: { detectLoops: false },
    })
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('completed')
    expect(provider.requests.length).toBe(51)
  })
})
