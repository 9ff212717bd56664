import type { AnswerOutcome } from '../../shared/api/approvals.ts'
import type { Done } from '../../shared/api/sessions.ts'
import { AsyncQueue } from '../../shared/lib/async-queue.ts'
import { type ApprovalId, newId } from '../../shared/lib/ids.ts'
import type { AnyEnvelope, ApprovalAnswer } from '../../shared/session/events.ts'
import type { PersonMessage } from '../../shared/session/person-message.ts'
import { isIdle } from '../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { type Approvals, createApprovals, type GivenAnswer } from './approvals.ts'
import { TurnStopped } from './close-round.ts'
import { beginning, createSessionCommands, endOfStopped, type SessionCommands } from './session-commands.ts'
import { afterSession, watchIdle } from './hooks/turn-hooks.ts'
import { type LoopParts, runTurn } from './loop.ts'
import { recover } from './record/recovery.ts'
import type { SessionRecord } from './record/session-record.ts'
import type { WithdrawnFor } from '../../shared/session/settings/where.ts'

/** A session in the process that runs it. Every method may be called at any time. */
export interface Session extends SessionCommands {
  readonly record: SessionRecord
  state(): SessionState
  /** Sends a request. If a turn is running, the request waits until that turn ends, as with `followUp`. */
  submit(said: string | PersonMessage): Done
  followUp(said: string | PersonMessage): Done
  shown(approvalId: ApprovalId): { readonly armsInMs: number }
  answer(given: GivenAnswer): AnswerOutcome
  /**
   * Stops the turn: cancels the request to the model, stops the running command, and withdraws requests for signatures. Resolves when no
   * turn is running.
   */
  stop(withdrawn?: WithdrawnFor): Promise<void>
  /** Resolves as soon as no turn runs or waits for a signature. */
  idle(): Promise<SessionState>
  /** All events from now on. The iteration ends when the session is closed or suspended. */
  events(): AsyncIterable<AnyEnvelope>
  /** Ends everything, then appends SESSION_END. The log is kept and can be opened again. */
  close(reason?: 'closed' | 'aborted'): Promise<void>
  /** Ends what is running without closing the session. Requests for signatures wait for the next process that opens the session. */
  suspend(): Promise<void>
}

/**
 * Nothing starts without a reason: a turn begins with a message, with Resume, or with the answer to a request that was still open after a
 * restart.
 */
export function createSession(parts: LoopParts): Session {
  const { record, clock } = parts
  const runner = createRunner(parts)
  const commands = createSessionCommands(record, true)
  const approvals: Approvals = createApprovals(record, clock, parts.dispatch.amending)
  const listening = new Set<AsyncQueue<AnyEnvelope>>()
  const request = (said: string | PersonMessage): Done =>
    commands.send({ inputId: newId('in'), ...(typeof said === 'string' ? { text: said } : said), delivery: 'queue' })
  const idle = parts.hooks && watchIdle({ record, ...parts.hooks }, clock)
  let finished: Promise<void> | null = null
  const finish = async (why: 'stopped' | 'closed', last: () => void): Promise<void> => {
    await runner.end(why)
    idle?.dispose()
    if (parts.hooks) await afterSession({ record, ...parts.hooks }, why === 'closed' ? 'other' : 'clear')
    last()
    record.dispose()
    for (const queue of listening) queue.end()
  }
  const once: typeof finish = (why, last) => (finished ??= finish(why, last))
  return {
    ...commands,
    ...approvals,
    record,
    state: record.state,
    submit: request,
    followUp: request,
    stop: runner.stop,
    idle: runner.idle,
    events() {
      const queue: AsyncQueue<AnyEnvelope> = new AsyncQueue(() => {
        subscription.dispose()
        listening.delete(queue)
      })
      const subscription = record.subscribe((envelope) => queue.push(envelope))
      listening.add(queue)
      return queue
    },
    close: (reason = 'closed') => once('stopped', () => record.append({ kind: 'SESSION_END', sessionId: record.sessionId, reason })),
    suspend: () => once('closed', () => {}),
  }
}

/**
 * Whether the request was withdrawn because the user wants the command to run in another way. In that case the turn continues and makes a
 * new request.
 */
function isAskedAgain(why: Extract<ApprovalAnswer, { kind: 'withdrawn' }>['why']): boolean {
  return why === 'for_real' || why === 'confined'
}

/** Takes over a session that another process left (see `recover`), then works like `createSession`. */
export async function takeOverSession(parts: LoopParts): Promise<Session> {
  const dispatch = { ...parts.dispatch, ...parts.toolSetFor(parts.record.state().config) }
  await recover(parts.record, dispatch, new AbortController().signal)
  return createSession(parts)
}

interface Runner {
  stop(withdrawn?: WithdrawnFor): Promise<void>
  idle(): Promise<SessionState>
  /** Ends what runs and starts nothing more. */
  end(why: 'stopped' | 'closed'): Promise<void>
}

/** Starts a turn whenever the log requires one, whichever process appended to it. */
function createRunner(parts: LoopParts): Runner {
  const { record } = parts
  let running: { readonly controller: AbortController; readonly done: Promise<void> } | null = null
  let isWanted = false
  let isEnding = false
  const never = new AbortController().signal

  const run = async (signal: AbortSignal): Promise<void> => {
    // The turn does not start inside the append itself, so that other listeners get the event first.
    await Promise.resolve()
    await runTurn(parts, signal)
  }
  const wake = (): void => {
    if (running || isEnding) {
      isWanted = true
      return
    }
    isWanted = false
    const controller = new AbortController()
    const done = run(controller.signal).finally(() => {
      running = null
      if (isWanted && record.state().run !== 'IDLE') wake()
    })
    running = { controller, done }
  }
  const takeQueued = (inputId: string): void => {
    record.transact(() => {
      const state = record.state()
      const input = state.queue.find((one) => one.inputId === inputId)
      return input && isIdle(state) ? beginning(state, input) : []
    })
  }
  // A message that was still waiting when its process ended.
  const left = record.state().queue.find(({ delivery, held }) => delivery === 'queue' && !held)
  if (left) queueMicrotask(() => !isEnding && takeQueued(left.inputId))

  const stop = async (withdrawn?: WithdrawnFor): Promise<void> => {
    running?.controller.abort(new TurnStopped('stopped', withdrawn))
    await running?.done
    if (isIdle(record.state())) return
    record.append(...endOfStopped(record.state(), withdrawn))
  }
  record.subscribe(({ event }) => {
    switch (event.kind) {
      case 'USER_INPUT':
      case 'RESUME_REQUESTED':
      case 'COMPACTION_REQUESTED':
        return wake()
      case 'APPROVAL_ANSWERED':
        return event.answer.kind === 'withdrawn' && !isAskedAgain(event.answer.why) ? undefined : wake()
      case 'INPUT_QUEUED':
        if (event.delivery === 'queue' && isIdle(record.state())) queueMicrotask(() => takeQueued(event.inputId))
        return
      case 'STOP_REQUESTED':
        return void stop(event.withdrawn)
      default:
    }
  })
  return {
    stop,
    async idle() {
      for (;;) {
        if (running) await running.done
        if (!running && isIdle(record.state())) return record.state()
        await record.until(() => (running !== null || isIdle(record.state()) ? true : null), never)
      }
    },
    async end(why) {
      isEnding = true
      if (why === 'stopped') return stop()
      running?.controller.abort(new TurnStopped('closed'))
      await running?.done
    },
  }
}
