import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { createSlices } from '../../agent/event-loop-slices.ts'
import type { LeftInLayer } from '../../../shared/session/file-change.ts'
import { orNull } from '../environment-failure.ts'
import { rulesOf } from '../search/ignore/folder-ignore-rules.ts'
import { reachedFrom } from './reached-paths.ts'
import { targetAt } from './small-files.ts'

/** What is compared of two entries to find differences that are not brought in. */
export interface EntryKind {
  /** `file`: also a link, unless its target is not UTF-8. */
  readonly kind: 'file' | Exclude<LeftInLayer['what'], 'set-id-bits'>
  /** Of a link that is not brought in. */
  readonly target?: string
  /** Of a file: its set-user-id and set-group-id bits. */
  readonly setId?: number
}

/** Returns a function that returns the kind of the entry at a relative path. Null if there is none, and for paths below a link. */
export function kindsIn(root: string): (path: string) => EntryKind | null {
  const isReached = reachedFrom(root)
  return (path) => (isReached(path) ? kindAt(`${root}/${path}`) : null)
}

function kindAt(path: string): EntryKind | null {
  const found = orNull(() => lstatSync(path, { bigint: true }))
  return found && kindOf(found, path)
}

export function kindOf(found: BigIntStats, path: string): EntryKind {
  if (found.isFile()) return { kind: 'file', setId: Number(found.mode) & 0o6000 }
  if (found.isDirectory()) return { kind: 'folder' }
  if (found.isSymbolicLink()) {
    if (targetAt(path) !== null) return { kind: 'file' }
    return { kind: 'link', target: orNull(() => readlinkSync(path, 'latin1')) ?? '' }
  }
  if (found.isFIFO()) return { kind: 'fifo' }
  return { kind: found.isSocket() ? 'socket' : 'device' }
}

/** The difference between two entries that is not brought in. Null if there is none. Of folders, only compare empty and removed ones. */
export function leftOutAt(path: string, own: EntryKind | null, below: EntryKind | null): LeftInLayer | null {
  if (own?.kind === 'file') {
    const bits = below?.setId ?? 0
    const ownBits = own.setId ?? bits
    return ownBits === bits ? null : { path, what: 'set-id-bits', isRemoved: ownBits === 0 }
  }
  if (own !== null) return own.kind === below?.kind && own.target === below.target ? null : { path, what: own.kind, isRemoved: false }
  return below === null || below.kind === 'file' ? null : { path, what: below.kind, isRemoved: true }
}

/**
 * The pipes, sockets, devices, empty folders and links without a UTF-8 target below `tree` that are not ignored and that `source` does not
 * have. Paths are relative. Entries that only `source` has are left out, because they may have been created there.
 */
export async function leftOutBelow(tree: string, source: string): Promise<readonly LeftInLayer[]> {
  const found: LeftInLayer[] = []
  const kindBelow = kindsIn(source)
  for await (const path of otherEntries(tree)) {
    const own = kindAt(`${tree}/${path}`)
    const left = own && leftOutAt(path, own, kindBelow(path))
    if (left) found.push(left)
  }
  return found
}

/** The links below a folder that are not ignored, as relative paths. */
export async function linksBelow(folder: string, { ignored = false } = {}): Promise<readonly string[]> {
  const links: string[] = []
  for await (const path of otherEntries(folder, ignored)) if (targetAt(`${folder}/${path}`) !== null) links.push(path)
  return links
}

/** The entries below a folder that are neither files nor folders with entries. `ignored`: also those that git ignores. */
async function* otherEntries(folder: string, ignored = false): AsyncGenerator<string> {
  const slice = createSlices()
  const waiting = [{ path: '', rules: rulesOf(folder) }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    await slice()
    const { path, rules } = next
    const entries = orNull(() => readdirSync(`${folder}/${path}`, { withFileTypes: true }))
    if (entries?.length === 0 && path !== '') yield path
    for (const entry of entries ?? []) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`
      const isFolder = entry.isDirectory()
      if (entry.isFile() || (!ignored && rules.ignores(entry.name, isFolder))) continue
      if (isFolder) waiting.push({ path: inner, rules: rules.enter(entry.name) })
      else yield inner
    }
  }
}

export const sortedByPath = (left: readonly LeftInLayer[]): readonly LeftInLayer[] => left.toSorted((a, b) => (a.path < b.path ? -1 : 1))
