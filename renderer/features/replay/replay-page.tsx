import { Download, GitFork, LogIn, Maximize2, X } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AgentHistory, ReplayOutline } from '../../../shared/api/replay.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { needOfCalls } from '../../../shared/session/fold/session-need.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { showEntry, showReplay } from '../../state/commands/actions.ts'
import { isBusy } from '../../state/stores/session-list.ts'
import { type KeyAction, runKey } from '../../state/commands/key-combinations.ts'
import { forkSession } from '../../state/commands/conversation-actions.ts'
import { saveExport } from '../../state/commands/session-actions.ts'
import type { Desk } from '../../state/desk.ts'
import { DeskContext, useDesk, useSession } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { PageFrame, PageNav } from '../../ui/frame/page-frame.tsx'
import { Pane, PaneHead } from '../../ui/frame/panes/pane.tsx'
import { clockTime, counted } from '../../ui/format.ts'
import { useEscape } from '../../ui/hooks/use-escape.ts'
import { RecordedEntries } from '../../ui/ledger/entry-row.tsx'
import { axisClass } from '../../ui/ledger/ledger.tsx'
import { keyboardPlatform } from '../../ui/marks/key-labels.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { replayDesk } from './replay-desk.ts'
import styles from './replay.module.css'
import { ScrubBar } from './scrub-bar.tsx'
import { ReplayTurns } from './replay-turns.tsx'
import { type Player, useReplay } from './use-replay.ts'

/** Parts of other features. They show the session of the desk in the surrounding `DeskContext`. */
export interface ReplayParts {
  readonly ledgerOf: (sessionId: SessionId, title: string) => ReactNode
  readonly requestOf: (sessionId: SessionId, call: CallItem) => ReactNode
  readonly changesOf: (sessionId: SessionId) => ReactNode
  readonly commandsOf: (sessionId: SessionId) => ReactNode
  readonly planOf: (sessionId: SessionId) => ReactNode
  readonly agentsOf: (sessionId: SessionId) => ReactNode
}

export interface ReplayPageProps {
  readonly sessionId: SessionId
  /** The event after which the replay begins. Null for the first moment. */
  readonly from: number | null
  readonly parts: ReplayParts
  readonly status: ReactNode
}

/** Replays a stored session: its ledger, requests, changes, commands and plan at every moment. Works offline and changes nothing. */
export function ReplayPage({ sessionId, from, parts, status }: ReplayPageProps): ReactNode {
  const desk = useDesk()
  const screen = useReplayScreen(sessionId, from)
  const { moves, player } = screen
  const { outline } = player
  const close = (): void => desk.view.setState({ page: 'desk', replayed: null })
  useEscape(close)
  return (
    <PageFrame
      navLabel="Turns"
      nav={
        <PageNav label="Turns" closeWords="Close replay" onClose={close}>
          {outline && moves && <ReplayTurns outline={outline} current={moves.current} onGo={({ seq }) => moves.toSeq(seq)} />}
        </PageNav>
      }
      foot={screen.scrub}
      status={status}
    >
      <Moment sessionId={sessionId} screen={screen} parts={parts} />
    </PageFrame>
  )
}

export interface ReplayPaneProps extends Omit<ReplayPageProps, 'status'> {
  readonly onClose: () => void
}

/** The replay of a session, shown beside a list. It has no list of turns. */
export function ReplayPane({ sessionId, from, parts, onClose }: ReplayPaneProps): ReactNode {
  const screen = useReplayScreen(sessionId, from)
  return (
    <div className={styles.beside}>
      <Moment sessionId={sessionId} screen={screen} parts={parts} onClose={onClose} />
      {screen.scrub}
    </div>
  )
}

interface ReplayScreen {
  readonly player: Player
  /** Null while the session is being read. */
  readonly moves: ReturnType<typeof movesIn> | null
  readonly title: string
  readonly desk: Desk
  /** The read-only desk for the components that show the moment. */
  readonly shown: Desk
  /** The scrub bar. Null while the session is being read, and if there is nothing to replay. */
  readonly scrub: ReactNode
}

