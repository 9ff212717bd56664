import { pendingCalls } from '../../shared/session/run-state.ts'
import { REHEARSAL_TASK } from '../../shared/api/sessions.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import type { SessionStarter } from '../sessions/start-session.ts'
import { complain } from './output.ts'
import type { Progress } from './progress.ts'
import { runTask, type TaskParts } from './run-task.ts'
import { sentences } from './sentences.ts'

export interface RehearsalParts {
  readonly starter: SessionStarter
  readonly open: TaskParts['open']
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** What the scripted person says to the first edit; everything after it is signed. */
const NOTE = 'Keep it small: change only what makes the test fail.'

/**
 * Plays the rehearsal with a scripted person: the first edit is refused with a note, the rest is signed. Exit code 0 when the turn came to
 * its end and the last command that ran, the sample's tests, went well.
 */
export async function playRehearsal({ starter, open, progress, signal }: RehearsalParts): Promise<number> {
  const created = await starter.rehearse()
  if (!created.ok) {
    complain(sentences(created.failure))
    return 1
  }
  const session = created.value
  const person = answerAsScripted(session)
  let testsPass = false
  const watch: Progress = {
    show(envelope) {
      const { event } = envelope
      if (event.kind === 'TOOL_CALL_END' && event.toolName === 'shell') testsPass = event.outcome === 'done' && !event.isError
      progress.show(envelope)
    },
    end: progress.end,
  }
  const state = await runTask({ session, task: REHEARSAL_TASK, progress: watch, answers: 'scripted', open, signal })
  person.dispose()
  return state.ended === 'completed' && testsPass ? 0 : 1
}

function answerAsScripted(session: OpenedSession) {
  let refused = false
  return session.record.subscribe(({ event }) => {
    if (event.kind !== 'APPROVAL_REQUESTED') return
    queueMicrotask(() => {
      for (const call of pendingCalls(session.record.state())) {
        if (!call.approval || call.approval.answer) continue
        const edits = call.effects.some((effect) => effect.kind === 'write')
        const answer = edits && !refused ? ({ kind: 'refuse', note: NOTE } as const) : ({ kind: 'sign' } as const)
        refused ||= edits
        void session.answer({ approvalId: call.approval.approvalId, hash: call.approval.hash, answer, from: 'terminal' })
      }
    })
  })
}
