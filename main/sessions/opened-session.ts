import type { AnswerOutcome } from '../../shared/api/approvals.ts'
import type { Done, SessionStreamItem, SessionSummary } from '../../shared/api/sessions.ts'
import type { ApprovalId, SessionId } from '../../shared/lib/ids.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { ConversationPoint } from '../../shared/session/conversation-move.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import { isFinished, isIdle } from '../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { UndoTarget } from '../../shared/session/rollback.ts'
import type { UndoOutcome, UndoPreview, UndoRequest } from '../../shared/session/undo-preview.ts'
import { createApprovals, type GivenAnswer } from '../agent/approvals.ts'
import { createSessionCommands, type GivenInput, type SessionCommands } from '../agent/session-commands.ts'
import type { Amending } from '../agent/ports/amending.ts'
import { retryWhileLocked } from '../agent/record/retry-while-locked.ts'
import { createRecord, type SessionRecord } from '../agent/record/session-record.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Session } from '../agent/session.ts'
import type { DecidedUndo } from '../changes/undo/undo.ts'
import { createRunningPlace, type RunningParts } from './running-place.ts'
import { createSessionUndo } from './session-undo.ts'
import { snapshotOf, watchSession } from './watch-session.ts'
import type { WithdrawnFor } from '../../shared/session/settings/where.ts'

export interface OpenedSessionParts extends RunningParts {
  readonly amending: Pick<Amending, 'amend'>
  /** Number of newest calls that the loop detection examines. Default: 10. */
  readonly loopWindow?: number | undefined
}

/**
 * A session that this process has opened. If this process has the claim on the session, it runs the session. Otherwise it only follows the
 * session, and writes commands to the log for the process that runs it. If that process has died, this process takes over the session at
 * the next command.
 */
export interface OpenedSession {
  readonly sessionId: SessionId
  readonly record: SessionRecord
  /** Null if the session runs in another process or cannot run now. */
  running(): Session | null
  /** Why this process does not run the session. Null if it does. */
  obstacle(): Trouble | null
  /** Takes over the session if the process that ran it has died. */
  attend(): Promise<void>
  /** The state with the newest `limit` ledger entries. */
  snapshot(limit: number): SessionState
  watch(cursor: number | null, signal: AbortSignal): AsyncIterable<SessionStreamItem>
  send(input: GivenInput): Promise<Done>
  withdraw(inputId: string): Promise<Done>
  arrange(inputIds: readonly string[]): Promise<Done>
  stop(withdrawn?: WithdrawnFor): Promise<Done>
  resume(): Promise<Done>
  retryNow(): Promise<Done>
  configure(change: Partial<SessionConfigured>): Promise<Done>
  compact(instructions: string): Promise<Done>
  undoCompaction(): Promise<Done>
  /** The changes that an undo would make to the files. Changes nothing. */
  previewUndo(target: UndoTarget): Promise<Result<UndoPreview, Trouble>>
  undo(request: UndoRequest): Promise<UndoOutcome>
  /** Makes exactly these file changes as an undo, for example to remove refused work (see `Undo.carryOut`). Refused while a turn is running. */
  carryOutUndo(decide: () => Promise<DecidedUndo | null>): Promise<UndoOutcome | null>
  /** Moves the conversation to another point (see `goBack`). */
  goBack(point: ConversationPoint): Promise<Done>
  rename(name: string): Promise<Done>
  shown(approvalId: ApprovalId): { readonly armsInMs: number }
  answer(given: GivenAnswer): Promise<AnswerOutcome>
  watchers(): number
  /** Whether nothing runs and nobody watches, so that closing the session loses nothing. */
  isUnused(): boolean
  /**
   * Stops everything that runs and releases the claim. With `end`, appends SESSION_END. With `suspend`, requests for signatures remain
   * open.
   */
  close(how: 'end' | 'suspend'): Promise<void>
}

