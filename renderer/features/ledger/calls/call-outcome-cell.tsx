import { touchedFiles } from '../../../../shared/session/touched-files.ts'
import { beganAt, isInCopy } from '../../../../shared/session/fold/run-state.ts'
import type { ReactNode } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { added, counting, duration, removed } from '../../../ui/format.ts'
import { useElapsed } from '../../../ui/hooks/use-elapsed.ts'
import { Dot } from '../../../ui/marks/dot.tsx'
import { commandDetails } from '../../../../shared/tools/catalogue.ts'
import { outcomeOf, viewOf } from '../../../tools/views.ts'
import { backgroundEnd, backgroundOf, exitTone, timeLimitOf } from '../../../ui/calls/command-words.ts'
import { useIsLeft, useCommandTerminal } from '../../../state/hooks/use-command-terminal.ts'
import { useLedgerSession } from '../ledger-session.ts'

/** The outcome of a step, flush right: counts, exit code, time. */
export function CallOutcomeCell({ call }: { readonly call: CallItem }): ReactNode {
  if (backgroundOf(call) !== null) return <BackgroundEffects call={call} />
  return <EndedEffects call={call} />
}

/** The state of a command that keeps running after its call has ended: running, or how it ended. */
function BackgroundEffects({ call }: { readonly call: CallItem }): ReactNode {
  const terminal = useCommandTerminal(useLedgerSession(), call.toolCallId)
  const isLeft = useIsLeft(call)
  const elapsed = useElapsed(terminal?.runs ? call.startedAt : null)
  if (!terminal?.runs) {
    const took = terminal && terminal.endedAt !== null && call.startedAt !== null ? terminal.endedAt - call.startedAt : null
    return (
      <>
        <span className={exitTone(terminal?.exitCode ?? null)}>{backgroundEnd(terminal, isLeft)}</span>
        {took !== null && <span className="num">{duration(took)}</span>}
      </>
    )
  }
  // Waiting for input is not shown as a request to the user, because a server may read the keyboard without needing input.
  return (
    <>
      <span>{terminal.waitsForInput ? 'waits for input' : 'in the background'}</span>
      <Dot state="running" />
      <span className="num">{counting(elapsed)}</span>
    </>
  )
}

function EndedEffects({ call }: { readonly call: CallItem }): ReactNode {
  const isRunning = call.status === 'running'
  const waitsSince = call.status === 'waiting' && isInCopy(call) ? (call.approval?.requestedAt ?? null) : null
  const elapsed = useElapsed(isRunning ? beganAt(call) : waitsSince)
  const limit = timeLimitOf(call)
  const lines = lineCounts(call)
  const outcome = outcomeOf(call)
  return (
    <>
      {lines && <span className="add">{added(lines.added)}</span>}
      {lines && <span className="del">{removed(lines.removed)}</span>}
      {waitsSince !== null && <span>In a copy</span>}
      {outcome !== '' && <span className={toneOf(call)}>{outcome}</span>}
      {waitsSince !== null && <span className="needs num">{counting(elapsed)}</span>}
      {isRunning && call.copy && <span>Running in a copy</span>}
      {isRunning && call.tail?.waitsForInput && <span className="needs">waits for input</span>}
      {isRunning && <Dot state={call.tail?.waitsForInput ? 'needs' : 'running'} />}
      {isRunning && (
        <span className="num">
          {counting(elapsed)}
          {call.tail?.waitsForInput && limit !== null && ` of ${counting(limit)}`}
        </span>
      )}
      {call.durationMs !== null && (call.startedAt !== null || call.copy !== undefined || call.status === 'done') && isTimed(call) && (
        <span className="num">{duration(call.durationMs)}</span>
      )}
    </>
  )
}

/** Whether the time is shown. The time of a write or a note is of no interest. */
const isTimed = (call: CallItem): boolean =>
  viewOf(call).isTimed !== false && !call.effects.some(({ kind }) => kind === 'write' || kind === 'delete')

function toneOf(call: CallItem): string | undefined {
  if (call.status === 'waiting') return 'needs'
  if (call.status === 'refused' || call.status === 'barred' || call.status === 'stopped') return undefined
  const succeeded = commandDetails(call)?.exitCode === 0
  // The step of a command that succeeded failed if its changes were not kept. The words beside it say so.
  if (call.isError) return succeeded ? undefined : 'fail'
  return call.status === 'done' && succeeded ? 'ok' : undefined
}

function lineCounts(call: CallItem): { readonly added: number; readonly removed: number } | null {
  if (call.status === 'refused' || call.status === 'barred' || call.status === 'failed' || call.status === 'stopped') return null
  const counts = (call.files.length > 0 ? call.files : touchedFiles(call.effects)).flatMap((one) =>
    'lines' in one && one.lines ? [one.lines] : [],
  )
  if (counts.length === 0) return null
  return { added: counts.reduce((sum, one) => sum + one.added, 0), removed: counts.reduce((sum, one) => sum + one.removed, 0) }
}
