import { describe, expect, test } from 'vitest'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { NO_LEASE } from '../../../shared/session/settings/budget-lease.ts'
import { createDrafts } from '../../../renderer/state/stores/drafts/drafts.ts'
import { earlyEndOf } from '../../../renderer/state/views/early-end.ts'
import { attentionOf, needOfSession, sessionsInNeed } from '../../../renderer/state/views/session-needs.ts'
import { groupsOf } from '../../../renderer/features/sessions/session-groups.tsx'
import { groupByProject } from '../../../renderer/state/stores/session-list.ts'
import type { BrowserStorage } from '../../../renderer/state/stores/browser-storage.ts'
import { createViewStore } from '../../../renderer/state/stores/view-store.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import { input, SESSION, stamped, started } from '../../agent/support/events.ts'
import { memoryStorage } from './memory-storage.ts'
import { sessionSummary } from '../../support/session-summary.ts'

const AGENT_LINK = {
  sessionId: 's_parent' as SessionId,
  toolCallId: 'c1' as ToolCallId,
  agentType: 'explore',
  depth: 1,
  readsOnly: true,
  lease: NO_LEASE,
}

const NOTHING_KNOWN = { seen: {}, dismissed: {} }

const FORBIDDEN: BrowserStorage = {
  getItem() {
    throw new Error('forbidden')
  },
  setItem() {
    throw new Error('full')
  },
  removeItem() {
    throw new Error('forbidden')
  },
}

const id = (name: string): SessionId => `ses_${name}` as SessionId

describe('what a window shows', () => {
  test('survives a reload, except for overlays', () => {
    const own = memoryStorage()
    const shared = memoryStorage()
    const before = createViewStore(own, shared)
    before.setState({ page: 'review', sessionId: SESSION, tab: 'terminal', overlay: { kind: 'keys' } })
    before.setState(({ sessions }) => ({ sessions: { ...sessions, width: 300, drawn: true } }))
    expect(createViewStore(own, shared).getState()).toEqual({
      ...before.getState(),
      overlay: null,
      sessions: { shown: true, drawn: false, width: 300 },
    })
  })

  test('is not changed by another window, and a new window starts with what was last shown in any window', () => {
    const one = memoryStorage()
    const other = memoryStorage()
    const shared = memoryStorage()
    createViewStore(one, shared).setState({ sessionId: id('one') })
    createViewStore(other, shared).setState({ sessionId: id('other') })
    expect(createViewStore(one, shared).getState().sessionId).toBe('ses_one')
    expect(createViewStore(memoryStorage(), shared).getState().sessionId).toBe('ses_other')
  })

  test('starts fresh if its saved state cannot be read, and keeps compatible parts from another version', () => {
    const broken = memoryStorage()
    broken.setItem('countersign.view', '{"page":')
    const odd = memoryStorage()
    odd.setItem('countersign.view', '{"page":"atlas","sessionId":7,"tab":"terminal","inspector":{"width":500}}')
    const fresh = createViewStore(null, null).getState()
    expect(createViewStore(broken, null).getState()).toEqual(fresh)
    expect(createViewStore(FORBIDDEN, FORBIDDEN).getState()).toEqual(fresh)
    expect(createViewStore(odd, null).getState()).toEqual({
      ...fresh,
      tab: 'terminal',
      inspector: { shown: true, drawn: false, width: 500 },
    })
  })
})

describe('drafts of messages', () => {
  test('survive a reload, each with its session, and are removed once they are sent', () => {
    const kept = memoryStorage()
    const drafts = createDrafts(kept)
    drafts.set(id('a'), 'half a th')
    drafts.set(id('a'), 'half a thought')
    drafts.set(id('b'), 'another')
    drafts.flush()
    expect([createDrafts(kept).get(id('a')), createDrafts(kept).get(id('b'))]).toEqual(['half a thought', 'another'])
    drafts.set(id('a'), '')
    expect(createDrafts(kept).get(id('a'))).toBe('')
    expect([...kept.values.keys()]).toEqual(['countersign.draft.ses_b'])
  })

  test('of two windows do not overwrite each other', () => {
    const kept = memoryStorage()
    const one = createDrafts(kept)
    const other = createDrafts(kept)
    one.set(id('a'), 'mine')
    other.set(id('b'), 'yours')
    other.flush()
    one.flush()
    expect([createDrafts(kept).get(id('a')), createDrafts(kept).get(id('b'))]).toEqual(['mine', 'yours'])
  })

  test('stay in the window if nothing can be saved', () => {
    const drafts = createDrafts(FORBIDDEN)
    drafts.set(id('a'), 'words')
    drafts.flush()
    expect(drafts.get(id('a'))).toBe('words')
  })
})

