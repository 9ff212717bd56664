import { PanelRight, X } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../shared/lib/ids.ts'
import type { CallItem } from '../shared/session/state.ts'
import { AgentsTab, RecordedAgents } from './features/agents/agents-tab.tsx'
import { BringInPage } from './features/tray/bring-in/bring-in-page.tsx'
import { ChangesPage } from './features/changes/changes-page.tsx'
import { Composer } from './features/composer/composer.tsx'
import { FilesPage } from './features/files/files-page.tsx'
import { FirstRun, FirstRunBesideFolder } from './features/first-run/first-run.tsx'
import { HistoryPage, type HistoryPageProps } from './features/history/history-page.tsx'
import { PlaceDialog } from './features/folder/place-dialog.tsx'
import { FolderDialog } from './features/folder/folder-dialog.tsx'
import { ImportDialog } from './features/import/import-dialog.tsx'
import { INSPECTOR_TABS, InspectorPane } from './features/inspector/inspector-pane.tsx'
import { RecordedRequest } from './features/tray/recorded-request.tsx'
import { QuitDialog } from './features/quit/quit-dialog.tsx'
import { ReplayPage, ReplayPane } from './features/replay/replay-page.tsx'
import type { ReplayParts } from './features/replay/as-it-was.tsx'
import { ChangesTab } from './features/inspector/changes-tab.tsx'
import { PlanTab } from './features/inspector/plan-tab.tsx'
import { AgentCommands } from './features/inspector/agent-commands.tsx'
import { LedgerView } from './features/ledger/ledger-view.tsx'
import { WrittenWords } from './features/ledger/markdown/markdown.tsx'
import { LeftoversNotice } from './features/leftovers/leftovers-notice.tsx'
import { KeysSheet } from './features/palette/keys-sheet.tsx'
import { Palette } from './features/palette/palette.tsx'
import { PictureOverlay } from './features/pictures/picture-overlay.tsx'
import { SessionsRail } from './features/sessions/sessions-rail.tsx'
import { SessionsPane } from './features/sessions/sessions-pane.tsx'
import { SettingsPage } from './features/settings/settings-page.tsx'
import { Status } from './features/status/status.tsx'
import { WaitingFiles } from './features/tray/review/many/waiting-files.tsx'
import { Tray } from './features/tray/tray.tsx'
import { DeleteDialog } from './features/deletion/delete-dialog.tsx'
import { TrustDialog, TrustPage } from './features/trust/trust-dialog.tsx'
import { ConnectionBar, NoticeBar } from './features/work-pane/notice-bars.tsx'
import { BringInFoot } from './features/work-pane/bring-in-foot.tsx'
import { MovedFolderBar } from './features/work-pane/moved-folder-bar.tsx'
import { WorkHead } from './features/work-pane/work-head.tsx'
import { activate } from './state/commands/session-pair.ts'
import { showTab } from './state/commands/actions.ts'
import { fold } from './state/commands/palette-commands.ts'
import { DeskContext, useDesk, useSession, useView } from './state/desk-context.ts'
import type { Desk } from './state/desk.ts'
import { agentName, isAgent } from './state/views/session-families.ts'
import { useAppearance } from './state/hooks/use-appearance.ts'
import { useDeskKeys, usePersonKeys } from './state/hooks/use-desk-keys.ts'
import { usePageFocus } from './state/hooks/use-page-focus.ts'
import { useCloseDrawerOnRequest } from './state/hooks/use-close-drawer-on-request.ts'
import { useComposerAfterTerminal } from './state/hooks/use-composer-after-terminal.ts'
import { useWindowTitle } from './state/hooks/use-window-title.ts'
import type { PaneView } from './state/stores/view-store.ts'
import { Button } from './ui/controls/button.tsx'
import { DeskFrame } from './ui/frame/desk-frame.tsx'
import { Dialog } from './ui/frame/dialogs/overlay.tsx'
import { PairFrame, SessionPane } from './ui/frame/pair-frame.tsx'
import { Pane, PaneHead, PaneScroll } from './ui/frame/panes/pane.tsx'
import { Tabs } from './ui/frame/tabs.tsx'
import { useEscape } from './ui/hooks/use-escape.ts'
import { keyboardPlatform, PersonKeysContext, PlatformContext } from './ui/marks/key-labels.ts'
import { ErrorBoundary } from './ui/notices/error-boundary.tsx'

