import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { LayerChanges } from '../../agent/ports/layers.ts'
import { codeOf } from '../../environment/environment-failure.ts'

const Note = z.object({
  sessionId: SessionId,
  title: z.string(),
  folder: z.string(),
  /** In ms since 1970. */
  deletedAt: z.number(),
  /** Size of the files, in bytes. */
  bytes: z.number(),
  /** The files that the session had deleted in its layer, relative to the folder. */
  removed: z.array(z.string()),
})

/** What a deleted session had changed in its layer and not brought in. `files`: the folder that contains the changed files. */
export type BinnedLayer = z.infer<typeof Note> & { readonly files: string }

export interface LayerBin {
  /**
   * Keeps the files that a session has changed in its layer. Call this before the session is deleted. Then drops the oldest ones above the
   * limit. Rejects with an `Error` that says why if they cannot be kept.
   */
  keep(session: SessionSummary): Promise<void>
  /** The newest first. */
  list(): Promise<readonly BinnedLayer[]>
  drop(sessionId: SessionId): Promise<void>
}

export interface LayerBinParts {
  /** The folder of the bin. */
  readonly folder: string
  /** What a session has changed in its layer. Rejects with an `Error` that says why if that cannot be read. */
  changesOf(session: SessionSummary): Promise<LayerChanges>
  readonly blobs: Pick<BlobStore, 'getInSlices'>
  /** Maximum size of the bin, in bytes. */
  limit(): number
  now(): number
}

/** Plain files, so that they can be looked at and copied without Countersign. */
export function createLayerBin({ folder, changesOf, blobs, limit, now }: LayerBinParts): LayerBin {
  const at = (sessionId: SessionId): string => join(folder, sessionId)
  const list = async (): Promise<readonly BinnedLayer[]> => {
    const names = await readdir(folder).catch(() => [])
    const found = await Promise.all(names.map((name) => noteIn(folder, name)))
    return found.filter((one) => one !== null).toSorted((a, b) => b.deletedAt - a.deletedAt)
  }
  // Only what is listed is removed: an id from a window may be any text, also a path.
  const drop = async (sessionId: SessionId): Promise<void> => {
    if ((await list()).some((one) => one.sessionId === sessionId)) await rm(at(sessionId), { recursive: true, force: true })
  }
  return {
    async keep(session) {
      const { sessionId, title, folder: project } = session
      if (basename(sessionId) !== sessionId) throw new Error(`The id ${JSON.stringify(sessionId)} cannot be the name of a folder.`)
      const { files } = await changesOf(session)
      if (files.length === 0) return
      await rm(at(sessionId), { recursive: true, force: true })
      let bytes = 0
      for (const { path, own } of files) {
        if (own === null) continue
        const file = join(at(sessionId), 'files', path)
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        const content = await blobs.getInSlices(own.hash)
        if (own.mode === null) await symlink(Buffer.from(content), file)
        else {
          await writeFile(file, content)
          await chmod(file, own.mode)
        }
        bytes += own.size
      }
      const removed = files.flatMap(({ path, own }) => (own === null ? [path] : []))
      const note: z.infer<typeof Note> = { sessionId, title, folder: project, deletedAt: now(), bytes, removed }
      await mkdir(at(sessionId), { recursive: true, mode: 0o700 })
      // Written last, so that a layer without it counts as unfinished.
      await writeFile(join(at(sessionId), 'layer.json'), JSON.stringify(note))
      let total = 0
      for (const one of await list()) {
        total += one.bytes
        // What was just put in stays, however large it is.
        if (total > limit() && one.sessionId !== sessionId) await drop(one.sessionId)
      }
    },
    list,
    drop,
  }
}

/**
 * Removes incomplete layers that a killed process left in the bin. Their sessions were not deleted, and still have their layers. Call this
 * only while no other process uses the bin.
 */
export async function removeHalfBinned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const note = await stat(join(folder, name, 'layer.json')).catch(codeOf)
    if (note === 'ENOENT') await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Null if the folder contains no complete layer. */
async function noteIn(folder: string, name: string): Promise<BinnedLayer | null> {
  try {
    const note = Note.parse(JSON.parse(await readFile(join(folder, name, 'layer.json'), 'utf8')))
    return note.sessionId === name ? { ...note, files: join(folder, name, 'files') } : null
  } catch {
    return null
  }
}