const summary = (name: string, more: Partial<SessionSummary> = {}): SessionSummary =>
  sessionSummary(name, { folder: '/code/invoicing', ...more })

describe('the list of sessions', () => {
  test('puts sessions with requests first, then those that ended early and were not dismissed, with the longest wait first in each group', () => {
    const sessions = [
      summary('done', { cursor: 9 }),
      summary('edit', { run: 'AWAITING_INPUT', need: 'A change to 1 file', cursor: 8 }),
      summary('command', { run: 'AWAITING_INPUT', need: 'A command', cursor: 7 }),
      summary('failed', { ended: 'error', cursor: 5 }),
      summary('limit', { ended: 'limit', cursor: 6 }),
      summary('put aside', { ended: 'interrupted', cursor: 4 }),
      summary('stopped', { ended: 'stopped', cursor: 3 }),
    ]
    const known = { seen: {}, dismissed: { [id('put aside')]: 4 } }
    expect(sessionsInNeed(sessions, known).map((one) => [one.title, needOfSession(one, known)])).toEqual([
      ['command', 'A command'],
      ['edit', 'A change to 1 file'],
      ['failed', 'Ended early, nothing lost'],
      ['limit', 'At its limit'],
    ])
    expect(sessionsInNeed(sessions, NOTHING_KNOWN).map(({ title }) => title)).toContain('put aside')
  })

  test('marks a session with a question or a finished turn until the user has seen it', () => {
    const asked = summary('asked', { cursor: 9, turnEnd: 9, asks: true })
    const done = summary('done', { cursor: 8, turnEnd: 7, steps: 0 })
    const told = (seen: Readonly<Record<string, number>>) => attentionOf([done, asked], { seen, dismissed: {} })
    expect(told({})).toEqual({ needs: [id('asked')], unread: [id('done')] })
    expect(told({ [id('asked')]: 8, [id('done')]: 6 })).toEqual({ needs: [id('asked')], unread: [id('done')] })
    expect(told({ [id('asked')]: 9, [id('done')]: 7 })).toEqual({ needs: [], unread: [] })
  })

  test('marks a session whose background command has failed until the user has seen it, even while a turn runs', () => {
    const failedCommand = { seq: 12, words: '“watch” ended in the background, exit 3' }
    const idle = summary('idle', { ended: 'completed', cursor: 12, turnEnd: 9, failedCommand })
    const busy = summary('busy', { run: 'PROCESSING', ended: null, cursor: 12, turnEnd: 9, failedCommand })
    const told = (at: number) => attentionOf([idle, busy], { seen: { [id('idle')]: at, [id('busy')]: at }, dismissed: {} })
    expect(told(9)).toEqual({ needs: [], unread: [id('idle'), id('busy')] })
    expect(told(12)).toEqual({ needs: [], unread: [] })
  })

  test('does not mark a session for a running turn, for a turn that the user stopped, or for a subagent’s turn', () => {
    const news = [
      summary('runs', { run: 'PROCESSING', ended: null, cursor: 9, turnEnd: 5 }),
      summary('stopped', { ended: 'stopped', cursor: 9, turnEnd: 9 }),
      { ...summary('agent', { cursor: 9, turnEnd: 9, asks: true }), parent: AGENT_LINK },
    ]
    expect(attentionOf(news, NOTHING_KNOWN)).toEqual({ needs: [], unread: [] })
  })

  test('does not mark a session again after it is renamed if its last turn was seen', () => {
    const renamed = summary('renamed', { cursor: 12, turnEnd: 9, asks: true })
    expect(attentionOf([renamed], { seen: { [id('renamed')]: 9 }, dismissed: {} })).toEqual({ needs: [], unread: [] })
  })

  test('is sorted by the order of events, even if the clock was set back by a day in between (fault 52)', () => {
    const DAY = 24 * 3_600_000
    const before = summary('before', { ended: 'error', cursor: 5, updatedAt: 9 * DAY })
    const after = summary('after', { ended: 'error', cursor: 8, updatedAt: 8 * DAY })
    expect(groupByProject([before, after])[0]?.sessions.map(({ title }) => title)).toEqual(['after', 'before'])
    expect(sessionsInNeed([after, before], NOTHING_KNOWN).map(({ title }) => title)).toEqual(['before', 'after'])
    // The user dismissed the end at event 8 of this session. The next end, at event 12, is reported again.
    expect(needOfSession({ ...after, cursor: 12 }, { seen: {}, dismissed: { [after.sessionId]: 8 } })).toBe('Ended early, nothing lost')
  })

  test('groups sessions by project and age, and running sessions keep their place while they work', () => {
    const running = { run: 'PROCESSING', running: true } as const
    const sessions = [
      summary('old', { folder: 'C:\\code\\web', cursor: 1 }),
      summary('slow', { ...running, startedAt: 2, cursor: 3 }),
      summary('busy', { ...running, startedAt: 1, cursor: 900 }),
      summary('new', { cursor: 50 }),
      summary('newest', { folder: 'C:\\code\\web', cursor: 60 }),
    ]
    const names = () => groupByProject(sessions).map((group) => [group.name, group.sessions.map(({ title }) => title)])
    expect(names()).toEqual([
      ['invoicing', ['slow', 'busy', 'new']],
      ['web', ['newest', 'old']],
    ])
    sessions[1] = summary('slow', { ...running, startedAt: 2, cursor: 1_000 })
    sessions[2] = summary('busy', { ...running, startedAt: 1, cursor: 2_000 })
    expect(names()[0]).toEqual(['invoicing', ['slow', 'busy', 'new']])
  })

  test('running sessions also keep their place among pinned sessions and when the list is grouped by day', () => {
    const now = new Date(2026, 0, 20, 12).getTime()
    const running = { run: 'PROCESSING', running: true, updatedAt: now } as const
    const sessions = [
      summary('slow', { ...running, startedAt: 2, cursor: 3 }),
      summary('busy', { ...running, startedAt: 1, cursor: 900 }),
      summary('stuck', { run: 'PROCESSING', updatedAt: now - 9 * 24 * 3_600_000, startedAt: 9, cursor: 2 }),
    ]
    const order = (by: 'project' | 'day', pinned: readonly string[]) => {
      const flags = { pinned: new Set(pinned.map(id)), archived: new Set<SessionId>(), forks: new Map(), imported: new Map() }
      return groupsOf(sessions, NOTHING_KNOWN, flags, { by, withArchived: false }, now).flatMap(({ rows }) =>
        rows.map(({ session }) => session.title),
      )
    }
    expect(order('project', ['slow', 'busy'])).toEqual(['slow', 'busy', 'stuck'])
    expect(order('day', [])).toEqual(['slow', 'busy', 'stuck'])
  })
})

