import { describe, expect, test } from 'vitest'
import type { AskedToShow, Hello } from '../../../../shared/api/app.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import type { SessionSummary } from '../../../../shared/api/sessions.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { Desk } from '../../../../renderer/state/desk.ts'
import { showAsked, startDesk } from '../../../../renderer/state/commands/start-desk.ts'
import { otherSide, when } from '../support/other-side.ts'
import { sessionIdOf, sessionSummary } from '../../../support/session-summary.ts'

const HELLO: Hello = {
  version: '0',
  shell: 'browser',
  platform: 'linux',
  home: '/home/ada',
  capabilities: { folderDialog: false, notifications: false, reveal: false },
  dataFolder: '/data',
  openFolder: null,
}
const id = sessionIdOf
const session = (name: string, cursor: number, more: Partial<SessionSummary> = {}): SessionSummary =>
  sessionSummary(name, { cursor, steps: 1, ...more })

/** Starts a window that finds these sessions. Resolves when it has decided what to show. */
async function shownFirst(
  sessions: readonly SessionSummary[],
  remembered: SessionId | null = null,
  openFolder: string | null = null,
  asked: AskedToShow | null = null,
  unreadable: Trouble | null = null,
) {
  const inspected: string[] = []
  const side = otherSide({
    app: { hello: () => ({ ...HELLO, openFolder }), health: async function* () {} },
    settings: { watch: async function* () {} },
    sessions: {
      list: async function* () {
        yield { kind: 'all', sessions, unreadable }
      },
      seen: async function* () {},
      see: () => ({ ok: true }),
    },
    workspace: {
      inspect: ({ folder }) => {
        inspected.push(folder)
        return { ok: true, facts: { folder, name: 'code', trust: 'unasked', wouldLoad: [], changed: [], configuration: null } }
      },
    },
  })
  const desk = new Desk(side.open, { own: null, shared: null })
  desk.view.setState({ sessionId: remembered })
  startDesk(desk)
  const shown = asked && showAsked(desk, asked)
  await Promise.all([when(desk.app, ({ hello }) => hello !== null), when(desk.list, ({ known }) => known)])
  if (openFolder !== null) await when(desk.view, ({ opening }) => opening !== null)
  await shown
  const { sessionId, overlay, opening } = desk.view.getState()
  desk.connection.dispose()
  const notice = desk.notice.getState().trouble?.code ?? null
  return { sessionId, overlay: overlay?.kind ?? null, opening: opening?.folder ?? null, inspected, ...(notice && { notice }) }
}

const SESSIONS = [session('old', 1), session('newest', 9), session('needs', 5, { run: 'AWAITING_INPUT', need: 'A command' })]

describe('what a window shows first', () => {
  test('is what it showed before a reload', async () => {
    expect(await shownFirst(SESSIONS, id('old'))).toEqual({ sessionId: id('old'), overlay: null, opening: null, inspected: [] })
  })

  test('if the address names no session, is the session that needs attention, else the last used session, else the start page', async () => {
    expect((await shownFirst(SESSIONS)).sessionId).toBe(id('needs'))
    expect((await shownFirst(SESSIONS.slice(0, 2))).sessionId).toBe(id('newest'))
    expect((await shownFirst([])).sessionId).toBe(null)
  })

  test('is never a session from another data folder', async () => {
    expect((await shownFirst(SESSIONS.slice(0, 1), id('elsewhere'))).sessionId).toBe(id('old'))
  })

  test('is the folder from the command line, with the trust question as a page', async () => {
    expect(await shownFirst(SESSIONS, null, '/code')).toEqual({ sessionId: null, overlay: null, opening: '/code', inspected: ['/code'] })
  })

  test.each<[string, AskedToShow, object]>([
    [
      'a session, instead of the one that the window showed last',
      { kind: 'session', sessionId: id('old'), wasShown: false },
      { sessionId: id('old'), overlay: null },
    ],
    ['a folder, with the trust question', { kind: 'folder', folder: '/code' }, { overlay: 'trust', inspected: ['/code'] }],
    ['a command of the menu', { kind: 'command', command: 'keys' }, { overlay: 'keys' }],
    [
      'an unknown session, with a notice and an unchanged screen',
      { kind: 'session', sessionId: id('gone'), wasShown: false },
      { sessionId: id('newest'), notice: 'no_such_session' },
    ],
    [
      'an invalid session id, with the same notice',
      { kind: 'session', sessionId: '../x', wasShown: false },
      { sessionId: id('newest'), notice: 'no_such_session' },
    ],
  ])('can come from a link, a notification or a second launch: %s', async (_, asked, seen) => {
    expect(await shownFirst(SESSIONS.slice(0, 2), id('newest'), null, asked)).toMatchObject(seen)
  })

  test('is another session, without a notice, if the session that the window showed last time is gone', async () => {
    const asked: AskedToShow = { kind: 'session', sessionId: id('gone'), wasShown: true }
    const shown = await shownFirst(SESSIONS.slice(0, 2), null, null, asked)
    expect(shown.sessionId).not.toBe(null)
    expect(shown).not.toHaveProperty('notice')
  })

  test('is a notice with the reason if a link asks for a session but the history cannot be read', async () => {
    const trouble = { code: 'storage_locked', what: 'It is locked.', kept: 'All of it.', todo: 'Close the other program.' }
    const asked = { kind: 'session', sessionId: id('stored'), wasShown: false } as const
    expect(await shownFirst([], null, null, asked, trouble)).toMatchObject({ sessionId: null, notice: 'storage_locked' })
  })
})
