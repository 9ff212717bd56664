import { wordList } from '../../../../shared/lib/word-list.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnyEnvelope, DurableEvent, LiveEvent } from '../../../../shared/session/events.ts'
import { emptySession, fold, foldAll } from '../../../../shared/session/fold/fold.ts'
import type { CallItem, SessionState } from '../../../../shared/session/state.ts'
import {
  answer,
  answered,
  approvalId,
  begun,
  call,
  callId,
  ended,
  executing,
  input,
  requested,
  SESSION,
  stamped,
  started,
  steering,
} from '../../../agent/support/events.ts'

const stateOf = (...events: readonly DurableEvent[]): SessionState => fold(emptySession(SESSION), ...stamped(events))
const live = (event: LiveEvent, at = 5_000): AnyEnvelope => ({ seq: null, sessionId: SESSION, at, event })
const text = (words: string) => ({ kind: 'text', text: words }) as const
const end = (reason: Extract<DurableEvent, { kind: 'PROCESSING_END' }>['reason']): DurableEvent => ({ kind: 'PROCESSING_END', reason })
const runs = (...events: readonly DurableEvent[]) => events.map((_, index) => stateOf(...events.slice(0, index + 1)).run)
const callOf = (state: SessionState): CallItem | undefined => state.items.find((item) => item.kind === 'call')

test('changing model, provider or effort during a session adds an entry', () => {
  const config = { provider: 'anthropic', model: 'first', mode: 'ask', effort: null, baseUrl: null } as const
  const first = { provider: 'anthropic', model: 'first', effort: null } as const
  const { items, config: now } = stateOf(
    started(),
    { kind: 'SESSION_CONFIGURED', ...config },
    input('go'),
    { kind: 'SESSION_CONFIGURED', ...config, mode: 'full' },
    { kind: 'SESSION_CONFIGURED', ...config, effort: 'high', was: first },
    { kind: 'SESSION_CONFIGURED', ...config, provider: 'openai', model: 'third', was: { ...first, effort: 'high' } },
  )
  expect(now).toEqual({ ...config, provider: 'openai', model: 'third' })
  expect(items.map((item) => (item.kind === 'notice' ? [item.trouble.code, item.trouble.what] : item.kind))).toEqual([
    'user',
    ['configured', 'Changed effort default → high.'],
    ['configured', 'Changed provider anthropic → openai, model first → third, effort high → default.'],
  ])
})

test('a compaction shows the same number of tokens everywhere', () => {
  const receipt = { why: 'threshold', dropped: 9, pinned: 1, tokensBefore: 41_200, tokensAfter: 840 } as const
  const { items, context } = stateOf(started(), input('go'), { kind: 'COMPACTED', text: 'S', kept: 8, ...receipt })
  const notice = items.find((item) => item.kind === 'notice')
  expect([context, notice?.trouble.what, notice?.trouble.kept]).toEqual([
    840,
    'Compacted for the model: about 41.2k tokens became 840. A summary replaces the 9 oldest messages.',
    'The newest messages and 1 older one of yours are kept word for word. You still see the whole ledger.',
  ])
})