/** The complete window content: the current page and the overlay above it. */
export function App({ desk }: { readonly desk: Desk }): ReactNode {
  return (
    <DeskContext value={desk}>
      <PlatformContext value={keyboardPlatform()}>
        <PersonKeysContext value={usePersonKeys(desk)}>
          <ErrorBoundary what="The desk">
            <Pages />
            <Overlays />
          </ErrorBoundary>
        </PersonKeysContext>
      </PlatformContext>
    </DeskContext>
  )
}

function Pages(): ReactNode {
  const { page, replayed } = useView((view) => ({ page: view.page, replayed: view.replayed }))
  const neverSignedIn = useNeverSignedIn()
  useAppearance()
  useDeskKeys()
  useWindowTitle()
  usePageFocus()
  if (neverSignedIn) return <SignedOutPage />
  if (page === 'desk' || (page === 'replay' && !replayed)) return <DeskPage />
  return (
    <ErrorBoundary key={page} what="This page" renderNotice={(notice) => <FailedPage>{notice}</FailedPage>}>
      {page === 'settings' && <SettingsPage status={<Status />} />}
      {page === 'history' && <HistoryPage status={<Status />} replayOf={replayBeside} />}
      {page === 'replay' && replayed && <ReplayPage {...replayed} parts={REPLAY_PARTS} status={<Status />} />}
      {page === 'bring-in' && <BringInPage status={<Status />} />}
      {page === 'files' && <FilesPage status={<Status />} />}
      {page === 'review' && <ChangesPage status={<Status />} requestOf={requestOf} />}
    </ErrorBoundary>
  )
}

/** In place of a page that cannot be shown. The desk is one press away. */
function FailedPage({ children }: { readonly children: ReactNode }): ReactNode {
  const desk = useDesk()
  const close = (): void => desk.view.setState({ page: 'desk' })
  useEscape(close)
  return (
    <Pane kind="work" label="This page cannot be shown">
      <PaneHead
        titleBar
        end={
          <Button variant="quiet" small icon={X} keys="Esc" onPress={close}>
            Back to the desk
          </Button>
        }
      />
      {children}
    </Pane>
  )
}

/** Whether this window was opened without a valid address and therefore never connected. */
function useNeverSignedIn(): boolean {
  const desk = useDesk()
  const isSignedOut = useStore(desk.connection.state, ({ kind }) => kind === 'signed_out')
  const hasNoHello = useStore(desk.app, ({ hello }) => hello === null)
  return isSignedOut && hasNoHello
}

/** Shows only the notice that the window is not signed in, because no other control would work. */
function SignedOutPage(): ReactNode {
  return (
    <Pane kind="work" label="Not signed in">
      <PaneHead rank={1} title="Countersign" />
      <ConnectionBar />
    </Pane>
  )
}

function Overlays(): ReactNode {
  if (useNeverSignedIn()) return null
  return (
    <>
      <OpenOverlay />
      <QuitDialog />
    </>
  )
}

/** The overlay. An error in it leaves the desk below as it is, and can be closed. */
function OpenOverlay(): ReactNode {
  const kind = useView((view) => view.overlay?.kind)
  return (
    <ErrorBoundary key={kind} what="This dialog" renderNotice={(notice) => <FailedOverlay>{notice}</FailedOverlay>}>
      <OverlayOfKind />
    </ErrorBoundary>
  )
}

