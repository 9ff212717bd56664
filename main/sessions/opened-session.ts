import type { AnswerOutcome } from '../../shared/api/approvals.ts'
import type { Done, SessionStreamItem, SessionSummary } from '../../shared/api/sessions.ts'
import type { ApprovalId, SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { tryAll } from '../../shared/lib/try-all.ts'
import type { ConversationPoint } from '../../shared/session/conversation-move.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import { isFinished, isIdle } from '../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { UndoTarget } from '../../shared/session/rollback.ts'
import type { UndoOutcome, UndoPreview, UndoRequest } from '../../shared/session/undo-preview.ts'
import { type Approvals, createApprovals, type GivenAnswer } from '../agent/approvals.ts'
import { createSessionCommands, type GivenInput, type SessionCommands } from '../agent/session-commands.ts'
import type { LoopParts } from '../agent/loop.ts'
import type { Amending } from '../agent/ports/amending.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { retryWhileLocked } from '../agent/record/retry-while-locked.ts'
import { createRecord, type SessionRecord } from '../agent/record/session-record.ts'
import { recover } from '../agent/record/recovery.ts'
import { createPromptAndTools } from '../agent/answer/prompt-and-tools.ts'
import { type Session, takeOverSession } from '../agent/session.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Undo, UndoRecord } from '../changes/undo/undo.ts'
import { goBack, pointFor } from './go-back.ts'
import type { SessionStore } from './session-store.ts'
import { snapshotOf, watchSession } from './watch-session.ts'

/** Everything that a session needs to run. `close` releases its workspace. */
export interface SessionRuntime extends Omit<LoopParts, 'record' | 'clock' | 'contexts'> {
  readonly undo: Undo
  /** Whether a subagent, a background command or a persistent shell still needs the runtime, even without a turn. */
  isInUse(): boolean
  close(): Promise<void>
}

export interface OpenedSessionParts {
  readonly store: SessionStore
  readonly clock: Clock
  readonly amending: Pick<Amending, 'amend'>
  /** Fails if the session cannot work now because its folder is gone or not trusted. Its history can still be read. */
  runtimeFor(session: SessionSummary): Promise<Result<SessionRuntime, Trouble>>
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
  stop(): Promise<Done>
  resume(): Promise<Done>
  retryNow(): Promise<Done>
  configure(change: Partial<SessionConfigured>): Promise<Done>
  compact(instructions: string): Promise<Done>
  undoCompaction(): Promise<Done>
  /** The changes that an undo would make to the files. Changes nothing. */
  previewUndo(target: UndoTarget): Promise<Result<UndoPreview, Trouble>>
  undo(request: UndoRequest): Promise<UndoOutcome>
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

type Held = { readonly kind: 'held'; readonly session: Session; readonly runtime: SessionRuntime }
type ClaimState = Held | { readonly kind: 'follows' } | { readonly kind: 'unavailable'; readonly trouble: Trouble }

const DONE: Done = { ok: true }

export async function openSession(parts: OpenedSessionParts, summary: SessionSummary): Promise<OpenedSession> {
  const { store, clock } = parts
  const { sessionId } = summary
  const record = await openRecord(parts, sessionId)
  const follower = createSessionCommands(record, false)
  const approvals: Approvals = createApprovals(record, clock, parts.amending)
  let claimState: ClaimState = { kind: 'follows' }
  let taking: Promise<ClaimState> | null = null
  let watchers = 0
  let isClosed = false

  /** Runs the session here if no live process does. */
  const take = async (): Promise<ClaimState> => {
    if (isClosed) return { kind: 'unavailable', trouble: CLOSED_HERE }
    if (claimState.kind === 'held') return claimState
    taking ??= takeOver(parts, record, summary).finally(() => (taking = null))
    claimState = await taking
    return claimState
  }
  const wish = async (here: (session: Session) => Done, there: () => Done): Promise<Done> => {
    const now = await take()
    if (now.kind === 'unavailable') return { ok: false, trouble: now.trouble }
    return onceSettled(record, now.kind === 'held' ? here(now.session) : there())
  }
  const ask = (of: (commands: SessionCommands) => Done): Promise<Done> => wish(of, () => of(follower))
  const undos = undosOf(take, record)
  await take().catch((error: unknown) => {
    record.dispose()
    throw error
  })
  return {
    sessionId,
    record,
    attend: async () => void (await take()),
    running: () => (claimState.kind === 'held' ? claimState.session : null),
    obstacle: () => (claimState.kind === 'held' ? null : claimState.kind === 'unavailable' ? claimState.trouble : RUNS_ELSEWHERE),
    snapshot: (limit) => snapshotOf({ record, store }, limit),
    async *watch(cursor, signal) {
      watchers++
      try {
        yield* watchSession({ record, clock, store }, cursor, signal)
      } finally {
        watchers--
      }
    },
    send: (input) => ask((to) => to.send(input)),
    withdraw: (inputId) => Promise.resolve(follower.withdraw(inputId)),
    arrange: (inputIds) => Promise.resolve(follower.arrange(inputIds)),
    resume: () => ask((to) => to.resume()),
    retryNow: () => Promise.resolve(follower.retryNow()),
    configure: (change) => Promise.resolve(follower.configure(change)),
    compact: (instructions) => ask((to) => to.compact(instructions)),
    undoCompaction: () => Promise.resolve(follower.undoCompaction()),
    ...undos,
    rename: (name) => Promise.resolve(follower.rename(name)),
    async stop() {
      const now = await take()
      if (now.kind === 'held') await now.session.stop()
      else record.transact(() => (!isIdle(record.state()) ? [{ kind: 'STOP_REQUESTED' }] : []))
      return DONE
    },
    shown: approvals.shown,
    async answer(given) {
      const now = await take()
      if (now.kind === 'unavailable') return { kind: 'ignored', why: 'not_running_here', message: now.trouble.what }
      return onceSettled(record, approvals.answer(given))
    },
    watchers: () => watchers,
    isUnused: () => watchers === 0 && isFinished(record.state()) && !(claimState.kind === 'held' && claimState.runtime.isInUse()),
    async close(how) {
      isClosed = true
      const now = taking ? await taking : claimState
      if (now.kind !== 'held') return record.dispose()
      const { session, runtime } = now
      const end = (): Promise<void> => (how === 'end' ? session.close() : session.suspend())
      await tryAll(undos.settled, end, runtime.close, () => giveBack(store, sessionId), record.dispose)
    },
  }
}

/** Resolves to `value`. If another process has locked the store, first waits briefly, so that the data can reach the disk. */
async function onceSettled<T>(record: SessionRecord, value: T): Promise<T> {
  await record.settled()
  return value
}

async function openRecord({ store, clock, loopWindow }: OpenedSessionParts, sessionId: SessionId): Promise<SessionRecord> {
  await store.prepare(sessionId)
  const from = (): SessionState => store.ledger.snapshot(sessionId, 1) ?? missing(sessionId)
  return createRecord({ sessionId, log: store.log(sessionId), clock, from, loopWindow })
}

/**
 * Undo works only in the process that runs the session, because its write lock prevents the session's own steps from writing at the same
 * time.
 */
function undosOf(take: () => Promise<ClaimState>, record: SessionRecord) {
  let running: Promise<void> = Promise.resolve()
  return {
    async previewUndo(target: UndoTarget): Promise<Result<UndoPreview, Trouble>> {
      const now = await take()
      if (now.kind !== 'held') return failed(notHere(now))
      return now.runtime.undo.preview(target).then(ok<UndoPreview>, (error: unknown) => failed(nothingUndone(error)))
    },
    async undo(request: UndoRequest): Promise<UndoOutcome> {
      const now = await take()
      if (now.kind !== 'held') return { kind: 'refused', trouble: notHere(now) }
      const point = request.conversation && (await pointFor(record, request.conversation))
      if (point && !point.ok) return { kind: 'refused', trouble: point.failure }
      const outcome = now.runtime.undo.run(undoRecord(record), request, point?.value ?? null)
      running = outcome.then(
        () => {},
        () => {},
      )
      return outcome.catch((error: unknown) => ({ kind: 'refused' as const, trouble: nothingUndone(error) }))
    },
    async goBack(point: ConversationPoint): Promise<Done> {
      await take()
      return goBack(record, point)
    },
    settled: () => running,
  }
}

const undoRecord = (record: SessionRecord): UndoRecord => ({
  ...record,
  appendOnDisk: (event) => retryWhileLocked(() => record.appendOnDisk(event)),
})

function notHere(claimState: Exclude<ClaimState, Held>): Trouble {
  return claimState.kind === 'unavailable' ? claimState.trouble : NOT_UNDONE_HERE
}

/** The message if the storage failed before an undo began. Throws any other error. */
function nothingUndone(error: unknown): Trouble {
  if (!(error instanceof StorageError)) throw error
  return { ...error.trouble, kept: 'Nothing was undone. All files are unchanged.' }
}

const RUNS_ELSEWHERE: Trouble = {
  code: 'runs_elsewhere',
  what: 'The session runs in another process.',
  kept: 'The session continues there.',
  todo: 'Wait for that process to end, or close the session there.',
}

const NOT_UNDONE_HERE: Trouble = {
  code: 'runs_elsewhere',
  what: 'Another Countersign process runs this session, so its changes cannot be undone here.',
  kept: 'All files are unchanged.',
  todo: 'Undo the changes in that process, or close the session there first.',
}

const DELETED: Trouble = {
  code: 'session_deleted',
  what: 'This session was deleted by another Countersign process.',
  kept: 'All other sessions and all files in the folder are unchanged.',
  todo: 'Send your message in a new session.',
}

/** The failure for a caller that still uses the object of a closed session. */
const CLOSED_HERE: Trouble = {
  code: 'session_closed_here',
  what: 'The session was closing.',
  kept: 'The history of the session is unchanged.',
  todo: 'Try again.',
}

async function takeOver(
  { store, clock, runtimeFor }: Omit<OpenedSessionParts, 'amending'>,
  record: SessionRecord,
  summary: SessionSummary,
): Promise<ClaimState> {
  const { sessionId } = record
  if (!(await acquired(store, sessionId))) return { kind: 'follows' }
  try {
    if (store.sessions.get(sessionId) === null) throw new StorageError(DELETED)
    return await started({ store, clock, runtimeFor }, record, summary)
  } catch (error) {
    // Another process may be able to run the session.
    giveBack(store, sessionId)
    throw error
  }
}

async function started(
  { store, clock, runtimeFor }: Omit<OpenedSessionParts, 'amending'>,
  record: SessionRecord,
  summary: SessionSummary,
): Promise<ClaimState> {
  const runtime = await runtimeFor(summary)
  if (!runtime.ok) {
    await recover(record, null, new AbortController().signal)
    giveBack(store, record.sessionId)
    return { kind: 'unavailable', trouble: runtime.failure }
  }
  try {
    const contexts = createPromptAndTools(record, runtime.value.dispatch.blobs)
    const session = await takeOverSession({ ...runtime.value, record, clock, contexts })
    await runtime.value.undo.finish(undoRecord(record))
    return { kind: 'held', session, runtime: runtime.value }
  } catch (error) {
    await runtime.value.close()
    throw error
  }
}

/**
 * Tries to get the claim. False if another process has it. While claims cannot be stored, a session that no process has claimed runs
 * without a claim, and its data is kept in memory.
 */
async function acquired(store: SessionStore, sessionId: SessionId): Promise<boolean> {
  try {
    return (await retryWhileLocked(() => store.claims.acquire(sessionId))).ok
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return !heldByOther(store, sessionId)
  }
}

function heldByOther(store: SessionStore, sessionId: SessionId): boolean {
  try {
    return store.claims.holder(sessionId)?.here === false
  } catch (error) {
    if (error instanceof StorageError) return false
    throw error
  }
}

/** If a claim cannot be released, it expires with this process. */
function giveBack(store: SessionStore, sessionId: SessionId): void {
  try {
    store.claims.release(sessionId)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}

function missing(sessionId: SessionId): never {
  throw new Error(`There is no session ${sessionId}.`)
}
