import { join } from 'node:path'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { Effect } from '../../shared/session/effects.ts'
import type { DurableEvent, Trouble } from '../../shared/session/events.ts'
import type { FileChange } from '../../shared/session/file-change.ts'
import { type SkippedFile, undoSkipWords } from '../../shared/session/rollback.ts'
import { listedNames } from '../../shared/lib/short-count.ts'
import type { LayerChange, LayerChanges, LayerFile, Layers } from '../agent/ports/layers.ts'
import { baseAfter } from '../changes/bases-after-bring-in.ts'
import { countChangedLinesInSlices } from '../changes/count-changed-lines.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import type { Store } from '../store/store.ts'

export interface RefusedParts {
  /** The session that asked for the signature. */
  readonly asking: SessionId
  /** The session whose work was to be signed. */
  readonly from: SessionId
  /** The name of its agent. */
  readonly agent: string
  readonly store: Pick<Store, 'log' | 'blobs'>
  readonly layers: Pick<Layers, 'changes'>
  open(sessionId: SessionId): Promise<Result<OpenedSession, Trouble>>
}

/** Maximum number of names in a sentence. */
const MAX_NAMES = 5

/**
 * Removes from a third-party agent's layer what the user refused in the newest request. The layer keeps what was signed and what the agent
 * has changed since. The removal is an undo in the agent's session, so the agent learns about it with its next message. Returns a
 * description of what was done. Null if the request was not decided, or if what was signed could not be applied.
 */
export async function removeRefused(parts: RefusedParts): Promise<string | null> {
  const { from, agent, open } = parts
  const refused = answeredRequest([...parts.store.log(parts.asking).read({ after: 0 })].map(({ event }) => event))
  if (refused === null) return null
  const own = JSON.parse(Buffer.from(await parts.store.blobs.getInSlices(refused.changeSet)).toString()) as LayerChanges
  const { files, skipped } = await changesWithout(own, refused, parts)
  if (files.length + skipped.length === 0) return ''
  const source = files.length === 0 ? null : await open(from)
  if (source && !source.ok) return notRemoved(agent, source.failure)
  const target = { kind: 'refused', note: refused.note } as const
  const outcome = await source?.value.carryOutUndo({ target, files, skipped, uncovered: [] })
  if (outcome?.kind === 'refused') return notRemoved(agent, outcome.trouble)
  const { files: done, skipped: left } = outcome?.kind === 'done' ? outcome.rollback : { files: [], skipped }
  const names = (some: readonly { readonly shown: string }[]): string => listedNames(some.map(({ shown }) => shown).toSorted(), MAX_NAMES)
  return [
    ...(done.length === 0
      ? []
      : [`The changes you refused were removed from the layer: ${names(done)}. ${agent} will learn about this with your next message.`]),
    ...left.map((file) => `The change you refused in ${file.shown} stays in the layer: ${undoSkipWords(file)}.`),
  ].join(' ')
}

interface AnsweredRequest {
  readonly changeSet: LayerFile['hash']
  /** The absolute paths that the request showed. */
  readonly paths: ReadonlySet<string>
  readonly note: string | null
}

/** The newest request, if the user has refused it, or has signed it and it was applied. Null otherwise. */
function answeredRequest(events: readonly DurableEvent[]): AnsweredRequest | null {
  const asked = events.findLast((event) => event.kind === 'COPY_ENDED')
  if (!asked?.changeSet) return null
  const { toolCallId } = asked
  const answer = events.findLast((event) => event.kind === 'APPROVAL_ANSWERED' && event.toolCallId === toolCallId)
  const end = events.findLast((event) => event.kind === 'TOOL_CALL_END' && event.toolCallId === toolCallId)
  if (answer?.kind !== 'APPROVAL_ANSWERED' || end?.kind !== 'TOOL_CALL_END') return null
  const given = answer.answer
  const isDecided = given.kind === 'signed' ? end.outcome === 'done' && !end.isError : given.kind === 'refused' && given.by === 'person'
  if (!isDecided) return null
  // The base does not show what was signed of a file in conflict, so nothing of it is removed.
  const isUnclear = (effect: Effect): boolean => given.kind === 'signed' && effect.kind === 'write' && effect.conflict !== undefined
  const paths = new Set(asked.effects.flatMap((effect) => ('path' in effect && !isUnclear(effect) ? [effect.path] : [])))
  return { changeSet: asked.changeSet.hash, paths, note: given.kind === 'refused' ? given.note : null }
}

/**
 * The changes that remove unsigned work from the layer, and the files that are skipped because the agent has changed the same lines since.
 */
async function changesWithout(
  own: LayerChanges,
  { paths }: AnsweredRequest,
  { from, layers, store: { blobs } }: RefusedParts,
): Promise<{ readonly files: readonly FileChange[]; readonly skipped: readonly SkippedFile[] }> {
  const asked = new Map(own.files.map((file) => [file.path, file]))
  const files: FileChange[] = []
  const skipped: SkippedFile[] = []
  for (const { path: shown, base, own: now } of (await layers.changes(from)).files) {
    const path = join(own.folder, shown)
    const proposed = asked.get(shown)
    // Signed changes become part of the base, so any remaining difference was refused.
    if (proposed === undefined || !paths.has(path) || isSame(proposed.own, base)) continue
    const wanted = await baseAfter(now, { before: proposed.own, after: base }, blobs)
    if (wanted === undefined) skipped.push({ path, shown, why: 'changed-by-agent' })
    else if (!isSame(now, wanted)) files.push(await changeOf(path, { path: shown, base: now, own: wanted }, blobs))
  }
  return { files, skipped }
}

async function changeOf(path: string, { path: shown, base, own }: LayerChange, blobs: RefusedParts['store']['blobs']): Promise<FileChange> {
  const bytesOf = async (file: LayerFile | null): Promise<Uint8Array | null> => file && blobs.getInSlices(file.hash)
  return {
    path,
    shown,
    before: base?.hash ?? null,
    after: own?.hash ?? null,
    beforeBytes: base?.size ?? 0,
    afterBytes: own?.size ?? 0,
    beforeMode: base?.mode ?? null,
    afterMode: own?.mode ?? null,
    lines: await countChangedLinesInSlices(await bytesOf(base), await bytesOf(own)),
  }
}

const isSame = (a: LayerFile | null, b: LayerFile | null): boolean => a?.hash === b?.hash && a?.mode === b?.mode

const notRemoved = (agent: string, { what }: Trouble): string =>
  `The changes you refused are still in the layer, and ${agent} does not know about the refusal. ${what} The next request will show them again.`