function FailedOverlay({ children }: { readonly children: ReactNode }): ReactNode {
  const desk = useDesk()
  const close = (): void => desk.view.setState({ overlay: null })
  return (
    <Dialog label="This dialog cannot be shown" onClose={close} buttons={<Button onPress={close}>Close</Button>}>
      {children}
    </Dialog>
  )
}

function OverlayOfKind(): ReactNode {
  const overlay = useView((view) => view.overlay)
  switch (overlay?.kind) {
    case 'folder':
      return <FolderDialog />
    case 'place':
      return <PlaceDialog />
    case 'trust':
      return <TrustDialog facts={overlay.facts} opens={overlay.opens} />
    case 'palette':
      return <Palette />
    case 'keys':
      return <KeysSheet />
    case 'delete':
      return <DeleteDialog sessionIds={overlay.sessionIds} />
    case 'import':
      return <ImportDialog />
    case 'picture':
      return <PictureOverlay sessionId={overlay.sessionId} picture={overlay.picture} />
    default:
      return null
  }
}

function DeskPage(): ReactNode {
  const desk = useDesk()
  const { sessions, inspector } = useView((view) => ({ sessions: view.sessions, inspector: view.inspector }))
  const sessionId = useView((view) => view.sessionId)
  const pair = useView((view) => view.pair)
  const setSessions = (change: Partial<PaneView>): void => desk.view.setState((view) => ({ sessions: { ...view.sessions, ...change } }))
  const setInspector = (change: Partial<PaneView>): void => desk.view.setState((view) => ({ inspector: { ...view.inspector, ...change } }))
  const left = useMemo(() => <SessionsPane />, [])
  const rail = useMemo(() => <SessionsRail />, [])
  return (
    <DeskFrame
      sessions={{
        ...sessions,
        pane: left,
        folded: rail,
        onUndraw: () => setSessions({ drawn: false }),
        onWidth: (width) => setSessions({ width }),
      }}
      inspector={
        sessionId && {
          ...inspector,
          pane: <InspectorPane agentsOf={agentsOf} waitingOf={waitingOf} />,
          folded: <InspectorStrip />,
          onUndraw: () => setInspector({ drawn: false }),
          onWidth: (width) => setInspector({ width }),
        }
      }
      status={<Status />}
      isRoomy={pair !== null}
    >
      {pair ? <WorkPair pair={pair} /> : sessionId ? <WorkPane key={sessionId} sessionId={sessionId} /> : <StartPage />}
    </DeskFrame>
  )
}

/** Shown when no session is open: the trust question if a folder was given on the command line, otherwise the ways to start. */
function StartPage(): ReactNode {
  const desk = useDesk()
  const opening = useView((view) => view.opening)
  const isNewcomer = useStore(desk.list, ({ known, sessions }) => known && sessions.size === 0)
  if (opening === null) return <FirstRun notices={<Notices />} />
  return <TrustPage facts={opening} notices={<Notices />} below={isNewcomer ? <FirstRunBesideFolder /> : null} />
}

/** The files of the waiting request, in the Changes tab. */
const waitingOf = (sessionId: SessionId): ReactNode => <WaitingFiles shown={sessionId} />

/** A request in the review, below its diff. */
function requestOf(sessionId: SessionId, { id }: CallItem): ReactNode {
  return (
    <ErrorBoundary what="What needs you">
      <Tray key={id} sessionId={sessionId} only={id} wordsOf={planWords} />
    </ErrorBoundary>
  )
}

/** The tree of a session's agents and the ledger of the selected one. */
function agentsOf(sessionId: SessionId): ReactNode {
  return <AgentsTab sessionId={sessionId} ledgerOf={(agent, title) => <LedgerView sessionId={agent} title={title} within />} />
}

/** The inspector in a narrow window: only its tabs, vertically. */
function InspectorStrip(): ReactNode {
  const desk = useDesk()
  const tab = useView((view) => view.tab)
  return (
    <>
      <Button variant="quiet" only icon={PanelRight} label="Inspector" keys="Mod+Alt+B" onPress={() => fold(desk, 'inspector')} />
      <Tabs
        label="Inspector, folded"
        direction="down"
        tabs={INSPECTOR_TABS}
        selected={tab}
        onSelect={(id) => showTab(desk, id)}
        panelId="inspector-panel"
        echo
      />
    </>
  )
}

