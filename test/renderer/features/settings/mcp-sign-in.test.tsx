import { expect, test } from 'vitest'
import { createStore } from 'zustand'
import { McpSection } from '../../../../renderer/features/settings/mcp/mcp-section.tsx'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import type { McpServerState, McpState } from '../../../../shared/api/mcp.ts'
import { openPage } from '../../support/open-page.tsx'

const SERVER: McpServerState = {
  folder: '/code',
  name: 'tickets',
  origin: 'you',
  target: 'https://tickets.example/mcp',
  isConfined: null,
  isFree: false,
  changed: [],
  scripts: null,
  status: 'failed',
  failure: null,
  signIn: { kind: 'needed' },
  variables: [],
  tools: [],
  tokens: 0,
  isSearched: false,
  toApprove: null,
  hasChanged: false,
  log: [],
}

test.each([
  ['in a keychain, nothing more', 'keychain', /in your browser\.\s*$/],
  [
    'only in memory, that it ends with the app',
    'memory',
    /There is no key store here, so you are signed out again when Countersign ends\./,
  ],
  [
    'nowhere yet, that the keychain must be unlocked',
    'pending',
    /The keychain of this computer is not open yet\. Unlock it if it asks, so that you stay signed in\./,
  ],
] as const)('whoever has to sign in to an MCP server reads, if keys are kept %s', async (_, keptIn, words) => {
  const { page, show } = openPage()
  const state: McpState = { servers: [SERVER], problems: [], keptIn }
  const desk = {
    mcp: createStore(() => ({ mcp: state })),
    view: createStore(() => ({ sessionId: null })),
    list: createStore(() => ({ sessions: new Map() })),
    app: createStore(() => ({ hello: null })),
  }
  await show(
    <DeskContext value={desk as unknown as Desk}>
      <McpSection />
    </DeskContext>,
  )
  const notice = [...page.querySelectorAll('p')].find(({ textContent }) => textContent?.startsWith('This server needs you to sign in.'))
  expect(notice?.textContent).toMatch(words)
})