describe('the state after each event (P2-06, S-05, D-41, D-42)', () => {
  test('IDLE → PROCESSING → IDLE for a plain turn, even if a message is queued and a stop is requested', () => {
    expect(
      runs(
        started(),
        { kind: 'INPUT_QUEUED', inputId: 'q', text: 'later', delivery: 'queue' },
        input('go'),
        { kind: 'STOP_REQUESTED' },
        answer([text('Hi')]),
        end('completed'),
        { kind: 'ERROR', error: { code: 'x', what: '', kept: '', todo: '' } },
      ),
    ).toEqual(['IDLE', 'IDLE', 'PROCESSING', 'PROCESSING', 'PROCESSING', 'IDLE', 'IDLE'])
  })

  test('AWAITING_INPUT exactly while at least one request is pending (D-42, T-14)', () => {
    expect(
      runs(
        input('go'),
        answer([call('a'), call('b')]),
        begun('a', 'shell'),
        begun('b', 'shell'),
        requested('a', 'ap1'),
        requested('b', 'ap2'),
        answered('a', 'ap1', { kind: 'signed' }),
        executing('a'),
        ended('a'),
        answered('b', 'ap2', { kind: 'refused', note: null, by: 'person' }),
        ended('b', 'no', { outcome: 'refused' }),
      ),
    ).toEqual(
      wordList(`
  PROCESSING PROCESSING PROCESSING PROCESSING AWAITING_INPUT AWAITING_INPUT AWAITING_INPUT AWAITING_INPUT AWAITING_INPUT
  PROCESSING PROCESSING
`),
    )
  })

  test('CLOSED after SESSION_END, until a message or a new configuration opens the session again', () => {
    const closed = [started(), { kind: 'SESSION_END', sessionId: SESSION, reason: 'closed' }] as const
    const configured: DurableEvent = {
      kind: 'SESSION_CONFIGURED',
      provider: 'anthropic',
      model: 'm2',
      mode: 'plan',
      effort: 'low',
      baseUrl: null,
    }
    expect([stateOf(...closed).run, stateOf(...closed, input('again')).run, stateOf(...closed, configured).run]).toEqual([
      'CLOSED',
      'PROCESSING',
      'IDLE',
    ])
    expect(stateOf(...closed, configured).config).toEqual({
      provider: 'anthropic',
      model: 'm2',
      mode: 'plan',
      effort: 'low',
      baseUrl: null,
    })
  })

  test('PROCESSING again after an interrupted turn is resumed, with its end reason cleared', () => {
    const resumed = stateOf(input('go'), end('interrupted'), { kind: 'RESUME_REQUESTED' })
    expect([resumed.run, resumed.ended, stateOf(input('go'), end('interrupted')).ended]).toEqual(['PROCESSING', null, 'interrupted'])
  })
})

describe('entries of the ledger', () => {
  test('a call goes through preparing, waiting, signed and running to its outcome', () => {
    const events = [
      begun('a', 'shell', { command: 'ls' }),
      requested('a', 'ap1'),
      answered('a', 'ap1', { kind: 'signed' }),
      executing('a'),
      ended('a', 'out', { outcome: 'failed', isError: true }),
    ]
    expect(events.map((_, index) => callOf(stateOf(...events.slice(0, index + 1)))?.status)).toEqual([
      'preparing',
      'waiting',
      'signed',
      'running',
      'failed',
    ])
  })

  test('a request that has changed since it was signed says so, and one that is asked again unchanged does not', () => {
    const asked = (...hashes: readonly (string | undefined)[]) =>
      hashes.flatMap((hash, at) => [
        requested('a', `ap${at}`, hash),
        ...(at + 1 < hashes.length ? [answered('a', `ap${at}`, { kind: 'signed' })] : []),
      ])
    const isChanged = (...hashes: readonly string[]) => callOf(stateOf(begun('a', 'shell'), ...asked(...hashes)))?.approval?.isChanged
    expect([
      isChanged('h1'),
      isChanged('h1', 'h1-unsaved'),
      isChanged('h1', 'h1'),
      isChanged('h1', 'h2'),
      isChanged('h1', 'h2', 'h2'),
    ]).toEqual([undefined, undefined, undefined, true, undefined])
  })

  test('a withdrawn request returns the call to preparing, and a late answer to the request is ignored', () => {
    const withdrawn = answered('a', 'ap1', { kind: 'withdrawn', why: 'superseded' })
    const state = stateOf(
      begun('a', 'shell'),
      requested('a', 'ap1'),
      withdrawn,
      requested('a', 'ap2', 'h2'),
      answered('a', 'ap1', { kind: 'signed' }),
    )
    expect([callOf(state)?.status, callOf(state)?.approval?.approvalId, callOf(state)?.approval?.answer]).toEqual([
      'waiting',
      approvalId('ap2'),
      null,
    ])
  })

  test('reads of one round share a step number, and every other call has its own', () => {
    const state = stateOf(begun('a'), begun('b'), begun('c', 'shell'), begun('d'), answer([text('x')]), begun('e'))
    expect(state.items.map((item) => (item.kind === 'call' ? item.step : item.kind))).toEqual([1, 1, 2, 3, 'prose', 4])
    expect(state.steps).toBe(4)
  })

  test('only reads that are shown as one row share a number', () => {
    const state = stateOf(begun('a', 'read_many_files'), begun('b'), begun('c', 'notebook_read'), begun('d', 'notebook_read'))
    expect(state.items.map((item) => (item.kind === 'call' ? item.step : item.kind))).toEqual([1, 2, 3, 4])
  })

  test('an answer with only calls has no prose entry, and an interrupted answer is marked', () => {
    const state = stateOf(
      answer([call('a')]),
      answer([{ kind: 'thinking', text: 'hm', signature: null }, text('Half')], { complete: false }),
    )
    expect(state.items).toEqual([{ kind: 'prose', id: 'e2', at: 1002, text: 'Half', thinking: 'hm', complete: false }])
  })

  test('messages leave the queue when withdrawn, injected or started, and the loop’s own messages have no entry', () => {
    const queued = (inputId: string): DurableEvent => ({ kind: 'INPUT_QUEUED', inputId, text: inputId, delivery: 'steer' })
    const state = stateOf(
      queued('in_a'),
      queued('in_b'),
      queued('in_c'),
      queued('in_d'),
      { kind: 'INPUT_WITHDRAWN', inputId: 'in_a' },
      steering('b'),
      input('c', 'follow-up'),
      steering('loop', 'loop'),
    )
    expect(state.queue.map(({ inputId }) => inputId)).toEqual(['in_d'])
    expect(state.items.map((item) => item.kind === 'user' && [item.text, item.delivery])).toEqual([
      ['b', 'steer'],
      ['c', 'follow-up'],
    ])
  })

  test('a stopped turn adds a permanent entry, unless the ledger already shows an error for it', () => {
    const error: DurableEvent = { kind: 'ERROR', error: { code: 'x', what: 'what', kept: 'kept', todo: 'todo' } }
    const entries = (...events: readonly DurableEvent[]) =>
      stateOf(...events).items.map((item) => (item.kind === 'notice' ? item.trouble.code : item.kind))
    expect(entries(input('go'), end('stopped'))).toEqual(['user', 'stopped'])
    expect(entries(input('go'), end('stopped'), input('on'), end('completed'))).toEqual(['user', 'stopped', 'user'])
    expect(entries(input('go'), error, end('stopped'))).toEqual(['user', 'x'])
    expect(entries(input('go'), end('interrupted'))).toEqual(['user'])
  })

  test('queued messages are held while no turn runs', () => {
    const queued: DurableEvent = { kind: 'INPUT_QUEUED', inputId: 'in_q', text: 'later', delivery: 'queue' }
    const held = (...events: readonly DurableEvent[]) => stateOf(...events).queue.map((one) => one.held)
    expect(held(input('go'), queued)).toEqual([false])
    expect(held(input('go'), queued, end('stopped'))).toEqual([true])
    expect(held(input('go'), queued, end('error'), { kind: 'RESUME_REQUESTED' })).toEqual([false])
    expect(held(input('go'), queued, end('stopped'), input('on'))).toEqual([false])
    expect(held({ kind: 'INPUT_QUEUED', inputId: 'in_s', text: 'so', delivery: 'steer' })).toEqual([true])
  })
})

