import type { ReactNode } from 'react'
import { verbOf } from '../../../../shared/tools/catalogue.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { shortCount } from '../../../../shared/lib/short-count.ts'
import type { Awaited, LiveAnswer, Retry } from '../../../../shared/session/state.ts'
import { retryNow, stopTurn } from '../../../state/commands/actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { clockTime, counting } from '../../../ui/format.ts'
import { useElapsed } from '../../../ui/hooks/use-elapsed.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import styles from '../ledger.module.css'
import { Dot } from '../../../ui/marks/dot.tsx'

/** What the turn is waiting for now, for how long already and, if known, how long the wait will be. */
export function WaitLine({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const call = useSession<LiveAnswer['call']>(sessionId, ({ live }) => live?.call ?? null, null)
  const waitingFor = useSession<LiveAnswer['waitingFor']>(sessionId, ({ live }) => live?.waitingFor ?? null, null)
  const since = useSession(sessionId, ({ live }) => live?.sinceMs ?? 0, 0)
  if (waitingFor?.retry) return <RetryLine sessionId={sessionId} waitingFor={waitingFor} retry={waitingFor.retry} />
  if (waitingFor) {
    const { what, sinceMs, untilMs } = waitingFor
    return <Waiting sessionId={sessionId} words={`Waiting for ${what}`} since={sinceMs} until={untilMs} />
  }
  if (call === null) return null
  const words = `Writing ${verbOf(call.toolName).toLowerCase()}, ${shortCount(call.chars)} characters`
  return <Waiting sessionId={sessionId} words={words} since={since} until={null} />
}

/** Duration of a wait in ms after which a Stop button appears. */
const OFFERS_STOP_MS = 5_000

interface WaitingProps {
  readonly sessionId: SessionId
  readonly words: string
  /** Start of the wait in ms since 1970. The end has the same unit. */
  readonly since: number
  readonly until: number | null
}

function Waiting({ sessionId, words, since, until }: WaitingProps): ReactNode {
  const elapsed = useElapsed(since)
  return (
    <EntryRow
      mark="note"
      atWord="now"
      line={<span className="soft clip">{words}</span>}
      effect={
        <>
          <Dot state="running" silent />
          <span className="num">
            {counting(elapsed)}
            {until !== null && ` of ${counting(until - since)}`}
          </span>
          {elapsed >= OFFERS_STOP_MS && <StopButton sessionId={sessionId} />}
        </>
      }
    />
  )
}

function StopButton({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  return (
    <Button
      small
      label="Stop this turn"
      tip="Ends this turn. Everything done so far is kept."
      disabledReason={offline}
      onPress={() => stopTurn(desk, sessionId)}
    >
      Stop
    </Button>
  )
}

interface RetryLineProps {
  readonly sessionId: SessionId
  readonly waitingFor: Awaited
  readonly retry: Retry
}

/** A failed request that will be retried: the time until the next attempt, why the request failed, and two buttons. */
function RetryLine({ sessionId, waitingFor: { sinceMs, untilMs }, retry }: RetryLineProps): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const elapsed = useElapsed(sinceMs)
  const left = untilMs === null ? 0 : untilMs - sinceMs - elapsed
  return (
    <EntryRow
      mark="note"
      atWord="now"
      line={
        <>
          <span className="verb">
            {left > 0 ? 'Next try in ' : 'Trying again'}
            {left > 0 && <span className="num">{counting(left + 999)}</span>}
          </span>
          <span className={`soft ${styles.happened}`}>{retry.why}</span>
        </>
      }
      effect={
        <>
          {left > 0 && (
            <Button small tip="Retries without waiting" disabledReason={offline} onPress={() => retryNow(desk, sessionId)}>
              Try now
            </Button>
          )}
          <StopButton sessionId={sessionId} />
        </>
      }
    >
      <p className="note">
        Attempt {retry.attempt}. If it keeps failing, the turn stops at {clockTime(retry.givesUpAtMs)}. Everything so far is saved.
      </p>
    </EntryRow>
  )
}