function useReplayScreen(sessionId: SessionId, from: number | null): ReplayScreen {
  const desk = useDesk()
  const player = useReplay(sessionId, from)
  const { outline, at, go } = player
  const title = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.title ?? '') || 'Session'
  const listed = useListThen(desk, player)
  const shown = useMemo(() => replayDesk(desk, sessionId, player.store, listed), [desk, sessionId, player.store, listed])
  const field = useRef<HTMLInputElement>(null)
  const moves = outline && movesIn(outline, at, go)
  useReplayKeys([
    { keys: ' ', run: () => player.play(!player.isPlaying) },
    { keys: ',', run: () => go(at - 1) },
    { keys: '.', run: () => go(at + 1) },
    { keys: '[', run: () => moves?.turn(-1) },
    { keys: ']', run: () => moves?.turn(1) },
    { keys: 'G', run: () => field.current?.focus() },
  ])
  const scrub =
    outline && moves && outline.stops.length > 0 ? (
      <ScrubBar player={player} outline={outline} field={field} onTurn={moves.turn} onStep={moves.toStep} />
    ) : null
  return { desk, player, moves, title, shown, scrub }
}

const NO_AGENTS: readonly AgentHistory[] = []

/**
 * The session list at the current stop: the replayed session and the subagents that had started before that moment, each in its state at
 * that moment.
 */
function useListThen(desk: Desk, { outline, at: current, store }: Player): Desk['list'] {
  const agents = outline?.agents ?? NO_AGENTS
  const stop = outline?.stops[current]
  const then = useStore(store, ({ session }) => session)
  const [list] = useState(() => createStore(() => desk.list.getState()))
  const now = useStore(desk.list)
  useLayoutEffect(() => {
    const sessions = new Map(now.sessions)
    for (const { sessionId, moments } of agents) {
      const session = now.sessions.get(sessionId)
      const moment = moments.findLast(({ seq }) => stop !== undefined && seq <= stop.seq)
      if (!session || !stop || !moment) {
        sessions.delete(sessionId)
        continue
      }
      const { seq: _seq, at, ...facts } = moment
      sessions.set(sessionId, { ...session, ...facts, running: true, updatedAt: isBusy({ ...session, ...facts }) ? stop.at : at })
    }
    const root = then && sessions.get(then.sessionId)
    if (root) {
      const { run, ended } = then
      sessions.set(root.sessionId, {
        ...root,
        run,
        ended,
        need: needOfCalls(pendingCalls(then)),
        running: true,
        updatedAt: stop?.at ?? root.updatedAt,
      })
    }
    list.setState({ ...now, sessions })
  }, [list, now, agents, stop, then])
  return list
}

interface MomentProps {
  readonly sessionId: SessionId
  readonly screen: ReplayScreen
  readonly parts: ReplayParts
  /** Closes the pane beside a list. If absent, the replay fills the window. */
  readonly onClose?: (() => void) | undefined
}

function Moment({ sessionId, screen, parts, onClose }: MomentProps): ReactNode {
  return (
    <DeskContext value={screen.shown}>
      <RecordedEntries value>
        <ShownMoment sessionId={sessionId} screen={screen} parts={parts} onClose={onClose} />
      </RecordedEntries>
    </DeskContext>
  )
}

