import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { ApprovalId, SessionId } from '../../../shared/lib/ids.ts'
import { wantedHost } from '../../../shared/session/effects.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { useLostPlace } from '../../state/views/lost-place.ts'
import { useDesk, useSession, useView } from '../../state/desk-context.ts'
import { agentName, isAgent } from '../../state/views/session-families.ts'
import { type EarlyEnd, earlyEndOf } from '../../state/views/early-end.ts'
import { changeTray, showRequest } from '../../state/commands/go-to-need.ts'
import { useSpawningStep, useWhoAsks } from '../../state/hooks/use-agent-relations.ts'
import { LiveRegion } from '../../ui/notices/screen-reader.tsx'
import { ApprovalTray, type ApprovalTrayProps } from './approval-tray.tsx'
import { batchKind, batchOf, batchWords } from './batch/batch-kind.ts'
import { BatchTray } from './batch/batch-tray.tsx'
import { NetworkHostTray } from './network-host-tray.tsx'
import { PlanTray } from './plan/plan-tray.tsx'
import { QuestionTray } from './question/question-tray.tsx'
import type { RequestBodyProps } from './request-body.tsx'
import { needWords } from './request-words.ts'
import styles from './tray.module.css'
import { LostPlaceTray } from './lost-place-tray.tsx'
import { TroubleTray } from './trouble-tray.tsx'

const NONE: readonly CallItem[] = []

export interface TrayProps extends Pick<RequestBodyProps, 'wordsOf'> {
  readonly sessionId: SessionId
  /** The only request to show, below its diff. Without it, all requests are shown, one at a time. */
  readonly only?: CallItem['id']
}

/**
 * What needs the user now: requests of the session and its subagents, one at a time, or the reason why the turn ended early. Empty if
 * nothing needs the user.
 */
export function Tray({ sessionId, only, wordsOf }: TrayProps): ReactNode {
  const asks = useWhoAsks(sessionId)
  const [asker, setAsker] = useState(sessionId)
  const who = useAgentName(asker === sessionId ? null : asker)
  const spawning = useSpawningStep(asker, sessionId)
  const allPending = useSession(asker, pendingCalls, NONE)
  const pending = only === undefined ? allPending : allPending.filter(({ id }) => id === only)
  const together = useSession(asker, (session) => askedTogether(session.items, pendingCalls(session)), NONE)
  const dismissed = useView((view) => view.dismissed)
  const early = useSession(sessionId, (session) => earlyEndOf(session, dismissed), null)
  const desk = useDesk()
  const chosen = useView((view) => view.request)
  const at = Math.max(
    0,
    pending.findIndex((call) => call.id === chosen),
  )
  const current = pending[at]
  const signed = useJustSigned(current)
  const shown = signed.call ?? current
  // The tray switches to another agent's requests only when no request is shown, because the user may be reading.
  const next = only === undefined ? (asks ?? sessionId) : sessionId
  if (!shown && next !== asker) setAsker(next)
  const [batched, setBatched] = useState(false)
  const batch = batchOf(current, pending)
  const kind = current && batch.length > 0 ? batchKind(current) : null
  if (batched && kind === null) setBatched(false)
  const showBatch = (isShown: boolean): void => changeTray(sessionId, () => setBatched(isShown))
  return (
    <div className={styles.place} data-tray-of={sessionId} data-asker={asker} data-request={current?.id}>
      <LiveRegion urgency="assertive" message={current ? needWords(current, pending.length, who) : ''} />
      {batched && kind !== null ? (
        <BatchTray sessionId={asker} calls={batch} kind={kind} who={who} onOneByOne={() => showBatch(false)} wordsOf={wordsOf} />
      ) : shown ? (
        <Request
          key={shown.approval?.approvalId ?? shown.id}
          sessionId={asker}
          who={who}
          step={asker === sessionId ? shown.step : spawning}
          isBelowDiff={only !== undefined}
          call={shown}
          queue={{
            at,
            of: pending.length,
            place: current ? together.indexOf(current) : 0,
            asked: only === undefined ? together.length : 1,
            batch: kind === null ? null : { words: batchWords(kind, batch), onShow: () => showBatch(true) },
            onGo: (to) => showRequest(desk, sessionId, pending[to]?.id ?? null),
          }}
          wordsOf={wordsOf}
          leaving={signed.isLeaving}
          onSignedShown={signed.leave}
        />
      ) : (
        <WithoutRequest sessionId={sessionId} early={asker === sessionId ? early : null} />
      )}
    </div>
  )
}

