import type { Done } from '../../shared/api/sessions.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { type FamilyParts, type FamilyRequest, stopSubagents, whoseEvent } from '../subagents/subagent-requests.ts'
import { answerRequests } from './asking/answer-requests.ts'
import type { Progress } from './report/standard-output.ts'
import type { Bytes } from './asking/effect-rows.ts'
import type { PersonTerminal } from './asking/terminal-lines.ts'

interface Answers {
  readonly terminal: PersonTerminal | null
  readonly bytes: Bytes
  /** If nobody can sign a request, whether the run ends and leaves the request open. */
  readonly pause: boolean
}

/** `paused`: these requests wait for a signature. `elsewhere`: another process runs the session and continues. `not_begun`: nothing happened. */
export type TaskEnd =
  | { readonly kind: 'ended'; readonly state: SessionState }
  | { readonly kind: 'paused'; readonly waiting: readonly FamilyRequest[] }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'not_begun'; readonly trouble: Trouble }

export interface TaskParts {
  readonly session: OpenedSession
  /** Starts the work: sends a message, answers a request, or resumes. */
  begin(): Promise<Done>
  /** Whether `progress` gets past events too. */
  readonly history: boolean
  readonly progress: Progress
  /** How requests are answered. `scripted`: the caller answers them. */
  readonly answers: Answers | 'scripted'
  /** Opens the sessions of subagents. */
  readonly open: FamilyParts['open']
  /** Aborting stops the turn. If the signal is already aborted, the turn stops before the first request to the model. */
  readonly signal: AbortSignal
}

/**
 * Starts the work in a session and waits for its end. Every event is passed to `progress`. Subagents that are still running at the end
 * are stopped, because nobody would read their results.
 */
export async function runTask({ session, begin, history, progress, answers, open, signal }: TaskParts): Promise<TaskEnd> {
  const done = new AbortController()
  if (history) for (const envelope of session.record.read()) progress.show(envelope)
  const children = new Set<SessionId>()
  const subscription = session.record.subscribe((envelope) => {
    const { by } = whoseEvent(envelope.event, session.sessionId)
    if (by !== session.sessionId) children.add(by)
    progress.show(envelope)
  })
  const stop = (): void => void session.stop()
  signal.addEventListener('abort', stop, { once: true })
  const end = async (how: TaskEnd): Promise<TaskEnd> => {
    if (how.kind !== 'paused') await stopSubagents(children, open)
    signal.removeEventListener('abort', stop)
    done.abort()
    subscription.dispose()
    return how
  }
  // `begin` runs before requests are answered here, so that the user is not asked about a request that `begin` answers.
  const begun = await begin()
  if (!begun.ok) return end({ kind: 'not_begun', trouble: begun.trouble })
  const running = session.running()
  if (!running) return end({ kind: 'elsewhere' })
  const waiting: FamilyRequest[] = []
  const paused = Promise.withResolvers<TaskEnd>()
  const leave = (request: FamilyRequest): void => {
    waiting.push(request)
    paused.resolve({ kind: 'paused', waiting })
  }
  if (answers !== 'scripted') void answerRequests({ session, open, ...answers, leave, pauses: answers.pause, signal: done.signal })
  if (signal.aborted) stop()
  const atRest = async (): Promise<TaskEnd> => ({ kind: 'ended', state: await running.idle() })
  return end(await Promise.race([atRest(), paused.promise]))
}
