import { shellSpec } from '../../shared/tools/built-in/shell.ts'
import { pendingCalls } from '../../shared/session/fold/run-state.ts'
import { REHEARSAL_TASK } from '../../shared/api/sessions.ts'
import type { CallItem } from '../../shared/session/state.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { removeSample } from '../providers/rehearsal/make-sample.ts'
import type { SessionStarter } from '../sessions/start-session.ts'
import { failWith, type Progress, type Write } from './report/standard-output.ts'
import { runTask, type TaskParts } from './run-task.ts'
import { type Bytes, rowsOfEffects } from './asking/effect-rows.ts'

export interface RehearsalParts {
  readonly starter: SessionStarter
  readonly open: TaskParts['open']
  readonly progress: Progress
  readonly signal: AbortSignal
  /** The user who watches. Null if a program reads the events. */
  readonly audience: Audience | null
}

export interface Audience {
  readonly write: Write
  readonly bytes: Bytes
  /** Returns the number of cells in a row. Null if it is not a terminal. */
  width(): number | null
}

/** The note with which the scripted user refuses the first edit. Everything after that is signed. */
const NOTE = 'Keep it small: change only what makes the test fail.'

const BEGINNING =
  '   A rehearsal: a script plays the model and the user. Files, commands and tests are real, in a copy that is removed at the end.\n'

/**
 * Plays the rehearsal with a scripted user, who refuses the first edit with a note and signs the rest. Returns exit code 0 if the turn finished
 * and its last command, the sample's tests, succeeded. The copy of the sample is removed.
 */
export async function playRehearsal({ starter, open, progress, signal, audience }: RehearsalParts): Promise<number> {
  const created = await starter.rehearse()
  if (!created.ok) return failWith(created.failure)
  const session = created.value
  audience?.write(BEGINNING)
  const person = answerAsScripted(session, audience)
  let testsPass = false
  let sample: string | null = null
  const watch: Progress = {
    show(envelope) {
      const { event } = envelope
      if (event.kind === 'SESSION_START') sample = event.cwd
      if (event.kind === 'TOOL_CALL_END' && event.toolName === shellSpec.name) testsPass = event.outcome === 'done' && !event.isError
      progress.show(envelope)
    },
    end: progress.end,
  }
  try {
    const running = session.running()
    if (!running) throw new Error('This process is not running the session.')
    const begin = () => Promise.resolve(running.submit(REHEARSAL_TASK))
    const ran = await runTask({ session, begin, history: true, progress: watch, answers: 'scripted', open, signal })
    return ran.kind === 'ended' && ran.state.ended === 'completed' && testsPass ? 0 : 1
  } finally {
    person.dispose()
    if (sample !== null) await removeSample(sample)
  }
}

function answerAsScripted(session: OpenedSession, audience: Audience | null) {
  let refused = false
  const answered = new Set<string>()
  const answer = async (call: CallItem, approval: NonNullable<CallItem['approval']>): Promise<void> => {
    const edits = call.effects.some((effect) => effect.kind === 'write')
    const said = edits && !refused ? ({ kind: 'refuse', note: NOTE } as const) : ({ kind: 'sign' } as const)
    refused ||= edits
    if (audience) audience.write(`${(await rowsOfEffects(call.effects, audience.bytes, audience.width())).join('\n')}\n`)
    void session.answer({ approvalId: approval.approvalId, hash: approval.hash, answer: said, from: 'terminal' })
  }
  return session.record.subscribe(({ event }) => {
    if (event.kind !== 'APPROVAL_REQUESTED') return
    queueMicrotask(() => {
      for (const call of pendingCalls(session.record.state())) {
        const { approval } = call
        if (!approval || approval.answer || answered.has(approval.approvalId)) continue
        answered.add(approval.approvalId)
        void answer(call, approval)
      }
    })
  })
}
