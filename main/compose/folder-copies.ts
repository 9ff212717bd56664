import { join, relative } from 'node:path'
import { type BlobHash, SessionId } from '../../shared/lib/ids.ts'
import type { ConflictSides, Effect } from '../../shared/session/effects.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { setAsideTrouble } from '../agent/copies/confined-commit.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import type { Copies } from '../agent/dispatch/dispatch-parts.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { LayerChanges } from '../agent/ports/layers.ts'
import type { CaptureParts } from '../changes/capture-files.ts'
import { copyEffects } from '../changes/copy-effects.ts'
import { basesAfterBringIn } from '../changes/bases-after-bring-in.ts'
import { rebaseLayerChanges } from '../changes/rebase-layer-changes.ts'
import { statsAt } from '../environment/copy/changes/folder-entries.ts'
import { copiesFolderIn, isControl } from '../host-process/here/folder-copies.ts'
import { layerBinIn, layerPlacesIn } from '../host-process/here/folder-layers.ts'
import type { Recovered } from '../environment/copy/apply-journal.ts'
import { recoverCopiesIn, removeHeldTrees } from '../environment/copy/copies-left-behind.ts'
import { removeHalfBinned } from '../store/layers/layer-bin.ts'
import type { Store } from '../store/store.ts'
import { copiesWithoutDenied } from '../rules/denied-files.ts'
import type { RuleWhen } from '../rules/rule-matches.ts'
import type { Workspace } from '../workspace/workspaces.ts'

interface CopiedSession {
  readonly bash: Copies['bash']
  readonly blobs: Store['blobs']
  /** Returns the rules that apply at the moment. */
  rules(): readonly RuleWhen[]
}

/** The copies in which a session's commands run. Null if they only run for real. */
export function copiesIn(
  { copies, layers, place, environment }: Pick<Workspace, 'copies' | 'layers' | 'place' | 'environment'>,
  { bash, blobs, rules }: CopiedSession,
): Copies | null {
  return (
    copies && {
      commands: copiesWithoutDenied(copies, rules),
      bash,
      effectsOf: (changeSet) => copyEffects(changeSet, { blobs, place, ignoredParts: copies.ignoredParts }),
      rebase: (changes) => rebaseOwn(changes, { layers, blobs, place, environment }),
      broughtIn: async (from, own, applied) => layers?.rebase(from, await basesAfterBringIn(own, applied, blobs)),
      removeLayer: async (agentId) => layers?.remove(agentId),
    }
  )
}

/** How a step's changes of files are found in a folder. */
export const comparedIn = ({ folder, comparison, inside, layers }: Workspace): Pick<CaptureParts, 'compared' | 'listed'> => ({
  ...(comparison && { compared: { folder, comparison, comparesTools: inside !== null } }),
  ...(layers && { listed: { folder, entriesOf: layers.entriesOf } }),
})

interface RebaseParts extends Pick<Workspace, 'layers' | 'place' | 'environment'> {
  readonly blobs: Store['blobs']
}

/**
 * Turns the change set of a layer into effects on the current folder. A file in which every change is in conflict is included with
 * unchanged content.
 */
async function rebaseOwn(changes: LayerChanges, { layers, blobs, place, environment }: RebaseParts): ReturnType<Copies['rebase']> {
  if (!layers) throw new Error('There are no layers over this folder.')
  const read = (path: string): Promise<Uint8Array> => environment.readBytes(join(changes.folder, path))
  const { changeSet, conflicts, kept } = await rebaseLayerChanges(changes, layers.entriesOf, blobs, read)
  const effects = await copyEffects(changeSet, { blobs, place })
  const sidesOf = (path: string): ConflictSides | undefined => conflicts.get(relative(changes.folder, path))
  const shown = effects.map((effect): Effect => {
    const sides = effect.kind === 'write' ? sidesOf(effect.path) : undefined
    return effect.kind === 'write' && sides ? { ...effect, conflict: sides } : effect
  })
  const written = new Set(effects.flatMap((effect) => (effect.kind === 'write' ? [effect.path] : [])))
  const unchanged: Effect[] = []
  for (const change of changeSet.changes) {
    const path = join(changes.folder, change.path)
    const conflict = sidesOf(path)
    if (!conflict || written.has(path) || change.kind !== 'modified' || change.before.kind !== 'file') continue
    const hash = change.before.hash as BlobHash
    const same = { before: hash, after: hash, beforeBytes: change.before.size, afterBytes: change.before.size }
    unchanged.push({ kind: 'write', ...(await place(path)), ...same, lines: { added: 0, removed: 0 }, conflict })
  }
  return { changeSet, effects: [...shown, ...unchanged], kept }
}

/**
 * Cleans up the copies of commands and the layers of sessions that killed processes left behind. Returns what could not be undone, and
 * which control files made by killed programs were moved away. Both are also recorded in the session that ran the program, or in the newest
 * session of the folder.
 */
