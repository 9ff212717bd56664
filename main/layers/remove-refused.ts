import { dirname, join } from 'node:path'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { BlobHash, SessionId } from '../../shared/lib/ids.ts'
import type { AmendedFile } from '../../shared/session/amendment.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { FileChange, FolderChange } from '../../shared/session/file-change.ts'
import { type SkippedFile, undoSkipWords } from '../../shared/session/rollback.ts'
import type { UndoOutcome } from '../../shared/session/undo-preview.ts'
import { listedNames } from '../../shared/lib/short-count.ts'
import type { LayerChange, LayerChanges, LayerFile, Layers } from '../agent/ports/layers.ts'
import { baseAfter } from '../changes/bases-after-bring-in.ts'
import { type CapturedFile, fileChange } from '../changes/capture-effect-paths.ts'
import type { DecidedUndo } from '../changes/undo/undo.ts'
import { isSameFile } from '../agent/layer-file.ts'
import type { Store } from '../store/store.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { bringInSessionOf } from './bring-in-session.ts'
import { type DecidedRequest, decidedRequests } from './decided-requests.ts'

/** Maximum number of names in a sentence. */
const MAX_NAMES = 5

export interface RefusedParts {
  /** The session that asked for the signature. */
  readonly asking: SessionId
  /** The session whose work was to be signed. */
  readonly from: SessionId
  readonly store: Pick<Store, 'log' | 'blobs' | 'sessions'>
  /** The layers of the folder. */
  readonly layers: Pick<Layers, 'changes' | 'entriesOf' | 'entriesIn'>
  /** Carries out an undo in the session whose work was to be signed (see `Undo.carryOut`). */
  carryOut(decide: () => Promise<DecidedUndo | null>): Promise<UndoOutcome | null>
}

/** Marks the newest request of which everything that was refused has been removed. The value is the id of its call. */
const REMOVED_MARKER = 'refused.removed'

/**
 * Removes from a third-party agent's layer what the user refused in the newest decided request, once for each request. The layer keeps what
 * was signed and what the agent has changed since. The removal is an undo in the agent's session, so the agent learns about it with its
 * next message. If it fails or the app ends, the next call does it. Null if there was nothing to remove. Never rejects.
 */
export async function removeRefused(parts: RefusedParts): Promise<UndoOutcome | null> {
  try {
    const requests: DecidedRequest[] = []
    const outcome = await parts.carryOut(async () => {
      const request = await openRemoval(parts)
      if (request === null) return null
      requests.push(request)
      return removalOf(request, parts)
    })
    if (outcome?.kind !== 'refused')
      for (const { toolCallId } of requests) parts.store.sessions.mark(parts.from, REMOVED_MARKER, toolCallId)
    return outcome
  } catch (error) {
    return { kind: 'refused', trouble: notRemoved(error) }
  }
}

const notRemoved = (error: unknown): Trouble => ({
  code: 'refused_not_removed',
  what: `The changes you refused could not be removed from the layer: ${error instanceof Error ? error.message : String(error)}`,
  kept: 'They are only in the layer. The folder is as you signed it.',
  todo: 'They will be removed before a later turn. If this message appears again, undo the turn in Changes, or drop the layer.',
})

/**
 * The same before a turn of the agent. Also waits for every undo in the layer that has begun. Returns why the work could not be removed.
 * It is then removed before a later turn.
 */
export async function removeBeforeTurn(
  { store, workspaces }: Pick<RefusedParts, 'store'> & { readonly workspaces: Pick<Workspaces, 'open'> },
  { sessionId: from, folder }: Pick<SessionSummary, 'sessionId' | 'folder'>,
  carryOut: RefusedParts['carryOut'],
): Promise<Trouble | null> {
  const opened = await workspaces.open(folder)
  try {
    const layers = opened.ok ? opened.value.layers : null
    const outcome =
      layers === null
        ? await carryOut(() => Promise.resolve(null))
        : await removeRefused({ asking: bringInSessionOf(from), from, store, layers, carryOut })
    return outcome?.kind === 'refused' ? outcome.trouble : null
  } finally {
    if (opened.ok) await opened.value.close()
  }
}

/** The newest decided request, unless everything that was refused there has been removed. */
async function openRemoval({ store, asking, from }: RefusedParts): Promise<DecidedRequest | null> {
  const newest = (await decidedRequests(store, asking)).at(-1)
  return newest === undefined || store.sessions.markers(from).get(REMOVED_MARKER) === newest.toolCallId ? null : newest
}

