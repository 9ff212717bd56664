import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import { opaqueAmong } from '../../copy/changes/opaque-folders.ts'
import { orNull } from '../../environment-failure.ts'

/** A file of a layer. `at`: where its bytes are. `stats` are those of the link, not of its target. */
export interface UpperFile {
  readonly at: string
  readonly stats: BigIntStats
}

/** What differs between a layer and the folder below it, by relative path. */
export interface UpperEntries {
  /** Everything in the upper folders except folders and removals: files, links, sockets and others. */
  readonly files: ReadonlyMap<string, UpperFile>
  /** Folders of the upper folders, and where each is. */
  readonly folders: ReadonlyMap<string, string>
  /** Paths at which the real folder's entry, and everything in it, does not show through: removed, or removed and made again. */
  readonly hidden: ReadonlySet<string>
}

/** Whether an entry of the upper folder is not looked at, and nothing in it. */
export type IsSkipped = (path: string, isFolder: boolean) => boolean

type Node = { readonly kind: 'removed' } | { readonly kind: 'file'; readonly file: UpperFile } | Folder

interface Folder {
  readonly kind: 'folder'
  /** Tells the folder from an earlier one at the same path, whose inode it may have. */
  readonly id: string
  readonly inner: ReadonlyMap<string, Node>
}

/** The opaque folders of upper folders, as far as they are known. A folder stays what it is, so each is asked for once. */
export type KnownOpaque = Map<string, boolean>

/** Reads upper folders, the uppermost first. Only they are walked, so this does not depend on the size of the real folder. */
export async function readUppers(uppers: readonly string[], isSkipped: IsSkipped, known: KnownOpaque): Promise<UpperEntries> {
  const slice = createSlices()
  const trees: { readonly upper: string; readonly root: Folder }[] = []
  for (const upper of uppers) {
    const root = await readTree(upper, '', '', isSkipped, slice)
    await learnOpaque(upper, root, known)
    trees.push({ upper, root })
  }
  const found = { files: new Map<string, UpperFile>(), folders: new Map<string, string>(), hidden: new Set<string>() }
  const isOpaque = (upper: string, path: string, { id }: Folder): boolean => known.get(keyOf(upper, path, id)) === true
  merge(
    trees.map(({ upper, root }) => ({ upper, folder: root })),
    '',
    isOpaque,
    found,
  )
  return found
}

async function readTree(upper: string, path: string, id: string, isSkipped: IsSkipped, slice: () => Promise<void>): Promise<Folder> {
  const inner = new Map<string, Node>()
  for (const bytes of orNull(() => readdirSync(`${upper}/${path}`, { encoding: 'buffer' })) ?? []) {
    const name = bytes.toString('utf8')
    // Names that are not UTF-8 cannot be shown, and therefore cannot be signed.
    if (!Buffer.from(name).equals(bytes)) continue
    const innerPath = path === '' ? name : `${path}/${name}`
    const at = `${upper}/${innerPath}`
    const stats = orNull(() => lstatSync(at, { bigint: true }))
    if (stats === null || isSkipped(innerPath, stats.isDirectory())) continue
    await slice()
    if (stats.isDirectory()) inner.set(name, await readTree(upper, innerPath, idOf(stats), isSkipped, slice))
    else if (stats.isCharacterDevice() && stats.rdev === 0n) inner.set(name, { kind: 'removed' })
    else inner.set(name, { kind: 'file', file: { at, stats } })
  }
  return { kind: 'folder', id, inner }
}

const idOf = ({ ino, birthtimeNs }: BigIntStats): string => `${ino} ${birthtimeNs}`

const keyOf = (upper: string, path: string, id: string): string => `${upper}\0${path}\0${id}`

/** Whether a folder of an upper folder is known to be opaque. */
export const isKnownOpaque = (known: KnownOpaque, upper: string, path: string, stats: BigIntStats): boolean =>
  known.get(keyOf(upper, path, idOf(stats))) === true

async function learnOpaque(upper: string, root: Folder, known: KnownOpaque): Promise<void> {
  const unknown = new Map<string, string>()
  const visit = (folder: Folder, path: string): void => {
    for (const [name, node] of folder.inner) {
      if (node.kind !== 'folder') continue
      const inner = path === '' ? name : `${path}/${name}`
      const key = keyOf(upper, inner, node.id)
      if (!known.has(key)) unknown.set(inner, key)
      visit(node, inner)
    }
  }
  visit(root, '')
  if (unknown.size === 0) return
  const opaque = await opaqueAmong(upper, [...unknown.keys()])
  for (const [path, key] of unknown) known.set(key, opaque.has(path))
}

interface Seen {
  readonly upper: string
  readonly folder: Folder
}

type IsOpaque = (upper: string, path: string, folder: Folder) => boolean

/** `folders`: those at the same path that show, the uppermost first. */
function merge(
  folders: readonly Seen[],
  path: string,
  isOpaque: IsOpaque,
  found: { readonly files: Map<string, UpperFile>; readonly folders: Map<string, string>; readonly hidden: Set<string> },
): void {
  for (const name of new Set(folders.flatMap(({ folder }) => [...folder.inner.keys()]))) {
    const inner = path === '' ? name : `${path}/${name}`
    const shown: Seen[] = []
    for (const { upper, folder } of folders) {
      const node = folder.inner.get(name)
      if (node === undefined) continue
      const isTop = shown.length === 0
      if (node.kind === 'folder') shown.push({ upper, folder: node })
      if (node.kind === 'file' && isTop) found.files.set(inner, node.file)
      const isMerged = node.kind === 'folder' && !isOpaque(upper, inner, node)
      if (isMerged) continue
      if (node.kind !== 'file' || !isTop) found.hidden.add(inner)
      break
    }
    const [top] = shown
    if (top === undefined) continue
    found.folders.set(inner, `${top.upper}/${inner}`)
    merge(shown, inner, isOpaque, found)
  }
}
