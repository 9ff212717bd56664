import { describe, expect, test } from 'vitest'
import type { Hello } from '../../../shared/api/app.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { Desk } from '../../../renderer/state/desk.ts'
import { startDesk } from '../../../renderer/state/start.ts'
import { otherSide, when } from './support/other-side.ts'

const HELLO: Hello = {
  version: '0',
  shell: 'browser',
  platform: 'linux',
  home: '/home/ada',
  capabilities: { folderDialog: false, notifications: false, reveal: false, keychain: false },
  dataFolder: '/data',
  openFolder: null,
}
const id = (name: string): SessionId => `ses_${name}` as SessionId
const session = (name: string, cursor: number, more: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId: id(name),
  title: name,
  folder: '/code',
  config: { provider: 'anthropic', model: 'm', mode: 'ask', effort: null, baseUrl: null },
  parent: null,
  run: 'IDLE',
  ended: 'completed',
  need: null,
  turnEnd: 0,
  asks: false,
  steps: 1,
  spent: null,
  startedAt: 0,
  updatedAt: 0,
  cursor,
  running: false,
  ...more,
})

/** A window that starts beside these sessions; ends when it has decided what to show. */
async function shownFirst(sessions: readonly SessionSummary[], remembered: SessionId | null = null, openFolder: string | null = null) {
  const inspected: string[] = []
  const side = otherSide({
    app: { hello: () => ({ ...HELLO, openFolder }), health: async function* () {} },
    settings: { watch: async function* () {} },
    sessions: {
      list: async function* () {
        yield { kind: 'all', sessions }
      },
      seen: async function* () {},
      see: () => ({ ok: true }),
    },
    workspace: {
      inspect: ({ folder }) => {
        inspected.push(folder)
        return { ok: true, facts: { folder, name: 'code', trust: 'unasked', wouldLoad: [] } }
      },
    },
  })
  const desk = new Desk(side.open, { own: null, shared: null })
  desk.view.setState({ sessionId: remembered })
  startDesk(desk)
  await Promise.all([when(desk.app, ({ hello }) => hello !== null), when(desk.list, ({ known }) => known)])
  if (openFolder !== null) await when(desk.view, ({ opening }) => opening !== null)
  const { sessionId, overlay, opening } = desk.view.getState()
  desk.connection.dispose()
  return { sessionId, overlay: overlay?.kind ?? null, opening: opening?.folder ?? null, inspected }
}

const SESSIONS = [session('old', 1), session('newest', 9), session('needs', 5, { run: 'AWAITING_INPUT', need: 'A command' })]

describe('what a window shows first', () => {
  test('is what it showed before its reload', async () => {
    expect(await shownFirst(SESSIONS, id('old'))).toEqual({ sessionId: id('old'), overlay: null, opening: null, inspected: [] })
  })

  test('else the session that needs its person, else the one worked in last, else the start page', async () => {
    expect((await shownFirst(SESSIONS)).sessionId).toBe(id('needs'))
    expect((await shownFirst(SESSIONS.slice(0, 2))).sessionId).toBe(id('newest'))
    expect((await shownFirst([])).sessionId).toBe(null)
  })

  test('is never a session of another data folder', async () => {
    expect((await shownFirst(SESSIONS.slice(0, 1), id('elsewhere'))).sessionId).toBe(id('old'))
  })

  test('is the folder of the command line, with the question of trust as a page and not over one', async () => {
    expect(await shownFirst(SESSIONS, null, '/code')).toEqual({ sessionId: null, overlay: null, opening: '/code', inspected: ['/code'] })
  })
})