describe('live events', () => {
  test('text and thinking grow, waiting ends with the first word, and the finished answer replaces the growing text and thinking', () => {
    const before = stateOf(input('go'))
    const writing = fold(
      before,
      live({ kind: 'REQUEST_SENT', provider: 'anthropic', model: 'm' }, 10),
      live({ kind: 'THINKING_DELTA', text: 'h' }, 11),
      live({ kind: 'THINKING_DELTA', text: 'm' }, 12),
      live({ kind: 'ASSISTANT_TEXT_DELTA', text: 'Hel' }, 13),
      live({ kind: 'ASSISTANT_TEXT_DELTA', text: 'lo' }, 14),
      live({ kind: 'TOOL_CALL_DELTA', toolName: 'shell', chars: 7 }, 15),
    )
    expect(writing.live).toEqual({ text: 'Hello', thinking: 'hm', call: { toolName: 'shell', chars: 7 }, sinceMs: 10, waitingFor: null })
    expect(fold(writing, live({ kind: 'PROGRESS', waitingFor: 'm', sinceMs: 15, untilMs: null })).live?.waitingFor).toEqual({
      what: 'm',
      sinceMs: 15,
      untilMs: null,
    })
    expect(fold(writing, ...stamped([answer([text('Hello')])], 2)).live).toBeNull()
  })

  test('a running command’s new tail replaces the old one, and the call’s end removes it', () => {
    const running = stateOf(begun('a', 'shell'), executing('a'))
    const delta = (tail: string, bytes: number) => live({ kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId: callId('a'), tail, bytes })
    const shown = fold(running, delta('one', 3), delta('two', 6))
    expect(callOf(shown)?.tail).toEqual({ text: 'two', bytes: 6 })
    const waits = live({ kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId: callId('a'), tail: 'Who?', bytes: 9, waitsForInput: true })
    expect(callOf(fold(shown, waits))?.tail).toEqual({ text: 'Who?', bytes: 9, waitsForInput: true })
    expect(callOf(fold(shown, waits, delta('Ada', 12)))?.tail).toEqual({ text: 'Ada', bytes: 12 })
    const over = fold(shown, ...stamped([ended('a')], 3), delta('late', 9))
    expect(callOf(over)?.tail).toBeNull()
  })
})

