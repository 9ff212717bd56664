import { type BigIntStats, lstatSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import type { LayerChange, LayerFile } from '../../../agent/ports/layers.ts'
import { inParentOf } from '../../copy/apply/apply-steps.ts'
import { orNull } from '../../environment-failure.ts'
import { ignoredBelow } from '../../search/ignore/folder-ignore-rules.ts'
import { type SmallFiles, smallFilesBelow } from '../small-files.ts'
import { type Put, storedBelow, storedFile, unlessMissing } from '../stored-file.ts'
import { isSameFile } from '../../../agent/layer-file.ts'
import type { BaseLine, BaseVersions } from './base-versions.ts'
import { type DurableLayer, folderOf, uppersOf } from './durable-layer.ts'
import { parentOf, reachedFrom } from '../reached-paths.ts'
import { lowerVersions } from './lower-versions.ts'
import { skippedIn } from './skipped-in-layer.ts'
import { type IsSkipped, type KnownOpaque, readUppers, type UpperEntries, type UpperFile } from './upper-entries.ts'

/** Number of files that are read at the same time. Each mostly waits for the disk. */
const AT_ONCE = 8
/** A file that changed within this time (ns) before it was read may change again without another change time. */
const SETTLED_NS = 50_000_000n

/** What is known of one layer while the app runs. */
export interface LayerMemory {
  readonly versions: BaseVersions
  readonly opaque: KnownOpaque
  /** The stored versions of the layer's files. `stamp` tells whether the file has changed since. */
  readonly own: KnownFiles
  /** The same for the files below the layer. */
  readonly below: KnownFiles
}

export type KnownFiles = Map<string, { readonly stamp: string; readonly file: LayerFile }>

export interface Marked {
  readonly folder: string
  readonly entries: UpperEntries
  /** The layer's upper folders, the uppermost first. `isSkipped` tells which of their entries were not read. */
  readonly uppers: readonly string[]
  readonly isSkipped: IsSkipped
  /** Whether something in the real folder was replaced that programs inside may still see. */
  readonly hasMoved: boolean
  /** Whether no folder above a path is a link in the real folder (`reachedFrom`). */
  readonly isReached: (path: string) => boolean
}

/**
 * Notes the version on which each new file of the layer is based. Call it after each step of the session, because the real folder may
 * change at any time.
 */
export async function mark(layer: DurableLayer, { versions, opaque }: LayerMemory, put: Put): Promise<Marked> {
  const folder = await folderOf(layer)
  const uppers = await uppersOf(layer)
  const isIgnored = ignoredBelow(folder)
  let isSkipped = skippedIn({ folder, uppers, opaque, isIgnored })
  const known = opaque.size
  let entries = await readUppers(uppers, isSkipped, opaque)
  // The first reading found new opaque folders, and ignore rules below an opaque folder do not count. So it is read again without them.
  if (opaque.size > known && [...opaque.values()].includes(true)) {
    isSkipped = skippedIn({ folder, uppers, opaque, isIgnored })
    entries = await readUppers(uppers, isSkipped, opaque)
  }
  const since = (await stat(layer.fresh, { bigint: true })).mtimeNs
  const small = smallFilesBelow(folder)
  const lower = lowerVersions({ folder, since, isIgnored, put, small })
  const { files, hidden } = entries
  const newlyHidden = [...hidden].filter((path) => !versions.covered.has(path))
  const newFiles = [...files.keys()].filter((path) => !versions.bases.has(path))
  const overFolder = newFiles.filter((path) => !versions.covered.has(path) && lower.isFolder(path))
  const wanted = new Set(newFiles)
  const covered = [...new Set([...newlyHidden, ...overFolder])]
  for (const path of covered) {
    if (!lower.isFolder(path)) wanted.add(path)
    else for (const inner of await lower.filesBelow(path)) wanted.add(inner)
  }
  const missing = [...wanted].filter((path) => !versions.bases.has(path)).toSorted()
  const slice = createSlices()
  const found = await mapAtOnce(missing, AT_ONCE, async (path): Promise<BaseLine> => {
    await slice()
    return { kind: 'base', path, base: await lower.baseOf(path, files.get(path)?.stats ?? null) }
  }).finally(small.dispose)
  await versions.add([...forgotten(versions, entries), ...found, ...covered.map((path): BaseLine => ({ kind: 'covered', path }))])
  return { folder, entries, uppers, isSkipped, hasMoved: lower.hasMoved, isReached: reachedFrom(folder) }
}

/** Paths at which the real folder shows through again. */
function forgotten({ bases, covered }: BaseVersions, { files, hidden }: UpperEntries): readonly BaseLine[] {
  const isCovered = (path: string): boolean => hidden.has(path) || isBelowCover(path, { files, hidden })
  const gone = [
    ...[...bases.keys()].filter((path) => !files.has(path) && !isCovered(path)),
    ...[...covered].filter((path) => !files.has(path) && !isCovered(path)),
  ]
  return [...new Set(gone)].map((path) => ({ kind: 'forgotten', path }))
}

/** Whether a folder above this path does not show through, so that the real folder's entry at the path is not in the layer. */
export function isBelowCover(path: string, { files, hidden }: Pick<UpperEntries, 'files' | 'hidden'>): boolean {
  for (let at = parentOf(path); at !== ''; at = parentOf(at)) if (hidden.has(at) || files.has(at)) return true
  return false
}

/** The files that differ between their base and the layer, sorted by path. Call it with the result of `mark`. */
export async function changesOf({ entries }: Marked, { versions, own }: LayerMemory, put: Put): Promise<readonly LayerChange[]> {
  const slice = createSlices()
  const paths = [...versions.bases.keys()].toSorted()
  const readers = new Map<string, SmallFiles>()
  const stored = (path: string, at: string): Promise<LayerFile | null> => {
    const root = at.slice(0, -path.length - 1)
    const small = readers.get(root) ?? smallFilesBelow(root)
    readers.set(root, small)
    return storedBelow(root, path, small, put)
  }
  const found = await mapAtOnce(paths, AT_ONCE, async (path): Promise<LayerChange | null> => {
    await slice()
    const base = versions.bases.get(path) ?? null
    const file = entries.files.get(path)
    const now = file === undefined ? null : await ownFile(path, file, own, stored)
    return isSameFile(now, base) ? null : { path, base, own: now }
  }).finally(() => {
    for (const small of readers.values()) small.dispose()
  })
  for (const path of own.keys()) if (!entries.files.has(path)) own.delete(path)
  return found.filter((change) => change !== null)
}

async function ownFile(
  path: string,
  { at, stats }: UpperFile,
  own: KnownFiles,
  stored: (path: string, at: string) => Promise<LayerFile | null>,
): Promise<LayerFile | null> {
  return unlessKnown(path, stampOf(at, stats), stats, own, () => stored(path, at))
}

/** The file at a path of the real folder. */
export async function fileBelow(at: string, known: KnownFiles, put: Put): Promise<LayerFile | null> {
  const stats = orNull(() => lstatSync(at, { bigint: true }))
  return stats && unlessKnown(at, stampOf(at, stats), stats, known, () => storedFile(at, put))
}

async function unlessKnown(
  key: string,
  stamp: string,
  { ctimeNs }: BigIntStats,
  known: KnownFiles,
  read: () => Promise<LayerFile | null>,
): Promise<LayerFile | null> {
  const before = known.get(key)
  if (before?.stamp === stamp) return before.file
  const readAt = BigInt(Date.now()) * 1_000_000n
  const file = await read()
  if (file !== null && ctimeNs < readAt - SETTLED_NS) known.set(key, { stamp, file })
  return file
}

/**
 * Calls `work` with a path to the layer's own entry `at`, which a program in the layer cannot redirect by replacing a folder with a link.
 * Null if a folder of the path is a link.
 */
export function withoutLinks<T>(path: string, at: string, work: (inside: string) => Promise<T>): Promise<T | null> {
  return inParentOf(at.slice(0, -path.length - 1), path, work).catch(unlessMissing)
}

const stampOf = (at: string, { ino, ctimeNs, size, mode }: BigIntStats): string => [at, ino, ctimeNs, size, mode].join(' ')
