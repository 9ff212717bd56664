import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { executorTool } from '../../main/embed/tools/executor-tool.ts'
import { createSession } from '../../main/agent/session.ts'
import type { Clock } from '../../main/agent/ports/clock.ts'
import type { ProviderEvent } from '../../main/agent/ports/provider.ts'
import { receiveAnswer } from '../../main/agent/answer/receive-answer.ts'
import { NO_USAGE } from '../../shared/session/content.ts'
import type { LiveEvent } from '../../shared/session/events.ts'
import { call, calls, gate, message, say, text, thinking } from '../support/scripted-model.ts'
import { answerCall, openRig, waiting } from './support/rig.ts'
import { scriptedProvider } from './support/scripted-provider.ts'

const read = (path: string) => call('read_file', { file_path: path })
const write = (path: string, content: string) => call('write_file', { file_path: path, content })

describe('a turn of the loop', () => {
  test('an answer with only text is a turn: IDLE, PROCESSING, IDLE (AC1.1, AC1.3)', async () => {
    const provider = scriptedProvider([message([thinking('hm', 's'), text('Hello.')], { usage: { input: 3, output: 4 } })])
    const rig = await openRig(provider)
    const runs = [rig.session.state().run]
    rig.session.record.subscribe(() => runs.push(rig.session.state().run))
    expect(rig.session.submit('Hi')).toEqual({ ok: true })
    await rig.session.idle()
    expect(runs.filter((run, index) => run !== runs[index - 1])).toEqual(['IDLE', 'PROCESSING', 'IDLE'])
    expect(rig.kinds()).toEqual(['SESSION_START', 'USER_INPUT', 'REQUEST_CONTEXT', 'ASSISTANT_TURN', 'USAGE', 'PROCESSING_END'])
    expect(provider.requests).toEqual([
      {
        model: 'scripted',
        system: 'You are a test.',
        tools: expect.any(Array) as unknown,
        turns: [{ kind: 'user', content: 'Hi' }],
        effort: null,
      },
    ])
  })

  test('calls run in rounds, and an answer without calls ends the turn (AC1.2, S-02, R-01, R-02)', async () => {
    const provider = scriptedProvider([calls(read('b.txt'), read('a.txt'), read('missing.txt')), say('Done.')])
    const rig = await openRig(provider)
    await writeFile(join(rig.folder, 'a.txt'), 'first\n')
    await writeFile(join(rig.folder, 'b.txt'), 'second\n')
    rig.session.submit('Read both')
    await rig.session.idle()
    expect(provider.requests[1]?.turns.at(-1)).toEqual({
      kind: 'tool_results',
      results: [
        { toolCallId: 'toolu_1', toolName: 'read_file', output: '     1\tsecond', isError: false },
        { toolCallId: 'toolu_2', toolName: 'read_file', output: '     1\tfirst', isError: false },
        {
          toolCallId: 'toolu_3',
          toolName: 'read_file',
          output: expect.stringContaining('missing.txt does not exist.') as unknown,
          isError: true,
        },
      ],
    })
  })

  test('commands are prepared before each request, with whether it is the first one after the message', async () => {
    const seen: unknown[] = []
    const provider = scriptedProvider((_request, index) => {
      seen.push(`request ${index}`)
      return index === 0 ? calls(read('a.txt')) : say('Done.')
    })
    const rig = await openRig(provider, { isLeftBehind: true })
    const session = createSession({ ...rig.parts(), prepareCommands: (_config, isFirst) => seen.push({ isFirst }) })
    onTestFinished(() => session.suspend())
    session.submit('Read it')
    await session.idle()
    expect(seen).toEqual([{ isFirst: true }, 'request 0', { isFirst: false }, 'request 1'])
  })

  test('a round of reads writes to the log only twice', async () => {
    let ticks = 0
    const provider = scriptedProvider([calls(read('a.txt'), read('b.txt'), read('c.txt')), say('Done.')])
    // The store asks the clock once for each append, so events of one append have the same time.
    const rig = await openRig(provider, { storeClock: { now: () => ++ticks } })
    rig.session.submit('Read')
    await rig.session.idle()
    const appends = Map.groupBy(rig.session.record.read(), ({ at }) => at)
    expect([...appends.values()].map((envelopes) => envelopes.map(({ event }) => event.kind))).toEqual([
      ['SESSION_START'],
      ['USER_INPUT'],
      ['REQUEST_CONTEXT'],
      ['ASSISTANT_TURN', 'USAGE', 'TOOL_CALL_START', 'TOOL_CALL_START', 'TOOL_CALL_START'],
      ['TOOL_CALL_END', 'TOOL_CALL_END', 'TOOL_CALL_END'],
      ['ASSISTANT_TURN', 'USAGE', 'PROCESSING_END'],
    ])
  })

  test('a signed write is stored for undo, happens once and is reported to the model (D-19)', async () => {
    const provider = scriptedProvider([calls(write('new.txt', 'hello\n')), say('Done.')])
    const rig = await openRig(provider)
    rig.session.submit('Write')
    const [asked] = await waiting(rig.session)
    expect([rig.session.state().run, asked?.effects]).toEqual([
      'AWAITING_INPUT',
      [expect.objectContaining({ kind: 'write', shown: 'new.txt', before: null })],
    ])
    await expect(readFile(join(rig.folder, 'new.txt'))).rejects.toThrow('ENOENT')
    expect(answerCall(rig.session, asked)).toEqual({ kind: 'accepted' })
    await rig.session.idle()
    expect(await readFile(join(rig.folder, 'new.txt'), 'utf8')).toBe('hello\n')
    expect(rig.kinds().slice(5, 12)).toEqual([
      'TOOL_CALL_START',
      'APPROVAL_REQUESTED',
      'APPROVAL_ANSWERED',
      'TOOL_EXECUTION_START',
      'FILES_CHANGED',
      'TOOL_CALL_END',
      'ASSISTANT_TURN',
    ])
    const [change] = rig.events().flatMap((event) => (event.kind === 'FILES_CHANGED' ? event.files : []))
    expect(change?.after && new TextDecoder().decode(rig.store.blobs.get(change.after))).toBe('hello\n')
  })

  test('the model gets the user’s note on a refusal, and nothing is written', async () => {
    const provider = scriptedProvider([calls(write('new.txt', 'hello\n')), say('I see.')])
    const rig = await openRig(provider)
    rig.session.submit('Write')
    answerCall(rig.session, (await waiting(rig.session))[0], 'not there')
    await rig.session.idle()
    await expect(readFile(join(rig.folder, 'new.txt'))).rejects.toThrow('ENOENT')
    expect(provider.requests[1]?.turns.at(-1)).toEqual({
      kind: 'tool_results',
      results: [
        {
          toolCallId: 'toolu_1',
          toolName: 'write_file',
          output: 'The user denied this call; nothing was executed. The user says: not there',
          isError: true,
        },
      ],
    })
  })

  test('the system prompt is built once per model, and stays the same in later rounds and after restarts', async () => {
    let made = 0
    const provider = scriptedProvider([calls(read('a.txt')), say('One.'), say('Two.'), say('Three.')])
    const rig = await openRig(provider, { systemPrompt: () => Promise.resolve(`prompt ${++made}`) })
    rig.session.submit('a')
    await rig.session.idle()
    await rig.session.suspend()
    const session = await rig.takeOver()
    session.submit('b')
    await session.idle()
    session.configure({ model: 'other' })
    session.submit('c')
    await session.idle()
    expect(provider.requests.map(({ system }) => system)).toEqual(['prompt 1', 'prompt 1', 'prompt 1', 'prompt 2'])
    expect(provider.requests[0]?.tools).toBe(provider.requests[1]?.tools)
  })

  test('a tool that is registered during a session is logged, and is in the next request (P2-35)', async () => {
    const provider = scriptedProvider([say('One.'), calls(call('greet', { name: 'you' })), say('Two.')])
    const rig = await openRig(provider, { mode: 'full' })
    rig.session.submit('a')
    await rig.session.idle()
    const { registry } = rig.parts().toolSetFor(rig.session.state().config)
    registry.register(
      executorTool({
        definition: { name: 'greet', description: 'Greets.', parameters: { type: 'object' } },
        executor: ({ name }) => Promise.resolve(`Hello, ${JSON.stringify(name)}.`),
      }),
    )
    rig.session.submit('b')
    // Nobody can know what this tool will do, so it needs approval in every mode, and the approval is valid only for these arguments.
    const [asked] = await waiting(rig.session)
    expect(asked?.effects).toEqual([{ kind: 'unknown', summary: 'greet {"name":"you"}' }])
    answerCall(rig.session, asked)
    await rig.session.idle()
    expect(provider.requests[1]?.tools.at(-1)?.name).toBe('greet')
    expect(rig.kinds().filter((kind) => kind === 'REQUEST_CONTEXT').length).toBe(2)
    expect(provider.requests[2]?.turns.at(-1)).toMatchObject({ results: [{ output: 'Hello, "you".', isError: false }] })
  })

  test('if the folder disappears during a turn, every call reports it, and the session survives (fault 22)', async () => {
    const provider = scriptedProvider([
      calls(call('shell', { command: 'cd / && rm -r "$OLDPWD"' })),
      calls(read('a.txt'), write('b.txt', 'b'), call('shell', { command: 'ls' })),
      say('It is gone.'),
    ])
    const rig = await openRig(provider, { mode: 'ask' })
    rig.session.submit('go')
    // No later call needs approval, because each call fails while it is prepared.
    answerCall(rig.session, (await waiting(rig.session))[0])
    expect((await rig.session.idle()).ended).toBe('completed')
    const results = provider.requests[2]?.turns.at(-1)
    expect(results?.kind === 'tool_results' && results.results.map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ['read_file', true],
      ['write_file', true],
      ['shell', true],
    ])
  })
})

