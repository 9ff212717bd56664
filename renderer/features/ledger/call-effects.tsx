import type { ReactNode } from 'react'
import type { CallItem } from '../../../shared/session/state.ts'
import { added, counting, duration, removed } from '../../ui/format.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { Dot } from '../../ui/marks/dot.tsx'
import { shellDetails } from '../../ui/ledger/call-details.ts'
import { outcomeOf } from '../../ui/ledger/call-outcome.ts'

/** What came of a step, flush right: counts, exit code, time. */
export function Effects({ call }: { readonly call: CallItem }): ReactNode {
  const isRunning = call.status === 'running'
  const elapsed = useElapsed(isRunning ? call.startedAt : null)
  const lines = lineCounts(call)
  const outcome = outcomeOf(call)
  return (
    <>
      {lines && <span className="add">{added(lines.added)}</span>}
      {lines && <span className="del">{removed(lines.removed)}</span>}
      {outcome !== '' && <span className={toneOf(call)}>{outcome}</span>}
      {isRunning && <Dot state="running" />}
      {isRunning && <span className="num">{counting(elapsed)}</span>}
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
