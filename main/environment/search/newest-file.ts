import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Maximum number of files and folders that are looked at. */
const MAX_ENTRIES = 50_000

/**
 * The absolute path of the file below these folders that was changed last, among those whose name fits. Links are not followed. Folders
 * that cannot be read are left out. Null if there is none, or none among the first 50,000 files and folders.
 */
export async function newestFile(folders: readonly string[], fits: (name: string) => boolean): Promise<string | null> {
  let newest: { readonly path: string; readonly changedAt: number } | null = null
  const waiting = [...folders]
  for (let seen = 0; seen < MAX_ENTRIES;) {
    const folder = waiting.shift()
    if (folder === undefined) break
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      seen++
      const path = join(folder, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      if (!entry.isFile() || !fits(entry.name)) continue
      const stats = await lstat(path).catch(() => null)
      if (stats && (newest === null || stats.mtimeMs > newest.changedAt)) newest = { path, changedAt: stats.mtimeMs }
    }
  }
  return newest?.path ?? null
}