describe('receiving an answer', () => {
  test('after 2 s of silence, a live event says what the turn is waiting for', async () => {
    const clock = handClock()
    const published: LiveEvent[] = []
    const first = gate()
    const second = gate()
    async function* events(): AsyncGenerator<ProviderEvent> {
      await first.opened
      yield { kind: 'text', text: 'Hello' }
      await second.opened
      yield { kind: 'finish', answer: { parts: [], stopReason: 'stop', responseId: null, usage: NO_USAGE } }
    }
    const log = { append: () => expect.unreachable(), publish: (event: LiveEvent) => void published.push(event) }
    const done = receiveAnswer(events(), 'the model', { log, clock })
    await clock.turn(1_000)
    expect(published).toEqual([])
    await clock.turn(1_000)
    await clock.turn(1_000)
    first.open()
    await clock.turn(0)
    await vi.waitFor(() => expect(published).toHaveLength(3))
    await clock.turn(1_000)
    await clock.turn(1_000)
    second.open()
    await done
    expect(published).toEqual([
      { kind: 'PROGRESS', waitingFor: 'the model', sinceMs: 0, untilMs: null },
      { kind: 'ASSISTANT_TEXT_START' },
      { kind: 'ASSISTANT_TEXT_DELTA', text: 'Hello' },
      { kind: 'PROGRESS', waitingFor: 'the model to continue', sinceMs: 3_000, untilMs: null },
      { kind: 'ASSISTANT_TEXT_END' },
    ])
  })

  test('an answer that arrives faster than it can be published does not block other work', async () => {
    const clock = handClock()
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns++
      if (!isOver) setImmediate(count)
    }
    const spin = (): void => {
      for (const until = performance.now() + 10; performance.now() < until;);
    }
    // All pieces of the stream are available at once, so nothing in the stream itself waits for the event loop.
    async function* events(): AsyncGenerator<ProviderEvent> {
      for (let piece = 0; piece < 20; piece++) yield { kind: 'text', text: 'word ' }
      yield { kind: 'finish', answer: { parts: [], stopReason: 'stop', responseId: null, usage: NO_USAGE } }
    }
    setImmediate(count)
    await receiveAnswer(events(), 'the model', { log: { append: () => expect.unreachable(), publish: spin }, clock })
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(20)
  })

  test('the wait before a retry does not count as silence', async () => {
    const clock = handClock()
    const published: LiveEvent[] = []
    const answer = gate()
    let isRetrying = true
    async function* events(): AsyncGenerator<ProviderEvent> {
      await answer.opened
      yield { kind: 'finish', answer: { parts: [], stopReason: 'stop', responseId: null, usage: NO_USAGE } }
    }
    const log = { append: () => expect.unreachable(), publish: (event: LiveEvent) => void published.push(event) }
    const done = receiveAnswer(events(), 'the model', { log, clock, isBetweenAttempts: () => isRetrying })
    for (let second = 0; second < 5; second++) await clock.turn(1_000)
    expect(published).toEqual([])
    isRetrying = false
    for (let second = 0; second < 2; second++) await clock.turn(1_000)
    expect(published).toEqual([{ kind: 'PROGRESS', waitingFor: 'the model', sinceMs: 5_000, untilMs: null }])
    answer.open()
    await done
  })
})

/** A clock that advances only when the test calls `turn`. */
function handClock(): Clock & { turn(ms: number): Promise<void> } {
  let now = 0
  const sleeping = new Set<{ readonly until: number; wake(): void }>()
  return {
    now: () => now,
    elapsed: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const one = { until: now + ms, wake: resolve }
        sleeping.add(one)
        signal?.addEventListener('abort', () => {
          sleeping.delete(one)
          reject(signal.reason)
        })
      }),
    async turn(ms) {
      now += ms
      for (const one of sleeping) {
        if (one.until > now) continue
        sleeping.delete(one)
        one.wake()
      }
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
