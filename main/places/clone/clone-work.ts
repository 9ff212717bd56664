import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { StandingEntry } from '../../agent/ports/command-copies.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { LayerBase, LayerChange, LayerFile, Layers } from '../../agent/ports/layers.ts'
import { reachedFrom } from '../../environment/layers/reached-paths.ts'
import { storedFile } from '../../environment/layers/stored-file.ts'
import { isSameFile } from '../../agent/layer-file.ts'
import { writeDurably } from '../../store/blobs/durable-file.ts'
import { changedFiles, contentsOf, fetchedWork, type GitFile, snapshotFiles } from './changed-files.ts'
import { readSnapshot } from './take-snapshot.ts'

/** The changes of a session in a clone, with the methods that a layer has for its changes. */
export type CloneWork = Pick<Layers, 'changes' | 'rebase' | 'entriesIn'>

export interface CloneWorkParts {
  /** The real path of the folder on this computer. */
  readonly folder: string
  /** Our folder with the snapshot and the fetched state. */
  readonly kept: string
  readonly blobs: Pick<BlobStore, 'putInSlices' | 'getInSlices'>
  /** Fetches the newest state of the clone. Does nothing if the place is gone. */
  fetch(): Promise<void>
}

export function cloneWork({ folder, kept, blobs, fetch }: CloneWorkParts): CloneWork {
  const file = join(kept, 'bases.json')
  const put = (bytes: Uint8Array) => blobs.putInSlices(bytes)
  const readBases = async (): Promise<ReadonlyMap<string, LayerFile | null>> => {
    const text = await readFile(file, 'utf8').catch(() => '[]')
    return new Map((JSON.parse(text) as readonly LayerBase[]).map(({ path, base }) => [path, base]))
  }
  const addBases = async (added: readonly LayerBase[]): Promise<void> => {
    if (added.length === 0) return
    const bases = new Map(await readBases())
    for (const { path, base } of added) bases.set(path, base)
    const all = [...bases].map(([path, base]) => ({ path, base }))
    writeDurably(join(kept, `.bases-${randomUUID()}`), file, Buffer.from(JSON.stringify(all)))
  }
  /** All files that differ from the snapshot, with their bytes stored. A file keeps the folder's mode unless the session changed it. */
  const allChanges = async (): Promise<readonly (LayerChange & { readonly now: LayerFile | null })[]> => {
    const [snapshot, work] = await Promise.all([readSnapshot(kept), fetchedWork(kept)])
    if (snapshot === null || work === null) return []
    const differing = await changedFiles(kept, snapshot, folder, work)
    const bases = await readBases()
    const known = new Set(differing.map(({ path }) => path))
    // The clone may have reverted changes that were brought in.
    const others = [...bases.keys()].filter((path) => !known.has(path))
    const same = await snapshotFiles(kept, snapshot, folder, others)
    const changed = [...differing, ...others.map((path) => ({ path, base: same.get(path) ?? null, own: same.get(path) ?? null }))]
    const objects = new Set(changed.flatMap(({ base, own }) => [base, own].flatMap((one) => (one === null ? [] : [one.object]))))
    const contents = await contentsOf(kept, [...objects])
    const found: (LayerChange & { readonly now: LayerFile | null })[] = []
    const isReached = reachedFrom(folder)
    for (const { path, base, own } of changed) {
      // Links whose target is not UTF-8 cannot be shown, and therefore not be signed.
      if ([base, own].some((one) => one?.kind === 'link' && !isUtf8(contents.get(one.object) ?? new Uint8Array(0)))) continue
      const now = isReached(path) ? await storedFile(join(folder, path), put) : null
      const stored = async (one: GitFile | null): Promise<LayerFile | null> => {
        const bytes = one === null ? undefined : contents.get(one.object)
        if (one === null || bytes === undefined) return null
        return { hash: await put(bytes), size: bytes.length, mode: modeOf(one, now) }
      }
      const brought = bases.get(path)
      found.push({ path, base: brought === undefined ? await stored(base) : brought, own: await stored(own), now })
    }
    return found
  }
  return {
    async changes() {
      await fetch()
      const all = await allChanges()
      const isSettled = ({ own, now }: { readonly own: LayerFile | null; readonly now: LayerFile | null }): boolean => isSameFile(own, now)
      await addBases(all.filter(isSettled).map(({ path, own }) => ({ path, base: own })))
      const open = all.filter((one) => !isSettled(one) && !isSameFile(one.base, one.own))
      return { version: 1, folder, files: open.map(({ path, base, own }) => ({ path, base, own })) }
    },
    rebase: (_, bases) => addBases(bases),
    async entriesIn(_, paths) {
      const all = new Map((await allChanges()).map((one) => [one.path, one.own]))
      const isReached = reachedFrom(folder)
      const inFolder = (path: string) => (isReached(path) ? storedFile(join(folder, path), put) : null)
      const entries = await Promise.all(
        paths.map(async (path) => entryOf(all.has(path) ? (all.get(path) ?? null) : await inFolder(path), blobs)),
      )
      return { entries, device: '' }
    },
  }
}

function modeOf({ kind }: GitFile, now: LayerFile | null): number | null {
  if (kind === 'link') return null
  const isProgram = kind === 'program'
  if (now !== null && now.mode !== null && ((now.mode & 0o100) !== 0) === isProgram) return now.mode
  return isProgram ? 0o755 : 0o644
}

async function entryOf(file: LayerFile | null, blobs: CloneWorkParts['blobs']): Promise<StandingEntry | null> {
  if (file === null) return null
  const { hash, size, mode } = file
  if (mode !== null) return { kind: 'file', hash, size, mode, mtimeMs: 0, inode: '' }
  return { kind: 'link', target: Buffer.from(await blobs.getInSlices(hash)).toString(), inode: '' }
}
