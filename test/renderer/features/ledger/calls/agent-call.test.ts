import { expect, test } from 'vitest'
import { agentOf, agentWords, resultOf } from '../../../../../renderer/tools/subagents.tsx'
import { markOf } from '../../../../../renderer/ui/calls/call-mark.ts'
import { outcomeOf } from '../../../../../renderer/tools/views.ts'
import { newestCompaction } from '../../../../../renderer/features/ledger/entries/notice-entry.tsx'
import type { SessionSummary } from '../../../../../shared/api/sessions.ts'
import type { SessionId, ToolCallId } from '../../../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../../../shared/session/events.ts'
import { NO_LEASE } from '../../../../../shared/session/settings/budget-lease.ts'
import { emptySession, foldAll } from '../../../../../shared/session/fold/fold.ts'
import type { CallItem } from '../../../../../shared/session/state.ts'
import { begun, ended, input, SESSION, stamped, started } from '../../../../agent/support/events.ts'
import { sessionSummary } from '../../../../support/session-summary.ts'

const CHILD = 's_child' as SessionId

function called(toolName: string, args: NonNullable<CallItem['args']>, output?: string): CallItem {
  const events = [started(), begun('c1', toolName, args), ...(output === undefined ? [] : [ended('c1', output, { toolName })])]
  return foldAll(emptySession(SESSION), stamped(events)).items.find((item): item is CallItem => item.kind === 'call') as CallItem
}

function child(toolCallId: string): SessionSummary {
  const parent = {
    sessionId: SESSION,
    toolCallId: toolCallId as ToolCallId,
    agentType: 'explore',
    depth: 1,
    readsOnly: true,
    lease: NO_LEASE,
  }
  return sessionSummary('child', { sessionId: CHILD, parent, run: 'PROCESSING', ended: null, running: true })
}

test('a step that starts a subagent shows the subagent’s type, and its description or the start of its prompt', () => {
  const prompt = 'Look at the dates.\nAll of them.'
  expect(agentWords(called('task', { agent_type: 'explore', prompt }), null)).toEqual({
    verb: 'Start',
    agent: 'an explore agent',
    about: 'Look at the dates',
  })
  expect(agentWords(called('task', { agent_type: 'code', prompt, description: 'Mend dates' }), null).about).toBe('Mend dates')
  expect(agentWords(called('spawn_agent', { task: prompt }), null).agent).toBe('a code agent')
})

test('a working subagent is found by the step that created it or by its id', () => {
  const sessions = new Map([[CHILD, child('c1')]])
  expect(agentOf(sessions, SESSION, called('task', { agent_type: 'explore', prompt: 'x' }))?.sessionId).toBe(CHILD)
  const told = called('send_input', { agent_id: CHILD, message: 'Faster' })
  expect(agentOf(new Map([[CHILD, child('other')]]), SESSION, told)?.sessionId).toBe(CHILD)
  expect(agentWords(told, agentOf(sessions, SESSION, told)?.parent.agentType ?? null)).toEqual({
    verb: 'Tell',
    agent: 'the explore agent',
    about: 'Faster',
  })
  expect(agentOf(sessions, 's_other' as SessionId, called('task', {}))).toBeNull()
})

test('the subagent’s text is extracted from the result', () => {
  expect(resultOf(called('task', {}, 'Found **it**.'))).toBe('Found **it**.')
  const details = { agentId: CHILD, agentType: null, status: 'completed', turnsUsed: 1, report: 'Found it.' }
  expect(resultOf({ ...called('wait', {}, '{"output":"Found it."}'), details })).toBe('Found it.')
  expect(resultOf({ ...called('spawn_agent', {}, '{"status":"running"}'), details: { ...details, report: null } })).toBe('')
})

test('a failed subagent fails the step that started it, but a subagent stopped by the user does not', () => {
  const shown = (status: 'stopped' | 'failed') => {
    const details = { agentId: CHILD, agentType: 'explore', status, turnsUsed: 1 }
    const events = [
      started(),
      begun('c1', 'task'),
      ended('c1', 'It did not finish.', { toolName: 'task', isError: true, outcome: 'failed', details }),
    ]
    const call = foldAll(emptySession(SESSION), stamped(events)).items.find((item) => item.kind === 'call')
    return call && { mark: markOf(call), outcome: outcomeOf(call) }
  }
  expect(shown('stopped')).toEqual({ mark: 'read', outcome: 'stopped by you' })
  expect(shown('failed')).toEqual({ mark: 'failed', outcome: 'failed' })
})

test('only the newest active compaction can be undone, and after that the compaction before it', () => {
  const compacted: DurableEvent = {
    kind: 'COMPACTED',
    text: 's',
    kept: 2,
    why: 'threshold',
    dropped: 3,
    pinned: 1,
    tokensBefore: 9,
    tokensAfter: 2,
  }
  const undone: DurableEvent = { kind: 'COMPACTION_UNDONE' }
  const newest = (...events: readonly DurableEvent[]): string | null =>
    newestCompaction(foldAll(emptySession(SESSION), stamped([started(), input('Go'), ...events])))
  expect(newest()).toBeNull()
  expect(newest(compacted)).toBe('e3')
  expect(newest(compacted, compacted)).toBe('e4')
  expect(newest(compacted, compacted, undone)).toBe('e3')
  expect(newest(compacted, undone)).toBeNull()
})