/** Two sessions side by side. Keys go to the active one, which was focused or pressed last. */
function WorkPair({ pair }: { readonly pair: readonly [SessionId, SessionId] }): ReactNode {
  const desk = useDesk()
  const current = useView((view) => view.sessionId)
  return (
    <PairFrame label="Two sessions">
      {pair.map((sessionId) => (
        <SessionPane key={sessionId} id={sessionId} isActive={sessionId === current} onEnter={(by) => activate(desk, sessionId, by)}>
          <WorkPane sessionId={sessionId} isOfPair />
        </SessionPane>
      ))}
    </PairFrame>
  )
}

interface WorkPaneProps {
  readonly sessionId: SessionId
  /** Whether it is one of two sessions side by side. */
  readonly isOfPair?: boolean
}

function WorkPane({ sessionId, isOfPair = false }: WorkPaneProps): ReactNode {
  const desk = useDesk()
  // Only the name is selected, so that the pane is not rendered again for each event of a running session.
  const agent = useStore(desk.list, ({ sessions }) => {
    const listed = sessions.get(sessionId)
    return listed && isAgent(listed) ? agentName(listed) : null
  })
  const listedTitle = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.title ?? '')
  const own = useSession(sessionId, (session) => session.title, listedTitle)
  const title = (agent ?? own) || 'New session'
  const from = useSession(sessionId, ({ config: { where } }) => (where?.kind === 'bring-in' ? where.from : null), null)
  useCloseDrawerOnRequest(sessionId)
  useComposerAfterTerminal(sessionId)
  return (
    <Pane kind="work" label={title} isOfPair={isOfPair}>
      <ErrorBoundary what="The head of the session">
        <WorkHead sessionId={sessionId} title={title} />
      </ErrorBoundary>
      <ErrorBoundary what="The line about the folder">
        <MovedFolderBar sessionId={sessionId} />
      </ErrorBoundary>
      <ErrorBoundary what="The ledger" renderNotice={(notice) => <PaneScroll label="The ledger">{notice}</PaneScroll>}>
        <LedgerView sessionId={sessionId} title={title} />
      </ErrorBoundary>
      <Notices />
      <ErrorBoundary what="What needs you">
        <Tray sessionId={sessionId} wordsOf={planWords} />
      </ErrorBoundary>
      <ErrorBoundary what="The message field">
        {from === null ? <Composer sessionId={sessionId} /> : <BringInFoot sessionId={sessionId} from={from} />}
      </ErrorBoundary>
    </Pane>
  )
}

const REPLAY_PARTS: ReplayParts = {
  ledgerOf: (sessionId, title) => <LedgerView sessionId={sessionId} title={title} recorded />,
  requestOf: (sessionId, call) => <RecordedRequest sessionId={sessionId} call={call} wordsOf={planWords} />,
  changesOf: (sessionId) => <ChangesTab sessionId={sessionId} />,
  commandsOf: (sessionId) => <AgentCommands sessionId={sessionId} />,
  planOf: (sessionId) => <PlanTab sessionId={sessionId} />,
  agentsOf: (sessionId) => <RecordedAgents sessionId={sessionId} />,
}

const replayBeside: HistoryPageProps['replayOf'] = ({ sessionId, seq }, onClose) => (
  <ReplayPane key={sessionId} sessionId={sessionId} from={seq} parts={REPLAY_PARTS} onClose={onClose} />
)

const planWords = (text: string): ReactNode => <WrittenWords text={text} />

function Notices(): ReactNode {
  return (
    <ErrorBoundary what="The notices">
      <ConnectionBar />
      <NoticeBar />
      <LeftoversNotice />
    </ErrorBoundary>
  )
}
