import { describe, expect, test } from 'vitest'
import type { SessionSummary } from '../../../../shared/api/sessions.ts'
import { NO_LEASE } from '../../../../shared/session/settings/budget-lease.ts'
import { familyOf, forkFamily, rootOf, titleInList, titleOfSession, whoAsks } from '../../../../renderer/state/views/session-families.ts'
import { needOfSession, sessionsInNeed } from '../../../../renderer/state/views/session-needs.ts'
import { groupByProject } from '../../../../renderer/state/stores/session-list.ts'
import { sessionIdOf, sessionSummary } from '../../../support/session-summary.ts'

const NOTHING_KNOWN = { seen: {}, dismissed: {} }

const id = sessionIdOf

function session(name: string, of: string | null, more: Partial<SessionSummary> = {}): SessionSummary {
  const link = { toolCallId: 'c1' as never, agentType: 'explore', depth: 1, readsOnly: true, lease: NO_LEASE }
  const parent = of === null ? null : { ...link, sessionId: id(of) }
  return sessionSummary(name, { title: `Title of ${name}`, folder: '/code/invoicing', parent, ...more })
}

const MAIN = session('main', null)
const FIRST = session('first', 'main', { startedAt: 1 })
const BELOW = session('below', 'first', { startedAt: 3, need: 'A command', cursor: 9 })
const SECOND = session('second', 'main', { startedAt: 2, need: 'A change to 1 file', cursor: 8 })
const OTHER = session('other', null)
const known = new Map([SECOND, OTHER, BELOW, MAIN, FIRST].map((one) => [one.sessionId, one]))

test('a request to bring in work is listed under the title of the session whose work it is, and under its own once it is answered', () => {
  const config = { ...MAIN.config, where: { kind: 'bring-in', from: id('main') } } as const
  const asking = session('asking', null, { config, need: 'Codex, turn 3, 2 files' })
  expect(titleInList(known, asking)).toBe('Title of main')
  expect(titleInList(known, { ...asking, need: null })).toBe('Title of asking')
  expect(titleInList(new Map(), asking)).toBe('Title of asking')
  expect(titleInList(known, MAIN)).toBe('Title of main')
})

describe('the subagents of a session', () => {
  test('are listed in start order, each before its own subagents', () => {
    expect(familyOf(known, id('main'))).toEqual([FIRST, BELOW, SECOND])
    expect(familyOf(known, id('first'))).toEqual([BELOW])
    expect(familyOf(known, id('other'))).toEqual([])
  })

  test('belong to the session that the user started, and their titles contain its title', () => {
    expect(rootOf(known, id('below'))).toBe(id('main'))
    expect(rootOf(known, id('main'))).toBe(id('main'))
    expect(titleOfSession(known, BELOW)).toBe('explore agent of Title of main')
    expect(titleOfSession(known, MAIN)).toBe('Title of main')
  })

  test('are not in a project’s list, and need attention only while they wait for a signature', () => {
    expect(groupByProject(known.values()).map(({ sessions }) => sessions)).toEqual([[OTHER, MAIN]])
    expect(sessionsInNeed(known.values(), NOTHING_KNOWN)).toEqual([SECOND, BELOW])
    expect(needOfSession(session('failed', 'main', { ended: 'error', cursor: 1 }), NOTHING_KNOWN)).toBeNull()
    expect(needOfSession(session('failed', null, { ended: 'error', cursor: 1 }), NOTHING_KNOWN)).toBe('Ended early, nothing lost')
  })

  test('show their requests in the tray of the user’s session, after its own requests, longest wait first', () => {
    expect(whoAsks(known, id('main'))).toBe(SECOND)
    expect(whoAsks(known, id('first'))).toBe(BELOW)
    expect(whoAsks(known, id('other'))).toBeNull()
    const asks = session('main', null, { need: 'A command', cursor: 99 })
    expect(whoAsks(new Map(known).set(asks.sessionId, asks), id('main'))).toBe(asks)
  })
})

test('a family of forks looks the same from each of its sessions, with each source before its forks', () => {
  const sessions = new Map(['a', 'b', 'c', 'd', 'other'].map((name, at) => [id(name), session(name, null, { startedAt: at })]))
  const forks = new Map([
    [id('d'), id('a')],
    [id('b'), id('a')],
    [id('c'), id('b')],
  ])
  const shown = (from: string) => forkFamily(sessions, forks, id(from)).map(({ session: { sessionId }, depth }) => [sessionId, depth])
  const family = [
    [id('a'), 0],
    [id('b'), 1],
    [id('c'), 2],
    [id('d'), 1],
  ]
  for (const from of ['a', 'b', 'c', 'd']) expect(shown(from)).toEqual(family)
  expect(shown('other')).toEqual([[id('other'), 0]])
  sessions.delete(id('a'))
  expect(shown('c')).toEqual(family.slice(1))
})
