import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Files whose names match, exactly `depth` folders below this folder. Folders that cannot be read are left out. */
export async function filesBelow(folder: string, depth: number, name: RegExp): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  if (depth === 0) return entries.filter((entry) => entry.isFile() && name.test(entry.name)).map((entry) => join(folder, entry.name))
  const folders = entries.filter((entry) => entry.isDirectory())
  return (await Promise.all(folders.map((entry) => filesBelow(join(folder, entry.name), depth - 1, name)))).flat()
}

/** When a file was changed last, in ms since 1970. 0 if it cannot be read. */
export const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => Math.round(mtimeMs),
    () => 0,
  )

/** The first `bytes` of a file as text. Empty if it cannot be read. */
export async function beginningOf(path: string, bytes: number): Promise<string> {
  const file = await open(path).catch(() => null)
  if (file === null) return ''
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytes) })
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    return ''
  } finally {
    await file.close()
  }
}
