import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SessionId } from '../../../shared/lib/ids.ts'
import { hashInSlices } from '../../agent/blob-hash.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import { durableLayerAt } from '../../environment/layers/overlay/durable-layer.ts'
import { codeOf, EnvironmentFailure } from '../../environment/environment-failure.ts'

/**
 * Contents that no layer is based on are kept for at least this time in ms after they were stored, because a process may still need them.
 */
const UNUSED_MS = 7 * 24 * 60 * 60_000

/** Stores the contents of files in layers, in a private folder on the machine of this process. */
export type ContentStore = Pick<BlobStore, 'putInSlices' | 'getInSlices'>

export function createContentStore(folder: string): ContentStore {
  return {
    async putInSlices(bytes) {
      const hash = await hashInSlices(bytes)
      const path = join(folder, hash)
      const now = new Date()
      // The new time protects contents that are stored again from `removeUnused`.
      const isStored = await utimes(path, now, now).then(
        () => true,
        () => false,
      )
      if (isStored) return hash
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const part = join(folder, `.${randomUUID()}`)
      await writeFile(part, bytes, { flag: 'wx', mode: 0o600 })
      await rename(part, path)
      return hash
    },
    async getInSlices(hash) {
      const bytes = await readFile(join(folder, hash))
      if ((await hashInSlices(bytes)) === hash) return bytes
      throw new EnvironmentFailure('EIO', `The stored content of a file is damaged (EIO): ${hash}.`)
    },
  }
}

/** Removes old contents from `folder` on which no layer in `layers` is based. Removes nothing if a layer cannot be read. */
export async function removeUnused(folder: string, layers: string): Promise<void> {
  const old: string[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > UNUSED_MS) old.push(name)
  }
  if (old.length === 0) return
  const sessionIds = (await readdir(layers).catch(ifMissing<string[]>([]))).flatMap((name) => SessionId.safeParse(name).data ?? [])
  const bases = await Promise.all(sessionIds.map((id) => readFile(durableLayerAt(layers, id).bases, 'utf8').catch(ifMissing(''))))
  for (const name of old) if (!bases.some((text) => text.includes(name))) await rm(join(folder, name), { force: true })
}

const ifMissing =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return otherwise
    throw error
  }
