import { join } from 'node:path'
import type { Amendment } from '../../../shared/session/amendment.ts'
import type { AppCalls } from './app-calls.ts'
import { type Killed, perform } from './perform.ts'
import { applied, type Cells, cellsOf, isSame, proposal, type Proposed, settle, signedWhole, targetOf, undone } from './reference.ts'
import { copyOf, type DoneStep, layerOf, type Run, same, sessionOf } from './run.ts'
import type { Part } from './steps.ts'

/** Asks to bring in the work of a session, checks the request, and signs these parts of it. Refuses it if there are none. */
export async function sign(run: Run, index: number, parts: readonly Part[], killed?: Killed): Promise<void> {
  const session = sessionOf(run, index)
  const after = copyOf(run.world)
  const layer = layerOf(after, index)
  const { asked, contained, leftOut } = proposal(layer, after.folder)
  const offered = copyOf(after)
  if (asked.length === 0) signedWhole(layerOf(offered, index), contained)
  const offer: { value: Awaited<ReturnType<AppCalls['offer']>> | null } = { value: null }
  const isOffered = await perform(run, async () => {
    offer.value = await run.app.call('offer', { sessionId: session.sessionId })
    checkOffer(offer.value, asked, leftOut)
  }, [offered])
  const request = offer.value?.request
  if (!isOffered || !offer.value || !request) return
  const chosen = asked.map((one, at) => ({ one, part: partOf(one, parts[at] ?? 'nothing') }))
  const taken = chosen.filter(({ part }) => part !== 'nothing')
  const amendments = chosen.flatMap(({ one, part }) => amendmentOf(run.folder, one, part))
  const files: DoneStep['files'] = taken
    .map(({ one, part }) => ({ path: one.path, before: one.now, after: signedPart(one, part) }))
    // A file whose changes are all in conflict is signed as it is.
    .filter(({ before, after: signed }) => !isSame(before, signed))
  const inFolderOnly = copyOf(after)
  if (amendments.length === 0) signedWhole(layer, contained)
  for (const { one, part } of taken) {
    applied(layer, after.folder, one, signedPart(one, part))
    inFolderOnly.folder.set(one.path, signedPart(one, part))
  }
  const given = { sessionId: offer.value.bringIn, approvalId: request.approvalId, hash: request.hash }
  const answer = taken.length === 0 ? ({ kind: 'refuse', note: null } as const) : ({ kind: 'sign', amendments } as const)
  const isAnswered = await perform(run, () => run.app.call('answer', { ...given, answer }), [after, inFolderOnly], killed)
  if (isAnswered && files.length > 0) session.signed.push({ step: request.step, files })
}

function checkOffer({ request }: Awaited<ReturnType<AppCalls['offer']>>, asked: readonly Proposed[], leftOut: readonly string[]): void {
  const shown = (request?.files ?? []).map(({ path, after, conflicts }) => [path, { after: cellsOf(after), conflicts }] as const)
  const wanted = asked.map(({ path, merged, conflicts }) => [path, { after: merged, conflicts: conflicts.length }] as const)
  same('what is asked for', Object.fromEntries(shown), Object.fromEntries(wanted))
  if (request !== null) same('what is left out', request.leftOut.toSorted(), leftOut)
}

/** Undoes in the folder what was signed last, unless later changes are in the way. */
export async function undoSigned(run: Run, index: number, killed: Killed): Promise<void> {
  const session = sessionOf(run, index)
  const last = session.signed.pop()
  if (!last) return
  const after = copyOf(run.world)
  const layer = layerOf(after, index)
  settle(layer, after.folder)
  const inFolderOnly = copyOf(after)
  for (const { path, before, after: signed } of last.files) {
    if (!undone(layer, after.folder, path, before, signed)) return
    inFolderOnly.folder.set(path, after.folder.get(path) ?? null)
  }
  const { sessionId } = session
  const undo = async (): Promise<void> => same('what is skipped', await run.app.call('undoBringIn', { sessionId, step: last.step }), [])
  await perform(run, undo, [after, inFolderOnly], killed)
}

const changedCells = ({ now, merged }: Proposed): readonly number[] =>
  now === null || merged === null || targetOf(now) !== null || targetOf(merged) !== null
    ? []
    : now.flatMap((cell, at) => (cell === merged[at] ? [] : [at]))

/** Hunks can be chosen only where there are several. */
const partOf = (one: Proposed, part: Part): Part =>
  part === 'nothing' || (one.conflicts.length === 0 && changedCells(one).length > 1) ? part : 'all'

const isTaken = (part: Part, at: number): boolean => part === 'all' || (part === 'first hunk') === (at === 0)

function signedPart(one: Proposed, part: Part): Cells {
  if (part === 'all' || one.now === null) return one.merged
  const taken = new Set(changedCells(one).filter((_, at) => isTaken(part, at)))
  return one.now.map((cell, at) => (taken.has(at) ? (one.merged?.[at] ?? '') : cell))
}

function amendmentOf(folder: string, one: Proposed, part: Part): readonly Amendment[] {
  const path = join(folder, one.path)
  if (part === 'all') return []
  if (part === 'nothing') return [{ kind: 'leave', path }]
  const hunks = changedCells(one).map((cell, at) => {
    const range = [2 * cell, 2 * cell + 1] as const
    const kind: 'accept' | 'reject' = isTaken(part, at) ? 'accept' : 'reject'
    return { before: range, after: range, decision: { kind } }
  })
  return [{ kind: 'hunks', path, hunks }]
}