/** Null if there is nothing to remove. */
async function removalOf(request: DecidedRequest, parts: RefusedParts): Promise<DecidedUndo | null> {
  const own = JSON.parse(Buffer.from(await parts.store.blobs.getInSlices(request.changeSet)).toString()) as LayerChanges
  const { files, skipped } = await changesWithout(own, request, parts)
  if (files.length + skipped.length === 0) return null
  const target = { kind: 'refused', note: request.note } as const
  return { target, files, folders: await emptiedFolders(own.folder, files, parts), skipped, uncovered: [] }
}

/** Describes a removal to the user. `agent`: the name of the agent. */
export function removalWords(outcome: UndoOutcome | null, agent: string): string {
  if (outcome === null) return 'Nothing was removed from the layer.'
  if (outcome.kind !== 'done') return `The changes you refused will be removed from the layer before ${agent} continues.`
  const { files, skipped } = outcome.rollback
  const names = listedNames(files.map(({ shown }) => shown).toSorted(), MAX_NAMES)
  return [
    ...(files.length === 0
      ? []
      : [`The changes you refused were removed from the layer: ${names}. ${agent} will learn about this with your next message.`]),
    ...skipped.map((file) => `The change you refused in ${file.shown} stays in the layer: ${undoSkipWords(file)}.`),
  ].join(' ')
}

/**
 * The changes that remove unsigned work from the layer, and the files that are skipped because the agent has changed the same lines since.
 */
async function changesWithout(
  own: LayerChanges,
  { paths, later }: DecidedRequest,
  { from, layers, store: { blobs } }: RefusedParts,
): Promise<{ readonly files: readonly FileChange[]; readonly skipped: readonly SkippedFile[] }> {
  const asked = new Map(own.files.map((file) => [file.path, file]))
  const files: FileChange[] = []
  const skipped: SkippedFile[] = []
  for (const { path: shown, base, own: now } of (await layers.changes(from)).files) {
    const path = join(own.folder, shown)
    const proposed = asked.get(shown)
    // Signed changes become part of the base, so any remaining difference was refused, or is decided later.
    if (proposed === undefined || !paths.has(path) || isSameFile(proposed.own, base)) continue
    const kept = await withLater(base, proposed.own, later.get(path), blobs)
    const wanted = kept === undefined ? undefined : await baseAfter(now, { before: proposed.own, after: kept }, blobs)
    if (wanted === undefined) skipped.push({ path, shown, why: 'changed-by-agent' })
    else if (!isSameFile(now, wanted)) files.push(await changeOf(path, { path: shown, base: now, own: wanted }, blobs))
  }
  return { files, skipped }
}

/** The base with the hunks that are decided later. Undefined if they do not fit. */
async function withLater(
  base: LayerFile | null,
  proposed: LayerFile | null,
  later: NonNullable<AmendedFile['later']> | undefined,
  blobs: RefusedParts['store']['blobs'],
): Promise<LayerFile | null | undefined> {
  if (later === undefined || later.after === null) return base
  const fileOf = async (hash: BlobHash): Promise<LayerFile> => ({
    hash,
    size: (await blobs.getInSlices(hash)).length,
    mode: base?.mode ?? proposed?.mode ?? 0o644,
  })
  return baseAfter(base, { before: later.before && (await fileOf(later.before)), after: await fileOf(later.after) }, blobs)
}

function changeOf(path: string, { path: shown, base, own }: LayerChange, blobs: RefusedParts['store']['blobs']): Promise<FileChange> {
  const captured = (file: LayerFile | null): CapturedFile => {
    if (file === null) return null
    const { mode, ...content } = file
    const stored = { ...content, bytes: () => blobs.getInSlices(file.hash) }
    return mode === null ? { kind: 'link', mode, ...stored } : { kind: 'file', mode, ...stored }
  }
  return fileChange({ path, shown }, captured(base), captured(own))
}

/** The folders that only the removed files needed, inner ones first. They are deleted if nothing else is in them. */
async function emptiedFolders(
  folder: string,
  files: readonly FileChange[],
  { from, layers }: Pick<RefusedParts, 'from' | 'layers'>,
): Promise<readonly FolderChange[]> {
  const above = new Set<string>()
  for (const { shown, after } of files) if (after === null) for (let at = dirname(shown); at !== '.'; at = dirname(at)) above.add(at)
  const paths = [...above].toSorted().toReversed()
  const [there, own] = await Promise.all([layers.entriesOf(paths), layers.entriesIn(from, paths)])
  return paths.flatMap((path, at): readonly FolderChange[] => {
    const entry = own.entries[at]
    if (there.entries[at] !== null || entry?.kind !== 'folder') return []
    return [{ path: join(folder, path), shown: path, before: entry.mode & 0o7777, after: null }]
  })
}
