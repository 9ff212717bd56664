import type { ReactNode } from 'react'
import { verbOf } from '../../../shared/tools/catalogue.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { shortCount } from '../../../shared/lib/short-count.ts'
import type { Awaited, LiveAnswer } from '../../../shared/session/state.ts'
import { stopTurn } from '../../state/actions.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import { useBarred } from '../../state/use-barred.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counting } from '../../ui/format.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import { Dot } from '../../ui/marks/dot.tsx'

/** What is waited for at this moment, since when and until when. */
export function WaitLine({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const call = useSession<LiveAnswer['call']>(sessionId, ({ live }) => live?.call ?? null, null)
  const waitingFor = useSession<LiveAnswer['waitingFor']>(sessionId, ({ live }) => live?.waitingFor ?? null, null)
  const since = useSession(sessionId, ({ live }) => live?.sinceMs ?? 0, 0)
  if (call !== null) {
    const words = `Writing ${verbOf(call.toolName).toLowerCase()}, ${shortCount(call.chars)} characters`
    return <Waiting words={words} since={since} until={null} />
  }
  if (waitingFor?.retry) return <Retry sessionId={sessionId} waitingFor={waitingFor} retry={waitingFor.retry} />
  return waitingFor && <Waiting words={`Waiting for ${waitingFor.what}`} since={waitingFor.sinceMs} until={waitingFor.untilMs} />
}

interface WaitingProps {
  readonly words: string
  /** Both in ms since 1970. */
  readonly since: number
  readonly until: number | null
}

function Waiting({ words, since, until }: WaitingProps): ReactNode {
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
        </>
      }
    />
  )
}

interface RetryProps {
  readonly sessionId: SessionId
  readonly waitingFor: Awaited
  readonly retry: NonNullable<Awaited['retry']>
}

/** The model will be asked again: when, why, and the way out. */
function Retry({ sessionId, waitingFor: { sinceMs, untilMs }, retry }: RetryProps): ReactNode {
  const desk = useDesk()
  const barred = useBarred()
  const elapsed = useElapsed(sinceMs)
  const left = untilMs === null ? 0 : untilMs - sinceMs - elapsed
  return (
    <EntryRow
      mark="note"
      atWord="now"
      line={
        <>
          <span className="verb">
            Asking again {left > 0 ? 'in ' : 'now'}
            {left > 0 && <span className="num">{counting(left + 999)}</span>}
          </span>
          <span className="soft" data-tip={retry.why}>
            attempt {retry.attempt}: {retry.why}
          </span>
        </>
      }
      effect={
        <Button small tip="Ends this turn; all that was done stays." disabledReason={barred} onPress={() => stopTurn(desk, sessionId)}>
          Cancel
        </Button>
      }
    />
  )
}