/** Any sequence of events, whether or not it makes sense. The fold must keep its promises for all of them. */
const ids = fc.constantFrom('a', 'b', 'c')
const anyEvent: fc.Arbitrary<DurableEvent> = fc.oneof(
  fc.constant(started()),
  fc.string().map((words) => input(words)),
  fc.string().map((words) => steering(words)),
  fc.constant(answer([text('x')])),
  ids.map((id) => begun(id, 'shell')),
  ids.map((id) => begun(id)),
  fc.tuple(ids, ids).map(([id, approval]) => requested(id, approval)),
  fc.tuple(ids, ids).map(([id, approval]) => answered(id, approval, { kind: 'signed' })),
  fc.tuple(ids, ids).map(([id, approval]) => answered(id, approval, { kind: 'withdrawn', why: 'stopped' })),
  ids.map((id) => executing(id)),
  ids.map((id) => ended(id)),
  fc.constantFrom('completed', 'stopped', 'error').map((reason) => end(reason as 'completed')),
  fc.constant({ kind: 'SESSION_END', sessionId: SESSION, reason: 'closed' } as const),
)
const anyLive: fc.Arbitrary<LiveEvent> = fc.oneof(
  fc.string().map((words): LiveEvent => ({ kind: 'ASSISTANT_TEXT_DELTA', text: words })),
  ids.map((id): LiveEvent => ({ kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId: callId(id), tail: id, bytes: 1 })),
)

describe('fold parity', () => {
  test('live and replayed events fold to the same state: one by one, in batches or all at once, with or without deltas', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyEvent, fc.array(anyLive, { maxLength: 2 })), { maxLength: 30 }), (steps) => {
        const envelopes = stamped(steps.map(([event]) => event))
        const replayed = foldAll(emptySession(SESSION), envelopes)
        const oneByOne = envelopes.reduce((state, envelope) => fold(state, envelope), emptySession(SESSION))
        const withDeltas = envelopes.flatMap((envelope, index): AnyEnvelope[] => [
          ...(steps[index]?.[1] ?? []).map((event) => live(event)),
          envelope,
        ])
        const watched = foldAll(emptySession(SESSION), withDeltas)
        expect(oneByOne).toEqual(replayed)
        expect(settled(watched)).toEqual(settled(replayed))
      }),
    )
  })

  test('a snapshot plus later events folds to the full state, wherever the log is split, even if the events overlap the snapshot', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), fc.nat(30), fc.nat(30), (events, cut, overlap) => {
        const envelopes = stamped(events)
        const snapshot = JSON.parse(JSON.stringify(foldAll(emptySession(SESSION), envelopes.slice(0, cut)))) as SessionState
        const again = foldAll(snapshot, envelopes.slice(Math.max(0, cut - overlap)))
        expect(again).toEqual(foldAll(emptySession(SESSION), envelopes))
      }),
    )
  })

  test('folding does not modify the input state', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const before = frozen(foldAll(emptySession(SESSION), stamped(events)))
        fold(before, ...stamped(events, 100), live({ kind: 'ASSISTANT_TEXT_DELTA', text: 'x' }))
      }),
    )
  })

  test('there are exactly four states, and AWAITING_INPUT requires a pending request in the ledger', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        const state = stateOf(...events)
        expect(['IDLE', 'PROCESSING', 'AWAITING_INPUT', 'CLOSED']).toContain(state.run)
        if (state.run === 'AWAITING_INPUT') expect(state.items.some((item) => item.kind === 'call' && item.status === 'waiting')).toBe(true)
      }),
    )
  })
})

/** Removes live output, which may differ. The rest must be the same. */
function settled(state: SessionState): SessionState {
  return { ...state, live: null, items: state.items.map((item) => (item.kind === 'call' ? { ...item, tail: null } : item)) }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(frozen)
  }
  return value
}
