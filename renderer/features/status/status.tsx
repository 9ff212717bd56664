import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showSettings, showTab } from '../../state/commands/actions.ts'
import { useDesk, useSession, useView } from '../../state/desk-context.ts'
import { agentName, isAgent, whoAsks } from '../../state/views/session-families.ts'
import { nextTryWords, useLostPlace } from '../../state/views/lost-place.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'
import { inBackground } from '../../state/stores/terminals/command-terminals.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { StatusItem, StatusStrip } from '../../ui/frame/status-strip.tsx'
import { counted, capital, counting } from '../../ui/format.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { SECTIONS } from '../../ui/settings-sections.ts'
import { Gauge } from '../../ui/marks/gauge.tsx'
import styles from './status.module.css'
import { McpServersItem } from './mcp-servers-item.tsx'
import { PortsItem } from './ports-item.tsx'
import { StorageQuotaItem } from './storage-quota-item.tsx'
import { StorageLight } from './storage-light.tsx'
import { UsageItems } from './usage-items.tsx'
import { type Wait, waitOf } from './session-wait.ts'

/** The strip at the bottom: connection, what the session waits for, context and cost. */
export function Status(): ReactNode {
  const { sessionId, page } = useView((view) => ({ sessionId: view.sessionId, page: view.page }))
  // The settings page belongs to no session and only shows what the open session waits for.
  const own = page === 'settings' ? null : sessionId
  return (
    <StatusStrip
      start={
        <>
          <ConnectionItem />
          <StorageItem />
          <StorageLight />
          {page !== 'settings' && <SystemItems />}
          {page !== 'settings' && <UpdateItem />}
          {page !== 'settings' && <McpServersItem sessionId={sessionId} />}
          <StorageQuotaItem />
          {own && <LostPlaceItem sessionId={own} />}
          {own && <SandboxItem sessionId={own} />}
          {own && <ModeItem sessionId={own} />}
          {sessionId && <WaitItem sessionId={sessionId} />}
          {own && <BackgroundItem sessionId={own} />}
          {own && <PortsItem sessionId={own} />}
        </>
      }
      end={own ? <UsageItems sessionId={own} /> : <KeysItem />}
    />
  )
}

function ConnectionItem(): ReactNode {
  const desk = useDesk()
  const state = useStore(desk.connection.state)
  switch (state.kind) {
    case 'open':
      return null
    case 'connecting':
      return <StatusItem>Connecting</StatusItem>
    case 'signed_out':
      return <StatusItem tone="failed">Not connected</StatusItem>
    case 'lost':
      return (
        <StatusItem tone="failed">
          Connection lost <SinceItem since={state.sinceMs} />
        </StatusItem>
      )
  }
}

function SinceItem({ since }: { readonly since: number }): ReactNode {
  return <span className="num">{counting(useElapsed(since))}</span>
}

