import type { Done } from '../../shared/api/sessions.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { type FamilyParts, type FamilyRequest, stopSubagents, whoseEvent } from '../subagents/family.ts'
import { answerRequests } from './asking/answer-requests.ts'
import type { Progress } from './report/output.ts'
import type { Bytes } from './asking/shown-effects.ts'
import type { PersonTerminal } from './asking/terminal-lines.ts'

interface Answers {
  readonly terminal: PersonTerminal | null
  readonly bytes: Bytes
  /** Requests that nobody is there to sign are left waiting, and the task is over. */
  readonly pause: boolean
}

/** `paused`: these requests wait for a signature. `elsewhere`: it goes on in the process that runs the session. `not_begun`: nothing has happened. */
export type TaskEnd =
  | { readonly kind: 'ended'; readonly state: SessionState }
  | { readonly kind: 'paused'; readonly waiting: readonly FamilyRequest[] }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'not_begun'; readonly trouble: Trouble }

export interface TaskParts {
  readonly session: OpenedSession
  /** What is to happen in it: a message, an answer, or that it goes on. */
  begin(): Promise<Done>
  /** Whether `progress` hears of what happened before. */
  readonly history: boolean
  readonly progress: Progress
  /** Who answers requests: the person at a terminal, nobody (null), or `scripted`: somebody else, who listens already. */
  readonly answers: Answers | 'scripted'
  /** The way to the subagents' sessions. */
  readonly open: FamilyParts['open']
  /** Aborting stops the turn; one that is aborted already stops it before a model is asked. */
  readonly signal: AbortSignal
}

/**
 * Begins what is to be done in a session and waits for its end; every event goes to `progress`. Subagents that are still at work then are
 * stopped: nobody is left who would ask for what they find.
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
  // Before anybody answers requests: what is answered here is not asked for again.
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
  if (answers !== 'scripted') void answerRequests({ session, open, ...answers, leave: answers.pause ? leave : null, signal: done.signal })
  if (signal.aborted) stop()
  const atRest = async (): Promise<TaskEnd> => ({ kind: 'ended', state: await running.idle() })
  return end(await Promise.race([atRest(), paused.promise]))
}
