import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SessionId } from '../../../shared/lib/ids.ts'
import { hashInSlices } from '../../agent/blob-hash.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import { durableLayerAt } from '../../environment/layers/overlay/durable-layer.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'

/** A content that no layer is based on stays for at least this time, in ms, because a process may still need it. */
const UNUSED_MS = 7 * 24 * 60 * 60_000

/** The contents of files of the layers, in a private folder of the machine on which this process runs. */
export type ContentStore = Pick<BlobStore, 'putInSlices' | 'getInSlices'>

export function createContentStore(folder: string): ContentStore {
  return {
    async putInSlices(bytes) {
      const hash = await hashInSlices(bytes)
      const path = join(folder, hash)
      if (existsSync(path)) return hash
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const part = join(folder, `.${randomUUID()}`)
      await writeFile(part, bytes, { flag: 'wx', mode: 0o600 })
      await rename(part, path)
      return hash
    },
    async getInSlices(hash) {
      const bytes = await readFile(join(folder, hash))
      if ((await hashInSlices(bytes)) === hash) return bytes
      throw new EnvironmentFailure('EIO', `A stored content is damaged (EIO): ${hash}.`)
    },
  }
}

/** Removes old contents on which no layer in this folder is based. */
export async function removeUnused(folder: string, layers: string): Promise<void> {
  const old: string[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > UNUSED_MS) old.push(name)
  }
  if (old.length === 0) return
  const names = await readdir(layers).catch(() => [])
  const bases = await Promise.all(
    names.map((name) => readFile(durableLayerAt(layers, SessionId.parse(name)).bases, 'utf8').catch(() => '')),
  )
  for (const name of old) if (!bases.some((text) => text.includes(name))) await rm(join(folder, name), { force: true })
}