function ShownMoment({ sessionId, screen, parts, onClose }: MomentProps): ReactNode {
  const desk = useDesk()
  const { title, player } = screen
  const { outline, trouble, at } = player
  const waiting = useSession<CallItem | null>(sessionId, (session) => pendingCalls(session)[0] ?? null, null)
  const isOpen = useStore(desk.session(sessionId).store, ({ session }) => session !== null)
  const stop = outline?.stops[at]
  const isBeside = onClose !== undefined
  const pane = (
    <Pane kind={isBeside ? 'inspector' : 'work'} label={title} className={isBeside ? axisClass() : undefined}>
      <PaneHead
        rank={isBeside ? 2 : 1}
        title={title}
        aside="replay, read-only"
        end={<MomentActions sessionId={sessionId} screen={screen} onClose={onClose} />}
      />
      {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      {!trouble && outline === null && <EmptyState>Reading the session…</EmptyState>}
      {outline?.stops.length === 0 && <EmptyState>Nothing has happened in this session yet.</EmptyState>}
      {isOpen && parts.ledgerOf(sessionId, title)}
      {waiting && parts.requestOf(sessionId, waiting)}
    </Pane>
  )
  return (
    <div className={styles.moment}>
      {isBeside ? (
        <section className={styles.landmark} aria-label={`Replay of ${title}`}>
          {pane}
        </section>
      ) : (
        pane
      )}
      {isOpen && stop && <AsItWas sessionId={sessionId} at={stop.at} parts={parts} />}
    </div>
  )
}

/** The buttons in the heading above the replayed moment. */
function MomentActions({ sessionId, screen: { desk, player, moves }, onClose }: Omit<MomentProps, 'parts'>): ReactNode {
  const items = useSession(sessionId, (session) => session.firstItem + session.items.length, 0)
  const turn = moves === null ? undefined : player.outline?.turns[moves.current]
  const seq = player.outline?.stops[player.at]?.seq ?? null
  return (
    <>
      {onClose === undefined ? (
        <Button variant="quiet" small icon={LogIn} onPress={() => showEntry(desk, sessionId, items === 0 ? null : items - 1)}>
          Show in the session
        </Button>
      ) : (
        <Button variant="quiet" small only icon={Maximize2} label="Show only the replay" onPress={() => showReplay(desk, sessionId, seq)} />
      )}
      <Button
        variant="quiet"
        small
        icon={GitFork}
        disabledReason={turn === undefined ? 'No turn has begun yet' : null}
        onPress={() => turn && forkSession(desk, sessionId, { kind: 'before', seq: turn.seq })}
      >
        Fork before this turn
      </Button>
      <Button variant="quiet" small icon={Download} onPress={() => saveExport(desk, sessionId, 'html')}>
        Export
      </Button>
      {onClose && <Button variant="quiet" small only icon={X} label="Close replay" onPress={onClose} />}
    </>
  )
}

type Side = 'changes' | 'commands' | 'agents' | 'plan'

function AsItWas({ sessionId, at, parts }: { readonly sessionId: SessionId; readonly at: number; readonly parts: ReplayParts }): ReactNode {
  const [side, setSide] = useState<Side>('changes')
  const shown = { changes: parts.changesOf, commands: parts.commandsOf, agents: parts.agentsOf, plan: parts.planOf }[side]
  const commands = useSession(
    sessionId,
    ({ items }) => items.filter((item) => item.kind === 'call' && item.effects.some(isCommand)).length,
    0,
  )
  return (
    <aside className={styles.side} aria-label="As it was then">
      <Pane kind="inspector" label="As it was then">
        <PaneHead
          title={`At ${clockTime(at)}`}
          aside={commands > 0 ? counted(commands, 'command') : undefined}
          end={
            <Segmented
              label="What is shown"
              segments={[
                { id: 'changes', label: 'Changes' },
                { id: 'commands', label: 'Terminal' },
                { id: 'agents', label: 'Agents' },
                { id: 'plan', label: 'Plan' },
              ]}
              selected={side}
              onSelect={setSide}
            />
          }
        />
        {shown(sessionId)}
      </Pane>
    </aside>
  )
}

const isCommand = ({ kind }: { readonly kind: string }): boolean => kind === 'command'

/** The possible moves through a replay from the stop `at`. */
function movesIn({ stops, turns }: ReplayOutline, at: number, go: (to: number) => void) {
  const seq = stops[at]?.seq ?? 0
  const current = turns.findLastIndex((turn) => turn.seq <= seq)
  const toSeq = (to: number): void =>
    go(
      Math.max(
        0,
        stops.findIndex((stop) => stop.seq >= to),
      ),
    )
  return {
    current,
    toSeq,
    turn(by: 1 | -1): void {
      // Within a turn, moving back first goes to the start of this turn.
      const isWithin = turns[current] !== undefined && turns[current].seq < seq
      const to = turns[by === -1 && isWithin ? current : current + by]
      if (to) toSeq(to.seq)
    },
    toStep: (step: number): void => go(stops.findIndex((stop) => stop.step >= step)),
  }
}

/** Keys of the page. A focused button or field handles its own keys. */
function useReplayKeys(table: readonly KeyAction[]): void {
  const latest = useRef(table)
  useEffect(() => {
    latest.current = table
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isOnControl = event.target instanceof HTMLElement && event.target.closest('button, input, [role=radio]') !== null
      if (event.key === ' ' && isOnControl) return
      runKey(event, latest.current, keyboardPlatform() === 'mac')
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
