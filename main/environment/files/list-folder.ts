import type { Dirent } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DirEntry } from '../../agent/ports/execution-environment.ts'
import { codeOf, EnvironmentFailure } from '../environment-failure.ts'

/**
 * Number of files that are examined at the same time: enough to keep Node's four file threads busy, but few enough that a huge folder does
 * not need one promise per file.
 */
const AT_ONCE = 32

/**
 * The entries of a folder with their types, sorted by name. If `depth` is larger than 1, each subfolder is followed by its contents, whose
 * names are paths relative to `folder`, separated by `/`. Links are listed with the type of their targets and never entered. Below the
 * first level, unreadable folders are listed without contents.
 */
export async function listFolder(folder: string, depth = 1): Promise<readonly DirEntry[]> {
  if (!(Number.isInteger(depth) && depth >= 1)) {
    throw new EnvironmentFailure('EINVAL', `The depth must be a whole number from 1, not ${String(depth)}.`)
  }
  return listLevel(folder, '', depth)
}

async function listLevel(folder: string, prefix: string, depth: number): Promise<DirEntry[]> {
  const found = await readdir(folder, { withFileTypes: true })
  found.sort((a, b) => (a.name < b.name ? -1 : 1))
  const listed: DirEntry[] = []
  for (let from = 0; from < found.length; from += AT_ONCE) {
    const batch = found.slice(from, from + AT_ONCE)
    const entries = await Promise.all(batch.map((entry) => describe(folder, prefix, entry)))
    for (const [index, entry] of entries.entries()) {
      if (entry === null) continue
      listed.push(entry)
      const dirent = batch[index]
      if (depth > 1 && dirent?.isDirectory()) {
        listed.push(...(await listBelow(join(folder, dirent.name), `${prefix}${dirent.name}/`, depth - 1)))
      }
    }
  }
  return listed
}

async function listBelow(folder: string, prefix: string, depth: number): Promise<DirEntry[]> {
  try {
    return await listLevel(folder, prefix, depth)
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return []
    throw error
  }
}

/** Null if the entry was removed in the meantime. */
async function describe(folder: string, prefix: string, entry: Dirent): Promise<DirEntry | null> {
  const name = `${prefix}${entry.name}`
  if (entry.isDirectory()) return { name, isDir: true, size: null }
  const path = join(folder, entry.name)
  const found = (await stat(path).catch(() => null)) ?? (await lstat(path).catch(() => null))
  if (!found) return null
  return found.isDirectory() ? { name, isDir: true, size: null } : { name, isDir: false, size: found.size }
}