function LostPlaceItem({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const lost = useLostPlace(sessionId)
  const elapsed = useElapsed(lost?.since ?? null)
  return lost && <StatusItem tone="failed">{`No connection to ${lost.name}, ${nextTryWords(lost, elapsed)}`}</StatusItem>
}

function StorageItem(): ReactNode {
  const trouble = useStore(useDesk().app, (app) => app.health?.trouble ?? null)
  if (!trouble) return null
  return (
    <StatusItem tone="failed">
      <span data-tip={`${trouble.what} ${trouble.kept} ${trouble.todo}`}>Not being saved</span>
    </StatusItem>
  )
}

/** Problems with the operating system. A click opens the section of the settings that explains them. */
function SystemItems(): ReactNode {
  const desk = useDesk()
  const troubles = useStore(desk.system, (system) => system.troubles)
  return troubles.map(({ code, title, what }) => (
    <StatusItem key={code} tone="needs">
      <button
        type="button"
        className={styles.way}
        data-tip={`${what} Click to see what to do.`}
        onClick={() => showSettings(desk, SECTIONS.computer.id)}
      >
        {title}
      </button>
    </StatusItem>
  ))
}

/** Says that a new version is available or ready to install. A click opens its settings. */
function UpdateItem(): ReactNode {
  const desk = useDesk()
  const state = useStore(desk.updates, (updates) => updates.state)
  if (state?.kind !== 'ready' && state?.kind !== 'found') return null
  const tip = state.kind === 'ready' ? 'It is installed when Countersign quits.' : 'Click to see how it is installed.'
  return (
    <StatusItem>
      <button type="button" className={styles.way} data-tip={tip} onClick={() => showSettings(desk, SECTIONS.about.id)}>
        Version {state.version} {state.kind === 'ready' ? 'is ready' : 'is available'}
      </button>
    </StatusItem>
  )
}

function ModeItem({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const mode = useSession(sessionId, (session) => session.config.mode, null)
  const where = useSession(sessionId, (session) => session.config.where?.kind ?? null, null)
  const folder = useSession(sessionId, (session) => session.cwd, '')
  if (where === 'beside')
    return (
      <StatusItem>
        <span data-tip="Nothing from this session is in the folder until you bring it in.">Writes beside {nameOf(folder)}</span>
      </StatusItem>
    )
  if (where === 'clone')
    return (
      <StatusItem>
        <span data-tip="Nothing from this session is in the folder of this computer until you bring it in.">Writes in a clone</span>
      </StatusItem>
    )
  if (where === 'bring-in') return null
  if (mode === 'full')
    return (
      <StatusItem tone="needs">
        <span data-tip="Commands run in your folder without asking, with your rights. Choose another mode to end this.">
          Full mode: runs without asking
        </span>
      </StatusItem>
    )
  return mode && <StatusItem optional>{capital(mode)} mode</StatusItem>
}

/** Whether commands run in a copy first. If no copy is possible, the tooltip gives the reason and says what to do. */
function SandboxItem({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const folder = useSession(sessionId, (session) => session.cwd, '')
  const mode = useSession(sessionId, (session) => session.config.mode, null)
  const sandbox = useSandbox(folder)
  if (sandbox === null || mode === 'full') return null
  if (sandbox.kind === 'present') return <StatusItem optional>Sandbox on</StatusItem>
  const words = sandbox.kind === 'off' ? 'This run was started with --sandbox off.' : `${sandbox.reason} ${sandbox.wayOut}`
  return (
    <StatusItem>
      <span data-tip={`Commands run directly in the folder, so each is approved before it runs. ${words}`}>No sandbox</span>
    </StatusItem>
  )
}

function WaitItem({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const dismissed = useView((view) => view.dismissed)
  const own = useSession(sessionId, (session) => waitOf(session, dismissed), null)
  const wait = useAskingAgent(sessionId) ?? own
  const elapsed = useElapsed(wait?.sinceMs ?? null)
  if (!wait) return null
  const { forYou, words, what, end, sinceMs, untilMs, down = false } = wait
  const limit = untilMs === null ? null : untilMs - sinceMs
  return (
    <StatusItem tone={forYou ? 'needs' : 'plain'}>
      {words}
      {what !== null && <span className={styles.what}>{what}</span>}
      {end}
      <span className="num">
        {counting(down && limit !== null ? Math.max(0, limit - elapsed) + 999 : elapsed)}
        {limit !== null && !down && ` of ${counting(limit)}`}
      </span>
      {limit !== null && <Gauge label={`Time limit of ${what ?? 'the wait'}`} ratio={elapsed / limit} />}
    </StatusItem>
  )
}

/** The number of background commands. A click opens the Terminal tab. */
function BackgroundItem({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const count = useStore(desk.commandTerminals, (terminals) => inBackground(terminals, sessionId))
  if (count === 0) return null
  return (
    <StatusItem>
      <button
        type="button"
        className={styles.way}
        data-tip="Shows them in the Terminal tab, where you can stop each one. They are stopped when Countersign closes."
        onClick={() => showTab(desk, 'terminal')}
      >
        {counted(count, 'background command')}
      </button>
    </StatusItem>
  )
}

/** Shown without a session: says that nothing can be sent while no provider has a key. */
function KeysItem(): ReactNode {
  const settings = useStore(useDesk().settings, (state) => state.settings)
  if (!settings) return null
  const hasKey = settings.providers.some(
    ({ key, baseUrl }) => key === 'set' || key === 'pending' || (key === 'optional' && baseUrl !== null),
  )
  return hasKey ? null : <StatusItem>Nothing leaves this computer until you add a key</StatusItem>
}

/** The wait to show if a subagent of this session needs a signature, or the work of its third-party agent does. Null if none does. */
function useAskingAgent(sessionId: SessionId): Wait | null {
  return useStore(
    useDesk().list,
    useShallow(({ sessions }) => {
      const asks = whoAsks(sessions, sessionId)
      if (!asks || asks.sessionId === sessionId) return null
      if (!isAgent(asks)) return { forYou: true, words: 'Waiting for you', what: null, sinceMs: asks.updatedAt, untilMs: null }
      return { forYou: true, words: 'Waiting for you:', what: `${agentName(asks)} asks`, sinceMs: asks.updatedAt, untilMs: null }
    }),
  )
}
