import { describe, expect, it, onTestFinished } from 'vitest'
import { createHistorySearch } from '../../main/history/history-search.ts'
import { REPLAY_ITEMS } from '../../shared/api/replay.ts'
import type { ApprovalId, SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { AnyEnvelope, DurableEvent } from '../../shared/session/events.ts'
import { NO_LEASE } from '../../shared/session/settings/budget-lease.ts'
import { emptySession, foldAll } from '../../shared/session/fold/fold.ts'
import { callEnd, CONFIG, input, opened } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

const called = (id: string): DurableEvent => ({
  kind: 'TOOL_CALL_START',
  toolCallId: id as ToolCallId,
  toolName: 'shell',
  args: { command: `echo ${id}` },
})
const asked = (id: string): DurableEvent => ({
  kind: 'APPROVAL_REQUESTED',
  approvalId: `a_${id}` as ApprovalId,
  toolCallId: id as ToolCallId,
  toolName: 'shell',
  effects: [],
  hash: 'h',
  reason: 'It runs.',
  destructive: false,
})
const answered = (id: string, kind: 'signed' | 'refused'): DurableEvent => ({
  kind: 'APPROVAL_ANSWERED',
  approvalId: `a_${id}` as ApprovalId,
  toolCallId: id as ToolCallId,
  answer: kind === 'signed' ? { kind } : { kind, note: null, by: 'person' },
})
const began = (id: string): DurableEvent => ({
  kind: 'TOOL_EXECUTION_START',
  toolCallId: id as ToolCallId,
  effects: [],
  signedBy: { kind: 'person' },
})

/** Stores a session whose events are one second apart. */
async function recorded(...events: readonly DurableEvent[]) {
  const folder = tempFolder()
  let now = 1_000_000
  const store = await opened(folder, { now: () => (now += 1_000) })
  const sessionId: SessionId = store.sessions.create({ cwd: '/w/a', ...CONFIG })
  for (const event of events) store.log(sessionId).append(event)
  const replay = createHistorySearch(folder)
  onTestFinished(() => replay.close())
  const stored: readonly AnyEnvelope[] = [...store.log(sessionId).read()]
  const moment = async (seq: number) => {
    const found = await replay.moment(sessionId, seq)
    if (!found.ok) throw new Error(found.failure.what)
    return found.value
  }
  return { store, sessionId, replay, stored, moment }
}

describe('replay of a stored session', () => {
  it('shows at each event exactly what the live session showed, whatever the order in which events are visited', async () => {
    const steps = Array.from({ length: 400 }, (_, index) => [called(`c${index}`), callEnd(`c${index}` as ToolCallId, `out ${index}`)])
    const { sessionId, stored, moment } = await recorded(input('Go'), ...steps.flat())
    const picked = [stored.length - 1, 0, 3, 799, 500, 501, 499, 2]
    for (const index of picked) {
      const { seq } = stored[index] as { readonly seq: number }
      const live = foldAll(emptySession(sessionId), stored.slice(0, index + 1))
      const { state } = await moment(seq)
      expect(state).toEqual({
        ...live,
        firstItem: Math.max(0, live.items.length - REPLAY_ITEMS),
        items: live.items.slice(-REPLAY_ITEMS),
      })
    }
  })

  it('contains only the end of a long output, to limit its size', async () => {
    const { stored, moment } = await recorded(input('Go'), called('c1'), callEnd('c1' as ToolCallId, `${'x'.repeat(60_000)}the end`))
    const { state } = await moment(stored.at(-1)?.seq ?? 0)
    const call = state.items.find((item) => item.kind === 'call')
    expect(call?.output).toHaveLength(4_000)
    expect(call?.output).toMatch(/^…x+the end$/u)
  })

  it('has stops at messages, requests, answers and ends of calls, and says what each turn waited for', async () => {
    const { sessionId, replay } = await recorded(
      input('First\nwith a second line'),
      called('c1'),
      asked('c1'),
      answered('c1', 'signed'),
      began('c1'),
      callEnd('c1' as ToolCallId, 'out'),
      input('Second'),
      called('c2'),
      asked('c2'),
      answered('c2', 'refused'),
    )
    const found = await replay.outline(sessionId)
    if (!found.ok) throw new Error(found.failure.what)
    const { stops, turns, readable, events } = found.value
    expect(stops.map(({ kind, step }) => `${kind} ${step}`)).toEqual([
      'you 0',
      'asks 1',
      'signed 1',
      'done 1',
      'you 1',
      'asks 2',
      'refused 2',
    ])
    expect(turns).toMatchObject([
      { title: 'First\nwith a second line', stepsBefore: 0, stepsAfter: 1, answers: 1, personMs: 1_000, commandMs: 1_000, modelMs: 3_000 },
      { title: 'Second', stepsBefore: 1, stepsAfter: 2, answers: 1, personMs: 1_000, commandMs: 0 },
    ])
    expect(readable).toBe(events)
  })

  it('counts a command in a copy as a step, but leaves out the time between the end of a turn and an undo or a resumption', async () => {
    const copied = { toolCallId: 'c1' as ToolCallId, effects: [] }
    const outcome = { changeSet: null, result: null, tail: '', exitCode: 0, durationMs: 0, blocked: [], leftOut: [], dropped: null }
    const ended: DurableEvent = { kind: 'PROCESSING_END', reason: 'error' }
    const { sessionId, replay } = await recorded(
      input('Go'),
      called('c1'),
      { kind: 'COPY_STARTED', ...copied } as const,
      asked('c1'),
      answered('c1', 'signed'),
      { kind: 'COPY_ENDED', ...copied, ...outcome } as const,
      callEnd('c1' as ToolCallId, 'out'),
      ended,
      { kind: 'SESSION_RENAMED', name: 'Idle' } as const,
      { kind: 'RESUME_REQUESTED' } as const,
      ended,
    )
    const found = await replay.outline(sessionId)
    if (!found.ok) throw new Error(found.failure.what)
    // The turn ran for 7 s before its first end and for 1 s after it was resumed. The command ran in its copy for 3 s, 1 s of which it
    // spent waiting for the answer.
    expect(found.value.turns).toMatchObject([{ tookMs: 8_000, personMs: 1_000, commandMs: 2_000, modelMs: 5_000 }])
  })

  it('says at which events each subagent, even a nested one, began to work, waited and ended', async () => {
    const { store, sessionId, replay } = await recorded(input('Go'))
    const link = { toolCallId: 'p1' as ToolCallId, agentType: 'explore', depth: 1, readsOnly: true, lease: NO_LEASE }
    const child = store.sessions.create({ cwd: '/w/a', ...CONFIG, parent: { ...link, sessionId } })
    const grandchild = store.sessions.create({ cwd: '/w/a', ...CONFIG, parent: { ...link, depth: 2, sessionId: child } })
    store.sessions.create({ cwd: '/w/a', ...CONFIG })
    const seqs = [
      input('Look'),
      called('c1'),
      asked('c1'),
      answered('c1', 'signed'),
      { kind: 'PROCESSING_END', reason: 'completed' } as const,
    ].map((event) => store.log(child).append(event).at(-1)?.seq ?? 0)
    const found = await replay.outline(sessionId)
    const agents = found.ok ? found.value.agents : []
    expect(agents.map((agent) => agent.sessionId)).toEqual([child, grandchild])
    const later = agents[0]?.moments.filter(({ seq }) => seq >= (seqs[0] ?? 0)) ?? []
    expect(later.map(({ seq, run, ended, need }) => [seqs.indexOf(seq), run, ended, need])).toEqual([
      [0, 'PROCESSING', null, null],
      [2, 'AWAITING_INPUT', null, 'A step to sign'],
      [3, 'PROCESSING', null, null],
      [4, 'IDLE', 'completed', null],
    ])
  })

  it('fails with the reason if there is no stored history', async () => {
    const replay = createHistorySearch(null)
    expect(await replay.outline('s_x' as SessionId)).toMatchObject({ ok: false, failure: { code: 'history_in_memory' } })
  })
})
