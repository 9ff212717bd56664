import { type ReactNode, useRef } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Item } from '../../../shared/session/state.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'
import { modeHint } from '../../ui/session-options.ts'
import { isBesideFolder } from '../../state/commands/layer-actions.ts'
import { useDesk, useSession, useView } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { counted } from '../../ui/format.ts'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import { Ledger } from '../../ui/ledger/ledger.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { KeepScrollPosition } from './keep-scroll-position.tsx'
import { Rows } from './ledger-rows.tsx'
import { LedgerSession } from './ledger-session.ts'
import styles from './ledger.module.css'
import { RehearsalEnd, ResetEntry, UndoTurnOffer } from './entries/closing-entries.tsx'
import { SpokenAnswer } from './markdown/spoken-answer.tsx'
import { useFollowEnd } from './use-follow-end.ts'
import { useGoToEntry } from './use-go-to-entry.ts'
import { WaitLine } from './entries/wait-line.tsx'

const NO_ITEMS: readonly Item[] = []

export interface LedgerViewProps {
  readonly sessionId: SessionId
  readonly title: string
  /** True for a second ledger beside the main one. A second ledger is not announced to screen readers. */
  readonly within?: boolean | undefined
  /** True in a replay: the ledger has no action buttons, shows no pending requests, and is not announced. */
  readonly recorded?: boolean | undefined
}

/** The ledger of one session. It follows new entries while its end is in view. */
export function LedgerView({ sessionId, title, within = false, recorded = false }: LedgerViewProps): ReactNode {
  const desk = useDesk()
  const isOfPair = useView((view) => view.pair !== null)
  const { store } = desk.session(sessionId)
  const isMissing = useStore(store, (open) => open.isMissing)
  const isOpen = useStore(store, (open) => open.session !== null)
  const items = useSession(sessionId, (session) => session.items, NO_ITEMS)
  const firstItem = useSession(sessionId, (session) => session.firstItem, 0)
  const scroll = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const entries = useRef<HTMLOListElement>(null)
  const { missed, onScroll, toEnd, leave } = useFollowEnd({
    scroll,
    content,
    total: firstItem + items.length,
    onTop: () => void desk.session(sessionId).loadOlder(),
    onFarFromTop: () => desk.session(sessionId).dropOlder(),
  })
  useGoToEntry({ sessionId, items, firstItem, entries, leave })
  if (isMissing) return <Missing sessionId={sessionId} />
  return (
    <LedgerSession value={sessionId}>
      <div className={styles.host}>
        <PaneScroll label={within ? `Steps of the ${title}` : isOfPair ? `Ledger, ${title}` : 'Ledger'} ref={scroll} onScroll={onScroll}>
          <div ref={content} className={styles.content}>
            <Ledger label={`Ledger of ${title}`} ref={entries} className={styles.entries}>
              {firstItem > 0 && !recorded && <OlderEntry sessionId={sessionId} count={firstItem} />}
              {isOpen && items.length === 0 && <FirstLine sessionId={sessionId} />}
              <KeepScrollPosition scroll={scroll} entries={entries} firstItem={firstItem}>
                <Rows sessionId={sessionId} items={items} firstItem={firstItem} />
              </KeepScrollPosition>
              {!within && !recorded && <UndoTurnOffer sessionId={sessionId} />}
              {!recorded && <RehearsalEnd sessionId={sessionId} />}
              <ResetEntry sessionId={sessionId} />
              {!recorded && <WaitLine sessionId={sessionId} />}
            </Ledger>
          </div>
        </PaneScroll>
        {missed > 0 && (
          <Button small className={styles.follow} onPress={toEnd}>
            {counted(missed, 'new step')}
          </Button>
        )}
        {!within && !recorded && <SpokenAnswer sessionId={sessionId} />}
      </div>
    </LedgerSession>
  )
}

function OlderEntry({ sessionId, count }: { readonly sessionId: SessionId; readonly count: number }): ReactNode {
  const desk = useDesk()
  const isLoading = useStore(desk.session(sessionId).store, (open) => open.loadingOlder)
  return (
    <EntryRow
      mark="note"
      line={<span className="dim">{counted(count, 'older entry', 'older entries')} above</span>}
      effect={
        <Button variant="quiet" small busy={isLoading} busyWord="Loading" onPress={() => void desk.session(sessionId).loadOlder()}>
          Load them
        </Button>
      }
    />
  )
}

const IN_LAYER =
  'Edits and commands change only a layer over the folder, without asking. The folder changes only when you bring work in and sign it.'
const IN_CLONE =
  'Edits go to a clone of the folder without asking. Commands run in the clone and ask first, because this machine has no sandbox. The folder changes only when you bring work in and sign it.'

/** The text of an empty ledger: the folder and what the mode allows. */
function FirstLine({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const cwd = useSession(sessionId, (session) => session.cwd, '')
  const mode = useSession(sessionId, (session) => session.config.mode, 'ask')
  const isBeside = useSession(sessionId, ({ config }) => isBesideFolder(config), false)
  const sandbox = useSandbox(cwd)
  const inLayer = sandbox?.kind === 'absent' ? IN_CLONE : IN_LAYER
  const hint = isBeside ? inLayer : sandbox && modeHint(mode, sandbox.kind === 'present')
  return (
    <EntryRow shape="prose" mark="note">
      <p className="soft">
        Nothing has happened yet. Write below what should be done {isBeside ? 'beside' : 'in'} <span className="path">{cwd}</span>. {hint}
      </p>
    </EntryRow>
  )
}

function Missing({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const why = useStore(desk.session(sessionId).store, (open) => open.resetWhy)
  return (
    <div className={styles.host}>
      <PaneScroll label="Ledger" padded>
        <EmptyState action={<Button onPress={() => desk.view.setState({ sessionId: null })}>Go to the start page</Button>}>
          {why ?? 'This session is not in this data folder.'} Choose a session on the left, or start a new one.
        </EmptyState>
      </PaneScroll>
    </div>
  )
}
