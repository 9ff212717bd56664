import { hash } from 'node:crypto'
import type { Done } from '../../shared/api/sessions.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { agentIdOf } from '../foreign-agents/known-agents.ts'
import { follow, type WorkParts } from '../sessions/work-and-needs.ts'
import { newId, SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { isIdle, pendingCalls } from '../../shared/session/fold/run-state.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { folderToBringInto, type WithdrawnFor } from '../../shared/session/settings/where.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { movedFolder, type MovedFolderParts } from './moved-folder.ts'
import type { Store } from '../store/store.ts'

interface BringInParts {
  readonly sessions: Pick<Sessions, 'open' | 'create'>
  readonly store: Pick<Store, 'sessions' | 'blobs'>
}

/**
 * The session that brings in the work of `from`. It works in the folder, so its history, its undo and its signatures are about the folder,
 * while those of `from` are about the layer. All that is ever brought in from one session is in this one session.
 */
export const bringInSessionOf = (from: SessionId): SessionId =>
  SessionId.parse(`s_${hash('sha256', `${from}\nbring in`, 'hex').slice(0, 24)}`)

interface Asked {
  readonly session: OpenedSession
  /** Whether there is something to sign. */
  readonly asks: boolean
}

const beingAsked = new Map<SessionId, Promise<Result<Asked, Trouble>>>()

/**
 * Asks the user to sign what a session has changed in its layer. Replaces an open request, because the layer may have changed since. A
 * second call while the first one runs (a double click) gets the same request.
 */
export async function bringIn(parts: BringInParts, from: SessionId, signal: AbortSignal): Promise<Result<Asked, Trouble>> {
  const earlier = beingAsked.get(from)
  if (earlier) return earlier
  const asked = askToBringIn(parts, from, signal).finally(() => beingAsked.delete(from))
  beingAsked.set(from, asked)
  return asked
}

/**
 * Asks the user to sign the changes of a session that this process runs, unless there are none or another turn has begun. Failures are not
 * reported, because the user can also start this by hand.
 */
export async function bringInChanges(parts: BringInParts & MovedFolderParts, from: SessionId, signal: AbortSignal) {
  const source = await parts.sessions.open(from)
  if (!source.ok || source.value.running() === null) return
  const { own } = await movedFolder(parts, from)
  if (own === null || own === 0) return endBringIn(parts, from, 'nothing-left', signal)
  await bringIn(parts, from, signal)
}

/**
 * Ends the request to bring in a session's work, because the session is about to change its layer again. An open request is withdrawn. What
 * the user has already answered is carried out first. Both happen later if the session that asks cannot run now, where it also cannot be
 * answered. `why` is shown to the user.
 */
export async function endBringIn(
  { sessions, store }: BringInParts,
  from: SessionId,
  why: WithdrawnFor,
  signal: AbortSignal,
): Promise<void> {
  const sessionId = bringInSessionOf(from)
  const known = store.sessions.get(sessionId)
  if (known === null || isIdle(known)) return
  const asking = await sessions.open(sessionId)
  if (!asking.ok) return
  const { record, stop, obstacle } = asking.value
  const { items, open, run } = record.state()
  if (isIdle({ run })) return
  const isAnswered = items.some((item) => item.kind === 'call' && open.includes(item.toolCallId) && item.approval?.answer)
  if (!isAnswered) await stop(why)
  const found = obstacle()
  if (found !== null && found.code !== 'runs_elsewhere') return
  await record.until(() => (isIdle(record.state()) ? true : null), signal)
}

async function askToBringIn(parts: BringInParts, from: SessionId, signal: AbortSignal): Promise<Result<Asked, Trouble>> {
  const opened = await openBringIn(parts, from)
  if (!opened.ok) return opened
  const { session, source, ask } = opened.value
  const { record } = session
  const lastEnd = record.state().turnEnd?.seq ?? 0
  const asked = await ask()
  if (!asked.ok) return failed(asked.trouble)
  const asks = await record.until(() => {
    const state = record.state()
    if (pendingCalls(state).length > 0) return { isOpen: true }
    return isIdle(state) && (state.turnEnd?.seq ?? 0) > lastEnd ? { isOpen: false } : null
  }, signal)
  // A turn that began meanwhile found no request to withdraw.
  if (asks.isOpen && !isIdle(source.record.state())) {
    await session.stop('next-turn')
    return failed(STILL_WORKING)
  }
  return ok({ session, asks: asks.isOpen })
}

interface BringIn {
  readonly session: OpenedSession
  /** The session whose work is brought in. */
  readonly source: OpenedSession
  /** Opens the request. */
  ask(): Promise<Done>
}

/** The session that brings in the work of another one, before it asks. `mode`: what is applied without a signature. Default: nothing. */
export async function openBringIn(
  { sessions, store }: BringInParts,
  from: SessionId,
  mode: ApprovalMode = 'ask',
): Promise<Result<BringIn, Trouble>> {
  const source = await sessions.open(from)
  if (!source.ok) return source
  const { cwd, config, run, title } = source.value.record.state()
  const folder = folderToBringInto(config, cwd)
  if (folder === null) return failed(NOT_BESIDE)
  if (!isIdle({ run })) return failed(STILL_WORKING)
  const sessionId = bringInSessionOf(from)
  const isKnown = store.sessions.get(sessionId) !== null
  const opened = isKnown
    ? await sessions.open(sessionId)
    : await sessions.create({ cwd: folder, ...config, mode, where: { kind: 'bring-in', from }, sessionId })
  if (!opened.ok) return opened
  const session = opened.value
  if (!isIdle(session.record.state())) await session.stop('newer-request')
  const configured = await session.configure({ mode })
  if (!configured.ok) return failed(configured.trouble)
  const ask = (): Promise<Done> => session.send({ inputId: newId('i'), text: `Bring in “${title}”`, delivery: 'queue' })
  return ok({ session, source: source.value, ask })
}

const NOT_BESIDE: Trouble = {
  code: 'not_beside',
  what: 'This session works in the folder itself, so there is nothing to bring in.',
  kept: 'The folder and the session are unchanged.',
  todo: 'Start a session beside the folder to sign its work as a whole.',
}

const STILL_WORKING: Trouble = {
  code: 'still_working',
  what: 'The session is still working in its layer.',
  kept: 'The folder is unchanged, and the session goes on.',
  todo: 'Wait until its turn has ended, or stop it, and bring its work in then.',
}

/**
 * Calls `ask` after each turn of a third-party agent, until disposed. Rejections are ignored, because the user can still open the request
 * by hand.
 */
export function askAfterTurns({ sessions }: Pick<WorkParts, 'sessions'>, ask: (sessionId: SessionId) => Promise<void>): Disposable {
  const ends = new Map<SessionId, number>()
  return follow(sessions, (item) => {
    if (item.kind === 'all') for (const { sessionId, turnEnd } of item.sessions) ends.set(sessionId, turnEnd)
    else if (item.kind === 'removed') ends.delete(item.sessionId)
    else {
      const { sessionId, turnEnd, config } = item.session
      if (!isIdle(item.session) || turnEnd <= (ends.get(sessionId) ?? 0)) return
      ends.set(sessionId, turnEnd)
      if (agentIdOf(config) !== null) ask(sessionId).catch(() => {})
    }
  })
}
