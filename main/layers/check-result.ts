import { dirname } from 'node:path'
import type { CheckItem } from '../../shared/api/bring-in.ts'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import { type ApprovalId, newId, SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Amendment } from '../../shared/session/amendment.ts'
import type { Effect } from '../../shared/session/effects.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { pendingCalls } from '../../shared/session/fold/run-state.ts'
import { mapAtOnce } from '../../shared/lib/map-at-once.ts'
import type { Amending } from '../agent/ports/amending.ts'
import type { CommandCopies } from '../agent/ports/command-copies.ts'
import type { ExecOptions, ExecResult } from '../agent/ports/execution-environment.ts'
import { toolError } from '../agent/tool-output.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Workspace, Workspaces } from '../workspace/workspaces.ts'

export interface CheckParts {
  readonly sessions: Pick<Sessions, 'open'>
  readonly store: Pick<Store, 'sessions' | 'blobs'>
  readonly workspaces: Workspaces
  readonly amending: Pick<Amending, 'amend'>
  /** The copies of this place without the files that the user's rules deny. */
  readonly copiesIn: (place: Workspace, session: SessionSummary) => CommandCopies | null
}

/** What is checked: the request, and what the user would sign of it. */
export interface CheckedResult {
  readonly sessionId: SessionId
  readonly approvalId: ApprovalId
  readonly amendments: readonly Amendment[]
  readonly command: string
}

/** Maximum time of a check, in ms. */
const LONGEST_MS = 30 * 60_000
const AT_ONCE = 8
/** Maximum number of characters of the output that are shown. */
const TAIL = 8_000

/** Runs a command in a copy of the folder as it would be after the signature. The copy is a layer over the folder that lives as long. */
export async function* checkResult(parts: CheckParts, checked: CheckedResult, signal: AbortSignal): AsyncGenerator<CheckItem> {
  yield { kind: 'preparing' }
  const found = await effectsOf(parts, checked)
  if (!found.ok) {
    yield { kind: 'failed', trouble: found.failure }
    return
  }
  const { session, effects } = found.value
  const folder = await parts.workspaces.open(session.folder)
  if (!folder.ok) {
    yield { kind: 'failed', trouble: folder.failure }
    return
  }
  const { layers, close } = folder.value
  const own = SessionId.parse(newId('s'))
  try {
    if (layers === null) throw new Error('There are no layers over this folder.')
    await layers.make(own, signal)
    yield* runIn(parts, { ...checked, session, own, effects }, signal)
  } catch (error) {
    if (!signal.aborted) yield { kind: 'failed', trouble: notChecked(toolError(error)) }
  } finally {
    await layers?.remove(own)
    await close()
  }
}

async function effectsOf(
  { sessions, store, amending }: CheckParts,
  { sessionId, approvalId, amendments }: CheckedResult,
): Promise<Result<{ readonly session: SessionSummary; readonly effects: readonly Effect[] }, Trouble>> {
  const opened = await sessions.open(sessionId)
  if (!opened.ok) return opened
  const session = store.sessions.get(sessionId)
  const call = pendingCalls(opened.value.record.state()).find(({ approval }) => approval?.approvalId === approvalId)
  if (!call || session === null) return failed(notChecked('The request has been answered or replaced.'))
  if (amendments.length === 0) return ok({ session, effects: call.effects })
  const amended = amending.amend(call.effects, amendments)
  return amended.ok ? ok({ session, effects: amended.value.effects }) : failed(notChecked(amended.failure))
}

interface Run extends CheckedResult {
  readonly session: SessionSummary
  /** The owner of the layer in which the command runs. */
  readonly own: SessionId
  readonly effects: readonly Effect[]
}

async function* runIn(parts: CheckParts, { session, own, effects, command }: Run, signal: AbortSignal): AsyncGenerator<CheckItem> {
  const opened = await parts.workspaces.openLayer(session.folder, own)
  if (!opened.ok) {
    yield { kind: 'failed', trouble: opened.failure }
    return
  }
  const place = opened.value
  try {
    await write(place, effects, parts.store.blobs)
    let tail = ''
    let wake = Promise.withResolvers<void>()
    const onProgress = (now: string): void => {
      tail = now
      wake.resolve()
    }
    const running = ran(parts, { place, session }, command, { signal, timeoutMs: LONGEST_MS, onProgress })
    const ended = running.then(
      () => true,
      () => true,
    )
    yield { kind: 'running', tail }
    while (!(await Promise.race([ended, wake.promise.then(() => false)]))) {
      wake = Promise.withResolvers()
      yield { kind: 'running', tail }
    }
    yield { kind: 'ended', ...(await running) }
  } finally {
    await place.close()
  }
}

type Outcome = Omit<Extract<CheckItem, { kind: 'ended' }>, 'kind'>

/** Runs the command in the layer, or in a copy of it where the layer confines nothing. It reaches no host. */
async function ran(
  { copiesIn }: CheckParts,
  { place, session }: { readonly place: Workspace; readonly session: SessionSummary },
  command: string,
  options: Pick<ExecOptions, 'signal' | 'timeoutMs' | 'onProgress'>,
): Promise<Outcome> {
  if (place.inside !== null) {
    const begun = await place.inside.begin(() => Promise.resolve(false))
    try {
      return outcomeOf(await place.environment.execCommand(command, options), null)
    } finally {
      begun.dispose()
    }
  }
  const copies = copiesIn(place, session)
  if (copies === null) throw new Error('Commands cannot run in copies here.')
  const { result, unfit, drop } = await copies.run(command, options)
  await drop()
  return outcomeOf(result, unfit)
}

function outcomeOf(result: ExecResult, unfit: string | null): Outcome {
  const { exitCode, signal, timedOut, durationMs, stdout, stderr } = result
  const end = timedOut ? 'it took too long' : exitCode === null ? `it was ended by ${signal ?? 'a signal'}` : `exit ${exitCode}`
  const tail = [stdout, stderr].filter((text) => text !== '').join('\n')
  return { passed: exitCode === 0, why: unfit === null ? end : `${end}. ${unfit}`, tail: tail.slice(-TAIL), durationMs }
}

/** Makes the layer equal to the folder after the signature. */
async function write({ environment }: Workspace, effects: readonly Effect[], blobs: Pick<Store['blobs'], 'getInSlices'>): Promise<void> {
  const deleted = effects.flatMap((effect) => {
    const isDeletion = effect.kind === 'delete' || (effect.kind === 'link' && effect.before !== null)
    return isDeletion ? [effect.path] : []
  })
  await mapAtOnce(deleted, AT_ONCE, (path) => environment.deleteFile(path))
  await mapAtOnce(effects, AT_ONCE, async (effect) => {
    if (effect.kind === 'write') {
      const mode = effect.mode === undefined ? {} : { mode: effect.mode }
      await environment.writeBytes(effect.path, await blobs.getInSlices(effect.after), mode)
    } else if (effect.kind === 'permissions') await environment.setMode(effect.path, effect.after)
  })
  for (const effect of effects) {
    if (effect.kind !== 'link' || effect.after === null) continue
    const folder = dirname(effect.path)
    if ((await environment.lstat(folder)) === null) await environment.createFolder(folder, 0o755)
    await environment.symlink(effect.after, effect.path)
  }
}

const notChecked = (why: string): Trouble => ({
  code: 'not_checked',
  what: `The result was not checked. ${why}`,
  kept: 'The folder, the layer and your decisions are unchanged.',
  todo: 'Try again, or sign without a check.',
})
