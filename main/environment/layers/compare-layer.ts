import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LeftInLayer } from '../../../shared/session/file-change.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import { createSlices } from '../../agent/event-loop-slices.ts'
import type { LayerBase, LayerChange, LayerChanges, LayerFile } from '../../agent/ports/layers.ts'
import { codeOf } from '../environment-failure.ts'
import { foldersAbove } from '../copy/changes/change-set.ts'
import { statsAt } from '../copy/changes/folder-entries.ts'
import { globFiles } from '../search/glob/glob-files.ts'
import { kindsIn, leftOutAt, leftOutBelow, linksBelow, sortedByPath } from './left-out.ts'
import { placesOf, WITH_LINKS } from './layer-places.ts'
import { reachedFrom } from './reached-paths.ts'
import { targetAt } from './small-files.ts'
import { type Put, storedFile } from './stored-file.ts'
import { isSameFile } from '../../agent/layer-file.ts'

export interface CompareParts {
  /** The project folder. */
  readonly folder: string
  /** The folder that contains its files. */
  readonly source: string
  readonly layers: string
  readonly put: Put
}

/** Number of files that are handled at the same time. Each waits for the disk most of the time. */
export const AT_ONCE = 8

/**
 * What the session has changed in its layer. A file that is the same in the layer and in the folder is not listed: it was brought in, or the
 * user has made the same change. `rebase` is called with these files, so that they are based on this version from then on.
 */
export async function changesInLayer(
  parts: CompareParts,
  sessionId: SessionId,
  rebase: (bases: readonly LayerBase[]) => Promise<void>,
): Promise<LayerChanges> {
  const { tree } = placesOf(parts.layers, sessionId)
  const { changed, known, touched } = await differences(parts, sessionId, tree)
  const isReached = reachedFrom(parts.source)
  const isSettled = await mapAtOnce(changed, AT_ONCE, async ({ path, own }) =>
    isSameFile(isReached(path) ? await storedFile(join(parts.source, path), parts.put) : null, own),
  )
  await rebase(changed.filter((_, index) => isSettled[index]).map(({ path, own }) => ({ path, base: own })))
  const files = changed.filter((_, index) => !isSettled[index])
  const left = known === null ? [] : await leftInClone({ tree, source: parts.source, known, touched })
  return { version: 1, folder: await realpath(parts.folder), files, leftOut: left }
}

/** What has changed in the folder since the layer was made, or since the change was taken over. `own` is the folder's file. */
export async function changesInFolder(parts: CompareParts, sessionId: SessionId): Promise<LayerChanges> {
  const { changed } = await differences(parts, sessionId, parts.source)
  return { version: 1, folder: await realpath(parts.folder), files: changed }
}

interface Differences {
  readonly changed: readonly LayerChange[]
  /** The paths of the files on which the layer is based. Null if there is no layer. */
  readonly known: ReadonlySet<string> | null
  /** Files below the compared folder that may have changed. */
  readonly touched: readonly string[]
}

/** How the files below `folder` differ from those on which the layer is based. */
async function differences(parts: CompareParts, sessionId: SessionId, folder: string): Promise<Differences> {
  const { base, made } = placesOf(parts.layers, sessionId)
  const finished = await statsAt(made)
  if (finished === null) return { changed: [], known: null, touched: [] }
  const [itself, ...notes] = (await readFile(made, 'utf8')).split('\n')
  // Older versions wrote nothing into the file. If the data folder was restored from a backup, all change times are new and say nothing.
  const isItself = itself === '' || itself === String(finished.ino)
  const hasLinks = notes.includes(WITH_LINKS)
  const isOld = (ctimeNs: bigint): boolean => isItself && ctimeNs < finished.ctimeNs
  const [before, now] = await Promise.all([filesAndLinks(base, { ignored: true }), filesAndLinks(folder)])
  const paths = [...new Set([...before, ...now])].toSorted()
  const known = new Set(before)
  const touched: string[] = []
  const isReached = reachedFrom(folder)
  const found = await mapAtOnce(paths, AT_ONCE, async (path): Promise<LayerChange | null> => {
    const current = isReached(path) ? await statsAt(join(folder, path)) : null
    const isKnown = known.has(path) || (!hasLinks && current?.isSymbolicLink() === true)
    if (isKnown && current && isOld(current.ctimeNs)) return null
    if (current?.isFile() === true) touched.push(path)
    const own = current && (await storedFile(join(folder, path), parts.put))
    const was = known.has(path) ? await storedFile(join(base, path), parts.put) : null
    return isSameFile(own, was) ? null : { path, base: was, own }
  })
  return { changed: found.filter((change) => change !== null), known, touched }
}