describe('an early end of a turn', () => {
  const trouble = { code: 'network', what: 'It broke.', kept: 'All.', todo: 'Again.' }
  const ended = (reason: 'error' | 'completed') =>
    foldAll(emptySession(SESSION), stamped([started(), input('go'), { kind: 'ERROR', error: trouble }, { kind: 'PROCESSING_END', reason }]))

  test('shows the reason until it is dismissed', () => {
    const session = ended('error')
    expect(earlyEndOf(session, {})).toEqual({ ended: 'error', notice: session.items[1] })
    expect(earlyEndOf(session, { [SESSION]: session.cursor })).toBe(null)
  })

  test('keeps its notice when the user chooses another model, which the notice itself may suggest', () => {
    const config = { provider: 'anthropic', model: 'other', mode: 'ask', effort: null, baseUrl: null } as const
    const was = { provider: 'anthropic', model: 'first', effort: null } as const
    const failed = [
      started(),
      input('go'),
      { kind: 'ERROR', error: trouble } as const,
      { kind: 'PROCESSING_END', reason: 'error' } as const,
    ]
    const session = foldAll(emptySession(SESSION), stamped([...failed, { kind: 'SESSION_CONFIGURED', ...config, was }]))
    expect([session.items.length, earlyEndOf(session, {})]).toEqual([3, { ended: 'error', notice: session.items[1] }])
  })

  test('has no notice while a turn runs or after a normal end', () => {
    expect(earlyEndOf(ended('completed'), {})).toBe(null)
    expect(earlyEndOf({ ...ended('error'), run: 'PROCESSING' }, {})).toBe(null)
  })
})
