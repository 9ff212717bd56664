import type { ReactNode } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { added, counting, duration, removed } from '../../../ui/format.ts'
import { useElapsed } from '../../../ui/hooks/use-elapsed.ts'
import { Dot } from '../../../ui/marks/dot.tsx'
import { backgroundOf, shellDetails, timeLimitOf } from '../../../ui/calls/call-details.ts'
import { backgroundEnd, exitTone, outcomeOf } from '../../../ui/calls/call-outcome.ts'
import { useIsLeft, useStanding } from '../../../state/hooks/use-standing.ts'
import { useLedgerSession } from '../ledger-session.ts'

/** What came of a step, flush right: counts, exit code, time. */
export function Effects({ call }: { readonly call: CallItem }): ReactNode {
  if (backgroundOf(call) !== null) return <BackgroundEffects call={call} />
  return <EndedEffects call={call} />
}

/** A command that runs on beyond its call: how it stands now; else how it ended, as far as anybody knows. */
function BackgroundEffects({ call }: { readonly call: CallItem }): ReactNode {
  const standing = useStanding(useLedgerSession(), call.toolCallId)
  const isLeft = useIsLeft(call)
  const elapsed = useElapsed(standing?.runs ? call.startedAt : null)
  if (!standing?.runs) {
    const took = standing && standing.endedAt !== null && call.startedAt !== null ? standing.endedAt - call.startedAt : null
    return (
      <>
        <span className={exitTone(standing?.exitCode ?? null)}>{backgroundEnd(standing, isLeft)}</span>
        {took !== null && <span className="num">{duration(took)}</span>}
      </>
    )
  }
  // nobody waits for it: a server that reads its keys needs nobody
  return (
    <>
      <span>{standing.waitsForInput ? 'waits for input' : 'in the background'}</span>
      <Dot state="running" />
      <span className="num">{counting(elapsed)}</span>
    </>
  )
}

function EndedEffects({ call }: { readonly call: CallItem }): ReactNode {
  const isRunning = call.status === 'running'
  const elapsed = useElapsed(isRunning ? call.startedAt : null)
  const limit = timeLimitOf(call)
  const lines = lineCounts(call)
  const outcome = outcomeOf(call)
  return (
    <>
      {lines && <span className="add">{added(lines.added)}</span>}
      {lines && <span className="del">{removed(lines.removed)}</span>}
      {outcome !== '' && <span className={toneOf(call)}>{outcome}</span>}
      {isRunning && call.tail?.waitsForInput && <span className="needs">waits for input</span>}
      {isRunning && <Dot state={call.tail?.waitsForInput ? 'needs' : 'running'} />}
      {isRunning && (
        <span className="num">
          {counting(elapsed)}
          {call.tail?.waitsForInput && limit !== null && ` of ${counting(limit)}`}
        </span>
      )}
      {call.durationMs !== null && (call.startedAt !== null || call.status === 'done') && isTimed(call) && (
        <span className="num">{duration(call.durationMs)}</span>
      )}
    </>
  )
}

/** A write or a note takes no time worth a number; what ran or searched does. */
const isTimed = ({ toolName, effects }: CallItem): boolean =>
  !toolName.startsWith('todo_') && !effects.some(({ kind }) => kind === 'write' || kind === 'delete')

function toneOf(call: CallItem): string | undefined {
  if (call.status === 'waiting') return 'needs'
  if (call.status === 'refused' || call.status === 'barred' || call.status === 'stopped') return undefined
  if (call.isError) return 'fail'
  return call.status === 'done' && shellDetails(call)?.exitCode === 0 ? 'ok' : undefined
}

function lineCounts(call: CallItem): { readonly added: number; readonly removed: number } | null {
  if (call.status === 'refused' || call.status === 'barred' || call.status === 'failed' || call.status === 'stopped') return null
  const counts = (call.files.length > 0 ? call.files : call.effects).flatMap((one) => ('lines' in one && one.lines ? [one.lines] : []))
  if (counts.length === 0) return null
  return { added: counts.reduce((sum, one) => sum + one.added, 0), removed: counts.reduce((sum, one) => sum + one.removed, 0) }
}
