import { assertNever } from '../../shared/lib/assert-never.ts'
import type { Said } from '../../shared/session/events.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { ApprovalMode } from '../../shared/session/approval-mode.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import type { FamilyParts } from '../sessions/subagents/family-requests.ts'
import { stopSubagents } from '../sessions/subagents/stop-subagents.ts'
import { whoseEvent } from '../sessions/subagents/whose-event.ts'
import { answerRequests } from './answer-requests.ts'
import type { RunFlags } from './flags.ts'
import type { Progress } from './progress.ts'
import type { Bytes } from './shown-effects.ts'
import type { PersonTerminal } from './terminal-lines.ts'

/** The mode that `--approve` stands for (D-44). */
export function modeOf(approve: RunFlags['approve']): ApprovalMode {
  switch (approve) {
    case 'none':
      return 'ask'
    case 'edits':
      return 'accept-edits'
    case 'all':
      return 'full'
    default:
      return assertNever(approve, 'approve')
  }
}

export interface TaskParts {
  readonly session: OpenedSession
  readonly task: string | Said
  readonly progress: Progress
  /** Who answers requests: the person at a terminal, nobody (null), or `scripted`: somebody else, who listens already. */
  readonly answers: { readonly terminal: PersonTerminal | null; readonly bytes: Bytes } | 'scripted'
  /** The way to the subagents' sessions. */
  readonly open: FamilyParts['open']
  /** Aborting stops the turn; one that is aborted already stops it before a model is asked. */
  readonly signal: AbortSignal
}

/**
 * Gives one task to a session and waits for its end; every event goes to `progress`. The state it ended in. Subagents that are still at work
 * then are stopped: nobody is left who would ask for what they find.
 */
export async function runTask({ session, task, progress, answers, open, signal }: TaskParts): Promise<SessionState> {
  const running = session.running()
  if (!running) throw new Error('The session does not run in this process.')
  const done = new AbortController()
  for (const envelope of session.record.read()) progress.show(envelope)
  const children = new Set<SessionId>()
  const subscription = session.record.subscribe((envelope) => {
    const { by } = whoseEvent(envelope.event, session.sessionId)
    if (by !== session.sessionId) children.add(by)
    progress.show(envelope)
  })
  const stop = (): void => void session.stop()
  signal.addEventListener('abort', stop, { once: true })
  if (answers !== 'scripted') void answerRequests({ session, open, ...answers, signal: done.signal })
  const submitted = running.submit(task)
  if (!submitted.ok) throw new Error(submitted.trouble.what)
  if (signal.aborted) stop()
  const state = await running.idle()
  await stopSubagents(children, open)
  signal.removeEventListener('abort', stop)
  done.abort()
  subscription.dispose()
  return state
}