export async function openSession(parts: OpenedSessionParts, summary: SessionSummary): Promise<OpenedSession> {
  const { store, clock } = parts
  const { sessionId } = summary
  const record = await openRecord(parts, sessionId)
  /** Writes commands to the log, for the process that runs the session or for the next one. */
  const toLog = createSessionCommands(record, false)
  const approvals = createApprovals(record, clock, parts.amending)
  const place = createRunningPlace(parts, record, summary)
  const { settled: undone, ...undo } = createSessionUndo(place, record)
  let watchers = 0

  /** While another process writes, it may store the first answer, so this waits. Kept in memory only if nothing can be stored. */
  const answered = (given: GivenAnswer): Promise<AnswerOutcome> =>
    retryWhileLocked(() => approvals.answerStored(given)).catch((error: unknown) => {
      if (error instanceof StorageError) return approvals.answer(given)
      throw error
    })
  /** Waits until everything stored is on the disk. If the disk fails, the window shows it as the store's trouble, and the session goes on. */
  const saved = async (): Promise<void> => {
    await record.settled()
    await record.onDisk().catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error
    })
  }
  /** Gives a command to the session if it runs here, otherwise to the process that runs it. */
  const command = async (give: (to: SessionCommands) => Done): Promise<Done> => {
    const now = await place.runHere()
    if (now.kind === 'nowhere') return { ok: false, trouble: now.trouble }
    const done = give(now.kind === 'here' ? now.session : toLog)
    await saved()
    return done
  }
  await place.runHere().catch((error: unknown) => {
    record.dispose()
    throw error
  })
  return {
    sessionId,
    record,
    attend: async () => void (await place.runHere()),
    running() {
      const now = place.now()
      return now.kind === 'here' ? now.session : null
    },
    obstacle() {
      const now = place.now()
      if (now.kind === 'here') return null
      return now.kind === 'nowhere' ? now.trouble : RUNS_ELSEWHERE
    },
    snapshot: (limit) => snapshotOf({ record, store }, limit),
    async *watch(cursor, signal) {
      watchers++
      try {
        yield* watchSession({ record, clock, store }, cursor, signal)
      } finally {
        watchers--
      }
    },
    send: (input) => command((to) => to.send(input)),
    withdraw: (inputId) => Promise.resolve(toLog.withdraw(inputId)),
    arrange: (inputIds) => Promise.resolve(toLog.arrange(inputIds)),
    resume: () => command((to) => to.resume()),
    retryNow: () => Promise.resolve(toLog.retryNow()),
    configure: (change) => Promise.resolve(toLog.configure(change)),
    compact: (instructions) => command((to) => to.compact(instructions)),
    undoCompaction: () => Promise.resolve(toLog.undoCompaction()),
    ...undo,
    rename: (name) => Promise.resolve(toLog.rename(name)),
    async stop(withdrawn) {
      const now = await place.runHere()
      if (now.kind === 'here') await now.session.stop(withdrawn)
      else record.transact(() => (isIdle(record.state()) ? [] : [{ kind: 'STOP_REQUESTED', ...(withdrawn && { withdrawn }) }]))
      return { ok: true }
    },
    shown: approvals.shown,
    async answer(given) {
      const now = await place.runHere()
      if (now.kind === 'nowhere') return { kind: 'ignored', why: 'not_running_here', message: now.trouble.what }
      const outcome = await answered(given)
      await saved()
      return outcome
    },
    watchers: () => watchers,
    isUnused() {
      const now = place.now()
      const isInUse = now.kind === 'here' && now.runtime.isInUse()
      return watchers === 0 && isFinished(record.state()) && !isInUse
    },
    close: (how) => place.close(how, undone),
  }
}

async function openRecord({ store, clock, loopWindow }: OpenedSessionParts, sessionId: SessionId): Promise<SessionRecord> {
  await store.prepare(sessionId)
  const from = (): SessionState => store.ledger.snapshot(sessionId, 1) ?? missing(sessionId)
  return createRecord({ sessionId, log: store.log(sessionId), clock, from, loopWindow })
}

const RUNS_ELSEWHERE: Trouble = {
  code: 'runs_elsewhere',
  what: 'The session runs in another process.',
  kept: 'The session continues there.',
  todo: 'Wait for that process to end, or close the session there.',
}

function missing(sessionId: SessionId): never {
  throw new Error(`There is no session ${sessionId}.`)
}
