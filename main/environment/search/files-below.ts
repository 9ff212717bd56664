import { type Dirent, readdir } from 'node:fs'
import { join } from 'node:path'
import type { FolderRules } from './folder-rules.ts'

export interface Walk {
  /** Whether a folder may hold what is wanted: its name, and how many folders lie between it and the start. */
  mayEnter(name: string, depth: number): boolean
  /** By the path from the start, with `/`. */
  isWanted(path: string): boolean
  readonly signal: AbortSignal | undefined
}

/** Files below a folder that no rule leaves out; links are not followed, and a folder below that cannot be read is passed over. */
export async function filesBelow(folder: string, rules: FolderRules, walk: Walk): Promise<readonly string[]> {
  const found: string[] = []
  await enter(folder, '', 0, rules, walk, found)
  return found
}

async function enter(folder: string, prefix: string, depth: number, rules: FolderRules, walk: Walk, found: string[]): Promise<void> {
  const entries = await entriesOf(folder)
  walk.signal?.throwIfAborted()
  const below: Promise<void>[] = []
  for (const entry of entries) {
    const { name } = entry
    if (entry.isDirectory()) {
      if (walk.mayEnter(name, depth) && !rules.ignores(name, true)) {
        below.push(enter(join(folder, name), `${prefix}${name}/`, depth + 1, rules.enter(name), walk, found))
      }
    } else if (entry.isFile() && walk.isWanted(prefix + name) && !rules.ignores(name, false)) found.push(prefix + name)
  }
  await Promise.all(below)
}

function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Dirent[]>()
  readdir(folder, { withFileTypes: true }, (error, entries) => resolve(error ? [] : entries))
  return promise
}
