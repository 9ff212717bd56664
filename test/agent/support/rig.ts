import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { LoopParts } from '../../../main/agent/loop.ts'
import type { Clock } from '../../../main/agent/ports/clock.ts'
import type { Provider } from '../../../main/agent/ports/provider.ts'
import { createRecord } from '../../../main/agent/record/session-record.ts'
import { createPromptAndTools } from '../../../main/agent/answer/prompt-and-tools.ts'
import { createSession, type Session, takeOverSession } from '../../../main/agent/session.ts'
import { isControlFile } from '../../../main/approval/control-files.ts'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import type { SessionRuntime } from '../../../main/sessions/running-place.ts'
import { openStore } from '../../../main/store/open-store.ts'
import type { Store } from '../../../main/store/store.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { DurableEvent, SessionConfigured } from '../../../shared/session/events.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { testRuntime, testWorkspaces, type RuntimeOptions } from './runtime.ts'
import { expectSameAfterImport, watchFold } from '../../transfer/support/same-fold.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export interface RigOptions extends RuntimeOptions {
  readonly mode?: SessionConfigured['mode']
  readonly storeClock?: Pick<Clock, 'now'>
  /** Whether the session is left from an earlier process: its log exists, but no process runs the session yet. */
  readonly isLeftBehind?: boolean
  /** Whether commands run in copies of the folder. */
  readonly inCopies?: boolean
  /** Syncs the journal to the disk in place of `fdatasync`. */
  readonly sync?: (fd: number) => Promise<void>
}

/** A session over real parts: a folder, an SQLite file, the tools and the policy. Only the model is scripted. */
export interface Rig {
  readonly folder: string
  /** The data folder. */
  readonly data: string
  readonly store: Store
  readonly sessionId: SessionId
  readonly session: Session
  readonly undo: SessionRuntime['undo']
  /** Creates new parts over the same log, as the next process would. */
  parts(): LoopParts
  takeOver(): Promise<Session>
  /** Stops everything that the session left running, as closing a session in the app does. */
  close(): Promise<void>
  events(): readonly DurableEvent[]
  kinds(): readonly DurableEvent['kind'][]
  /** Returns the fold of the entire log. */
  replay(): SessionState
}

export async function openRig(provider: Provider, options: RigOptions = {}): Promise<Rig> {
  const base = temporaryFolder('agent')
  const folder = join(base, 'workspace')
  await mkdir(folder)
  const data = join(base, 'data')
  const opened = await openStore(data, {
    ...(options.storeClock && { clock: options.storeClock }),
    ...(options.sync && { sync: options.sync }),
  })
  if (!opened.ok) throw new Error(opened.failure.what)
  const store = opened.value
  onTestFinished(() => store.close())
  const config = { provider: 'anthropic', model: 'scripted', mode: options.mode ?? 'ask', effort: null, baseUrl: null } as const
  const sessionId = store.sessions.create({ cwd: folder, ...config })
  // Every test with this rig also checks that a window's state equals a replay of the log, and that an export and an import change nothing.
  onTestFinished(watchFold(store, sessionId))
  onTestFinished(() => expectSameAfterImport(store, sessionId))
  const isControl = (path: string): boolean => isControlFile(path.split('/'))
  const createCopies = (at: string) => createLocalCommandCopies({ folder: at, layers: join(data, 'copies'), hidden: [data], isControl })
  const workspaces = testWorkspaces(undefined, options.inCopies ? createCopies : undefined)
  onTestFinished(() => workspaces.closeAll())
  const runtime = await testRuntime(store, workspaces, { sessionId, folder }, provider, options)
  const parts = (): LoopParts => loopParts({ store, sessionId, runtime })
  const running = (session: Session): Session => {
    onTestFinished(() => session.suspend())
    return session
  }
  const session = running(createSession(parts()))
  if (options.isLeftBehind) await session.suspend()
  const events = (): readonly DurableEvent[] => [...store.log(sessionId).read()].map(({ event }) => event)
  return {
    folder,
    data,
    store,
    sessionId,
    session,
    undo: runtime.undo,
    parts,
    close: () => runtime.close(),
    takeOver: async () => running(await takeOverSession(parts())),
    events,
    kinds: () => events().map(({ kind }) => kind),
    replay: () => foldAll(emptySession(sessionId), store.log(sessionId).read()),
  }
}

interface Given {
  readonly store: Store
  readonly sessionId: SessionId
  readonly runtime: SessionRuntime
}

function loopParts({ store, sessionId, runtime }: Given): LoopParts {
  const record = createRecord({ sessionId, log: store.log(sessionId), clock: systemClock })
  return { ...runtime, record, clock: systemClock, contexts: createPromptAndTools(record, store.blobs) }
}

/** Resolves with the calls that wait for a signature, as soon as there are at least `count` of them. */
export function waiting(session: Session, count = 1): Promise<readonly CallItem[]> {
  return session.record.until(() => {
    const calls = session.state().items.filter((item): item is CallItem => item.kind === 'call' && item.status === 'waiting')
    return calls.length >= count ? calls : null
  }, new AbortController().signal)
}

/** Signs the waiting call, as a user at a terminal would. If `note` is given, even as null, refuses the call instead. */
export function answerCall(session: Session, call: CallItem | undefined, note?: string | null) {
  if (!call?.approval) throw new Error('Nothing waits.')
  const answer = note === undefined ? ({ kind: 'sign' } as const) : ({ kind: 'refuse', note } as const)
  return session.answer({ approvalId: call.approval.approvalId, hash: call.approval.hash, answer, from: 'terminal' })
}