/** The relative paths of the files and links below a folder that git does not ignore. `ignored`: also of those that it ignores. */
export async function filesAndLinks(folder: string, { ignored = false, signal }: Listing = {}): Promise<readonly string[]> {
  const [files, links] = await Promise.all([
    globFiles('**/*', folder, { ignored, ...(signal && { signal }) }),
    linksBelow(folder, { ignored }),
  ])
  return [...files.paths, ...links]
}

interface Listing {
  readonly ignored?: boolean
  readonly signal?: AbortSignal
}

interface CloneFiles extends Pick<Differences, 'touched'> {
  readonly tree: string
  readonly source: string
  readonly known: ReadonlySet<string>
}

/** What the session has changed that is not brought in. */
async function leftInClone({ tree, source, known, touched }: CloneFiles): Promise<readonly LeftInLayer[]> {
  const slice = createSlices()
  const own = kindsIn(tree)
  const below = kindsIn(source)
  const isFolderAt = (path: string): boolean => path === '.' || own(path)?.kind === 'folder'
  const found: LeftInLayer[] = []
  const compare = async (path: string): Promise<void> => {
    await slice()
    const left = leftOutAt(path, own(path), below(path))
    if (left) found.push(left)
  }
  for (const path of touched) await compare(path)
  for (const path of new Set([...known].flatMap((file) => [...foldersAbove(file)]))) {
    await slice()
    if (own(path) === null && isFolderAt(dirname(path))) await compare(path)
  }
  return sortedByPath([...found, ...(await leftOutBelow(tree, source))])
}

/** Copies a file or link to a path where nothing is. */
export async function copyEntry(from: string, to: string): Promise<void> {
  const target = targetAt(from)
  if (target === null) await copyFile(from, to, constants.COPYFILE_FICLONE)
  else await writeEntry(to, null, target)
}

/** A version of a file, which is read when it is written. */
export interface BaseFile {
  readonly path: string
  /** Null if there is none. */
  readonly version: { readonly mode: LayerFile['mode']; bytes(): Promise<Uint8Array> } | null
}

/** From now on, the files are based on these versions. Changes nothing outside `base`, which may contain links. One call at a time. */
export async function writeBases(base: string, files: readonly BaseFile[]): Promise<void> {
  const written = new Set(files.map(({ path }) => path))
  const isBelowOther = ({ path }: BaseFile): boolean => [...foldersAbove(path)].some((above) => above !== '' && written.has(above))
  // Where a folder takes the place of a file, or a file that of a folder, the order matters.
  const swapped = files.some(isBelowOther)
  await mapAtOnce(files, swapped ? 1 : AT_ONCE, (file) => writeBase(base, file))
}

async function writeBase(base: string, { path, version }: BaseFile): Promise<void> {
  const to = join(base, path)
  if (version === null) {
    if (reachedFrom(base)(path)) await removeUnlessFolder(to)
    return
  }
  // What is in the place of a folder above, or of the file, is no longer the base of anything.
  for (const above of [...foldersAbove(path)].toReversed())
    if ((await statsAt(join(base, above)))?.isDirectory() === false) await removeUnlessFolder(join(base, above))
  await mkdir(dirname(to), { recursive: true })
  if ((await statsAt(to))?.isDirectory() === true) await rm(to, { recursive: true, force: true })
  // Renamed into place, so that a kill leaves either the old or the new version.
  const part = `${base}.${randomUUID()}`
  await writeEntry(part, version.mode, await version.bytes())
  await rename(part, to)
}

async function removeUnlessFolder(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!['ENOENT', 'EISDIR', 'EPERM'].includes(codeOf(error) ?? '')) throw error
  })
}

async function writeEntry(path: string, mode: LayerFile['mode'], bytes: Uint8Array): Promise<void> {
  if (mode === null) return symlink(Buffer.from(bytes), path)
  await writeFile(path, bytes, { mode: 0o600, flag: 'wx' })
  // Set afterwards, because the system leaves out bits of the mode of a new file.
  await chmod(path, mode)
}