/** Shown while no request waits: the lost connection to the session's machine, or why the last turn ended early. */
function WithoutRequest({ sessionId, early }: { readonly sessionId: SessionId; readonly early: EarlyEnd | null }): ReactNode {
  const lost = useLostPlace(sessionId)
  if (lost) return <LostPlaceTray lost={lost} />
  return early && <TroubleTray sessionId={sessionId} ended={early.ended} notice={early.notice} />
}

function Request(props: ApprovalTrayProps): ReactNode {
  const host = wantedHost(props.call.effects)
  const asked = props.call.effects.find((effect) => effect.kind === 'question')
  if (asked) return <QuestionTray {...props} questions={asked.questions} from={asked.from ?? null} />
  const plan = props.call.effects.find((effect) => effect.kind === 'mode')?.document
  if (plan) return <PlanTray {...props} plan={plan} />
  return host ? <NetworkHostTray {...props} host={host} /> : <ApprovalTray {...props} />
}

/** The name of a subagent. Null if the request is from the current session itself. */
function useAgentName(agent: SessionId | null): string | null {
  return useStore(useDesk().list, ({ sessions }) => {
    const session = agent && sessions.get(agent)
    return session && isAgent(session) ? agentName(session) : null
  })
}

/** Duration of the closing animation of a tray in ms. The CSS uses the same value. */
const LEAVE_MS = 120

/**
 * Keeps showing a request that was just signed, so that the user can read "Signed 14:05:02". The next waiting request replaces it at once.
 */
function useJustSigned(current: CallItem | undefined) {
  const desk = useDesk()
  const [last, setLast] = useState<CallItem | undefined>(current)
  const [isLeaving, setLeaving] = useState(false)
  const [gone, setGone] = useState<ApprovalId | null>(null)
  const id = last?.approval?.approvalId
  const wasSigned = useStore(desk.signing.store, (all) => {
    const signing = id && all.get(id)
    return signing?.kind === 'answered' && signing.answer === 'sign'
  })
  if (current && current !== last) {
    setLast(current)
    setLeaving(false)
  }
  return {
    call: !current && wasSigned && id !== gone ? last : undefined,
    isLeaving: !current && isLeaving,
    leave() {
      setLeaving(true)
      setTimeout(() => setGone(id ?? null), LEAVE_MS)
    },
  }
}

/**
 * The requests of one group: those that are waiting, and those that were answered since the oldest waiting request was made. They are in
 * ledger order, so that "2 of 3" does not change while others are answered.
 */
export function askedTogether(items: SessionState['items'], pending: readonly CallItem[]): readonly CallItem[] {
  const since = Math.min(...pending.map((call) => call.approval?.requestedAt ?? call.at))
  const together: CallItem[] = []
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    // The list is read backward. An entry that is not a call, or a call that ended before the oldest waiting request was made, belongs to
    // an earlier round, in which no request is waiting.
    if (item?.kind !== 'call' || (item.endedAt !== null && item.endedAt < since)) break
    if (pending.includes(item) || wasAnsweredSince(item, since)) together.unshift(item)
  }
  return together
}

function wasAnsweredSince({ approval }: CallItem, since: number): boolean {
  const kind = approval?.answer?.kind ?? 'withdrawn'
  return kind !== 'withdrawn' && (approval?.answeredAt ?? 0) >= since
}
