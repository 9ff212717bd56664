import { describe, expect, test } from 'vitest'
import { waitOf } from '../../../../renderer/features/status/session-wait.ts'
import type { AnyEnvelope, DurableEvent } from '../../../../shared/session/events.ts'
import { emptySession, foldAll } from '../../../../shared/session/fold/fold.ts'
import { begun, callId, executing, input, requested, SESSION, stamped, started } from '../../../agent/support/events.ts'
import { commandEffect } from '../../../support/effects.ts'

const stateOf = (...events: readonly DurableEvent[]) => foldAll(emptySession(SESSION), stamped([started(), input('go'), ...events]))
const COMMAND = commandEffect('npx jest', { cwd: '/w', timeoutMs: 120_000 })

describe('what a session waits for', () => {
  test('is the user as soon as a request waits', () => {
    const state = stateOf(begun('a', 'shell'), requested('a', 'ap'))
    expect(waitOf(state, {})).toEqual({ forYou: true, words: 'Waiting for you', what: null, sinceMs: 1_004, untilMs: null })
  })

  test('is a running command, with its first line, start time and deadline', () => {
    const command = `npx jest --watch=false --coverage --maxWorkers=2\necho done`
    const state = stateOf(begun('a', 'shell', { command }), { ...executing('a'), effects: [COMMAND] })
    expect(waitOf(state, {})).toEqual({
      forYou: false,
      words: 'Waiting for',
      what: 'npx jest --watch=false --coverage --max…',
      sinceMs: 1_004,
      untilMs: 121_004,
    })
  })

  test('is the user when the running command waits for input', () => {
    const waits = { kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId: callId('a'), tail: 'Name?', bytes: 5, waitsForInput: true } as const
    const running = stateOf(begun('a', 'shell', { command: 'npm init' }), { ...executing('a'), effects: [COMMAND] })
    expect(waitOf(foldAll(running, [{ seq: null, sessionId: SESSION, at: 2_000, event: waits }]), {})).toEqual({
      forYou: true,
      words: 'Waiting for you: input for',
      what: 'npm init',
      sinceMs: 1_004,
      untilMs: 121_004,
    })
  })

  test('is the subagent that works for the newest step', () => {
    const acts = { kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId: callId('a'), tail: 'Reads a.ts', bytes: 0 } as const
    const started = stateOf(begun('a', 'spawn_agent', { agent_type: 'explore' }))
    expect(waitOf(started, {})).toBeNull()
    expect(waitOf(foldAll(started, [{ seq: null, sessionId: SESSION, at: 2_000, event: acts }]), {})).toEqual({
      forYou: false,
      words: 'Waiting for',
      what: 'the explore agent',
      sinceMs: 1_003,
      untilMs: null,
    })
  })

  test('is the model, or the time of the next attempt', () => {
    const live = (event: Extract<AnyEnvelope, { seq: null }>['event']): AnyEnvelope => ({ seq: null, sessionId: SESSION, at: 2_000, event })
    const sent = foldAll(stateOf(), [live({ kind: 'REQUEST_SENT', provider: 'anthropic', model: 'claude' })])
    expect(waitOf(sent, {})).toEqual({ forYou: false, words: 'Waiting for', what: 'claude', sinceMs: 2_000, untilMs: null })
    const stalled = { ...sent, live: { ...sent.live, waitingFor: { what: 'claude to continue', sinceMs: 2_000, untilMs: null } } }
    expect(waitOf(stalled as typeof sent, {})).toMatchObject({ words: 'Waiting for', what: 'claude', end: 'to continue' })
    const retry = foldAll(sent, [
      live({ kind: 'RETRY_SCHEDULED', untilMs: 900_000, code: 'overloaded', attempt: 1, atMs: 9_000, why: 'Overloaded (529).' }),
    ])
    expect(waitOf(retry, {})).toEqual({
      forYou: false,
      words: 'Next try in',
      what: null,
      down: true,
      sinceMs: 2_000,
      untilMs: 9_000,
    })
  })

  test('is the model again as soon as the user starts the next attempt', () => {
    const live = (event: Extract<AnyEnvelope, { seq: null }>['event']): AnyEnvelope => ({ seq: null, sessionId: SESSION, at: 2_000, event })
    const retry = foldAll(stateOf(), [
      live({ kind: 'RETRY_SCHEDULED', untilMs: 900_000, code: 'overloaded', attempt: 1, atMs: 60_000, why: 'Overloaded (529).' }),
    ])
    const asked = foldAll(retry, [{ seq: 99, sessionId: SESSION, after: retry.cursor, at: 3_000, event: { kind: 'RETRY_REQUESTED' } }])
    expect(waitOf(asked, {})).toMatchObject({ words: 'Next try in', untilMs: 3_000 })
  })

  test('is the user after a turn that ended early, until its notice is dismissed, and nothing after a normal end', () => {
    const failed = stateOf({ kind: 'PROCESSING_END', reason: 'interrupted' })
    expect(waitOf(failed, {})).toMatchObject({ forYou: true, words: 'Waiting for you: the turn was interrupted' })
    expect(waitOf(failed, { [SESSION]: failed.cursor })).toBe(null)
    expect(waitOf(stateOf({ kind: 'PROCESSING_END', reason: 'completed' }), {})).toBe(null)
  })
})