export async function recoverFolderCopies(dataFolder: string, store: Store): Promise<readonly Trouble[]> {
  const recovered = await recoverCopiesIn(copiesFolderIn(dataFolder), isControl)
  await recordAllRecovered(store, recovered)
  // Without the list of sessions, nobody knows which copies are still needed.
  if (store.trouble() === null) {
    await cleanLayers(dataFolder, store)
    await unlessDamaged(() => removeHeldTrees(copiesFolderIn(dataFolder), () => openChangeSets(store)), undefined)
  }
  return recovered.map(troubleOf)
}

/** Saves what a program in a layer of a killed app had changed in the user's home folder. Loaded only then. */
export async function saveKept(folder: string): Promise<void> {
  const { saveKeptFiles } = await import('../environment/layers/overlay/kept-files.ts')
  await saveKeptFiles(folder)
}

async function cleanLayers(dataFolder: string, store: Store): Promise<void> {
  const places = layerPlacesIn(dataFolder)
  // Most people never work in layers, and their launches do not load this code.
  if ((await statsAt(places.layers)) !== null) {
    const { removeLeftFrozen, removeLeftLayers } = await import('../environment/layers/left-layers.ts')
    await removeLeftLayers(places, (sessionId) => unlessDamaged(() => isLayerNeeded(store, sessionId), true))
    if (!store.isShared()) await removeLeftFrozen(places)
  }
  if (!store.isShared()) await removeHalfBinned(layerBinIn(dataFolder))
}

/** Records each recovered change in a session of its folder. `address`: the address of the folder, if it is on another machine. */
export async function recordAllRecovered(store: Store, recovered: readonly Recovered[], address?: string): Promise<void> {
  for (const one of recovered) await unlessDamaged(() => recordRecovered(store, one, address ?? one.folder), undefined)
}

/** A damaged session must not prevent the launch: resolves to `otherwise` if sessions cannot be read or written. */
async function unlessDamaged<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StorageError) return otherwise
    throw error
  }
}

const troubleOf = (one: Recovered): Trouble =>
  one.kind === 'trouble'
    ? one.trouble
    : setAsideTrouble(
        `in ${one.folder} before Countersign was killed while a confined program was running (${one.owner?.what ?? 'unknown'})`,
        one.moved,
      )

/**
 * Rejects with a `StorageError` if the sessions cannot be read or written. Each launch finds the same problem again until the user has
 * fixed it, so it is recorded only once.
 */
async function recordRecovered({ sessions, log }: Store, one: Recovered, address: string): Promise<void> {
  const owner = one.kind === 'control-files' ? one.owner?.sessionId : null
  const own = owner ? sessions.get(SessionId.parse(owner)) : null
  const { sessionId } = own ?? (await sessions.listInSlices()).find(({ folder, parent }) => folder === address && parent === null) ?? {}
  if (sessionId === undefined) return
  const trouble = troubleOf(one)
  const slice = createSlices()
  for (const { event } of log(sessionId).read({ after: 0 })) {
    if (event.kind === 'WARNING' && event.trouble.what === trouble.what) return
    await slice()
  }
  log(sessionId).append({ kind: 'WARNING', trouble })
}

/** The stored change sets of turns that have not ended. */
async function openChangeSets({ sessions, log, blobs }: Store): Promise<readonly string[]> {
  const texts: string[] = []
  const slice = createSlices()
  for (const sessionId of await sessions.unfinished())
    for (const { event } of log(sessionId).read({ after: 0 })) {
      if (event.kind === 'COPY_ENDED' && event.changeSet) texts.push(Buffer.from(blobs.get(event.changeSet.hash)).toString())
      await slice()
    }
  return texts
}

/** Removes the layers of deleted sessions. */
export async function removeLayers(dataFolder: string, sessionIds: readonly SessionId[]): Promise<void> {
  if (sessionIds.length === 0) return
  const { removeDurableLayer } = await import('../environment/layers/overlay/durable-layer.ts')
  for (const sessionId of sessionIds) await removeDurableLayer(layerPlacesIn(dataFolder), sessionId).catch(() => {})
}

/**
 * Whether a layer is still needed. A session beside the folder needs its layer until it is deleted. A subagent needs it while it may have
 * changed files since its changes were last handed to its parent.
 */
async function isLayerNeeded({ sessions, log }: Store, sessionId: SessionId): Promise<boolean> {
  const child = sessions.get(sessionId)
  if (!child?.parent) return child?.config.where?.kind === 'beside'
  if (child.running) return true
  const slice = createSlices()
  for (const { event } of log(child.parent.sessionId).read({ after: child.cursor })) {
    const [command] = event.kind === 'COPY_ENDED' ? event.effects : []
    if (command?.kind === 'command' && command.subagent?.agentId === sessionId) return false
    await slice()
  }
  return true
}
