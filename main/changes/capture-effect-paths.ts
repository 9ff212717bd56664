import { dirname, relative } from 'node:path'
import { mapAtOnce } from '../../shared/lib/map-at-once.ts'
import { BlobHash } from '../../shared/lib/ids.ts'
import type { Effect, MovedFrom } from '../../shared/session/effects.ts'
import type { FileChange, FolderChange, UnreadFile } from '../../shared/session/file-change.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import type { StandingEntry } from '../agent/ports/command-copies.ts'
import type { Layers } from '../agent/ports/layers.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { isInside } from '../is-inside.ts'
import { lookAhead } from '../agent/one-look.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import { countStoredLines } from './count-changed-lines.ts'

/** Maximum size of a captured file in bytes. The editing tools do not accept larger files. */
const MAX_BYTES = 100 * 1024 * 1024
/** Permission bits, without the file type. */
const MODE_BITS = 0o7777
/** Number of places that are read at the same time. Each read waits for the disk most of the time. */
const FILES_AT_ONCE = 16

/** A file or link at a path, whose bytes are in the store. Null if there is neither. The bytes of a link are its target. */
export type CapturedFile =
  | (Stored & ({ readonly kind: 'file'; readonly mode: number } | { readonly kind: 'link'; readonly mode: null }))
  | null
type Captured = CapturedFile | { readonly kind: 'folder'; readonly mode: number }

/** `size`: in bytes. */
interface Stored {
  readonly hash: BlobHash
  readonly size: number
  bytes(): Promise<Uint8Array>
}

export interface PathParts {
  readonly env: ExecutionEnvironment
  readonly blobs: BlobStore
  /** The folder in which many places are looked at with one request. If left out, each place is read by itself. */
  readonly listed?: { readonly folder: string; readonly entriesOf: Layers['entriesOf'] }
}

export interface PathChanges {
  readonly files: readonly FileChange[]
  readonly folders: readonly FolderChange[]
  readonly unread: readonly UnreadFile[]
}

/**
 * Reads the places that effects concern. Rejects if one cannot be read or stored. `changes` reads them again and never rejects: a place
 * that can no longer be read or stored is listed with the reason.
 */
export async function captureEffectPaths(
  { env, blobs, listed }: PathParts,
  effects: readonly Effect[],
): Promise<{ changes(): Promise<PathChanges> }> {
  const shownByPath = new Map(effects.flatMap((effect) => (isPlace(effect) ? [[effect.path, effect.shown] as const] : [])))
  const moves = new Map(effects.flatMap((effect) => (effect.kind === 'write' && effect.movedFrom ? [[effect.path, effect.movedFrom]] : [])))
  // A tool writes to files, even through a link. A command in a copy has changed the link or the folder itself.
  const inCopy = effects.some(({ kind }) => kind === 'command')
  const links = new Set(effects.flatMap((effect) => (effect.kind === 'link' ? [effect.path] : [])))
  const files = { env, blobs }
  /** If one of many places cannot be read, each is read by itself, so that only this one is listed as unread. */
  const entries = async (paths: readonly string[]): Promise<Entries> => {
    if (!listed || !inCopy || paths.length < MANY) return new Map()
    const { folder, entriesOf } = listed
    const found = await entriesOf(paths.map((path) => relative(folder, path))).catch(() => ({ entries: [] }))
    return new Map(found.entries.map((entry, index) => [paths[index] ?? '', entry]))
  }
  const read = async (path: string, known: Entries): Promise<Captured> => {
    if (!inCopy && !missing.has(path)) return capture(files, path)
    if (links.size > 0 && (await isBelowLink(env, path, links))) return null
    const entry = known.get(path)
    return entry === undefined || isUnknownFile(entry, blobs) ? captureEntry(files, path) : ofEntry(entry, blobs)
  }
  const missing = new Map<string, string>()
  const before = new Map<string, Captured>()
  void lookAhead(
    env,
    [...new Set([...shownByPath.keys()].flatMap((path) => foldersAbove(path, env.workingDirectory())))].slice(0, MAX_AHEAD),
    'facts',
  )
  const slice = createSlices()
  const found = await entries([...shownByPath.keys()])
  if (found.size === 0) void lookAhead(env, [...shownByPath.keys()].slice(0, MAX_AHEAD), 'contents')
  await mapAtOnce([...shownByPath.keys()], FILES_AT_ONCE, async (path) => {
    await slice()
    before.set(path, await read(path, found))
  })
  const created = [...shownByPath].filter(([path]) => before.get(path) === null)
  for (const [path, shown] of await missingFolders(env, created)) if (!shownByPath.has(path)) missing.set(path, shown)
  const sources = new Map([...moves].map(([path, from]) => [path, { from, file: fileOf(before.get(from.path) ?? null) }]))
  return {
    async changes() {
      const unread: UnreadFile[] = []
      const places = [...shownByPath, ...missing]
      const known = await entries(places.map(([path]) => path))
      const changed = async ([path, shown]: readonly [string, string]): Promise<readonly Change[]> => {
        try {
          await slice()
          const was = before.get(path) ?? null
          const now = await read(path, known)
          const source = sources.get(path)
          const isMoved = source?.file && was === null && now !== null && (await env.stat(source.from.path)) === null
          return await changesOf({ path, shown }, was, now, isMoved ? source : null)
        } catch (error) {
          unread.push({ path, shown, why: error instanceof Error ? error.message : String(error) })
          return []
        }
      }
      if (known.size === 0) void lookAhead(env, places.map(([path]) => path).slice(0, MAX_AHEAD), 'contents')
      const found = (await mapAtOnce(places, FILES_AT_ONCE, changed)).flat()
      return {
        files: whole(found.flatMap((change) => ('lines' in change ? [change] : []))),
        folders: found.flatMap((change) => ('lines' in change ? [] : [change])),
        unread,
      }
    },
  }
}

/** Maximum number of paths for which one message asks ahead. */
const MAX_AHEAD = 200

/** The folders above a path, up to the root folder. Outside it, only the nearest one. */
function foldersAbove(path: string, root: string): readonly string[] {
  const above = [dirname(path)]
  for (let at = dirname(path); isInside(root, at) && at !== root; at = dirname(at)) above.push(dirname(at))
  return above
}

type Change = FileChange | FolderChange
type Place = Extract<Effect, { kind: 'write' | 'delete' | 'permissions' | 'link' | 'folder' }>

/** A complete folder that git ignores is not captured. */
function isPlace(effect: Effect): effect is Place {
  if (effect.kind === 'folder') return effect.tree === undefined
  return effect.kind === 'write' || effect.kind === 'delete' || effect.kind === 'permissions' || effect.kind === 'link'
}

/** Number of places from which one request for all of them is worth it. */
const MANY = 20

/** What is at paths. A path that is not in it was not looked at. */
type Entries = ReadonlyMap<string, StandingEntry | null>

const isUnknownFile = (entry: StandingEntry | null, blobs: BlobStore): boolean =>
  entry?.kind === 'file' && !blobs.has(BlobHash.parse(entry.hash))

async function ofEntry(entry: StandingEntry | null, blobs: BlobStore): Promise<Captured> {
  if (entry === null) return null
  if (entry.kind === 'folder') return { kind: 'folder', mode: entry.mode }
  if (entry.kind === 'link') return storedLink(entry.target, blobs)
  const hash = BlobHash.parse(entry.hash)
  return { kind: 'file', mode: entry.mode, hash, size: entry.size, bytes: () => blobs.getInSlices(hash) }
}

async function capture(files: Files, path: string): Promise<Captured> {
  const stat = await files.env.stat(path)
  return stat && captureFile(files, path, stat.mode)
}

async function captureEntry(files: Files, path: string): Promise<Captured> {
  const { env, blobs } = files
  const stat = await env.lstat(path)
  if (stat?.kind === 'symlink') return storedLink(await env.readlink(path), blobs)
  if (stat?.kind === 'folder') return { kind: 'folder', mode: stat.mode & MODE_BITS }
  return stat && captureFile(files, path, stat.mode)
}

type Files = Pick<PathParts, 'env' | 'blobs'>

async function captureFile({ env, blobs }: Files, path: string, mode: number): Promise<CapturedFile> {
  return { kind: 'file', mode: mode & MODE_BITS, ...(await stored(await env.readBytes(path, { maxBytes: MAX_BYTES }), blobs)) }
}

const storedLink = async (target: string, blobs: BlobStore): Promise<CapturedFile> => ({
  kind: 'link',
  mode: null,
  ...(await stored(Buffer.from(target), blobs)),
})

/** Puts bytes into the store. */
export async function stored(bytes: Uint8Array, blobs: BlobStore): Promise<Stored> {
  return { hash: await blobs.putInSlices(bytes), size: bytes.length, bytes: () => Promise.resolve(bytes) }
}

/** Whether the path leads through one of these links, and therefore to a file that the step did not change. */
async function isBelowLink(env: ExecutionEnvironment, path: string, links: ReadonlySet<string>): Promise<boolean> {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at))
    if (links.has(at) && (await env.lstat(at))?.kind === 'symlink') return true
  return false
}

/** The missing folders above new files, with their displayed paths. */
async function missingFolders(
  env: ExecutionEnvironment,
  files: readonly (readonly [string, string])[],
): Promise<ReadonlyMap<string, string>> {
  const missing = new Map<string, string>()
  const existing = new Set<string>()
  for (const [path, shown] of files) {
    let at = dirname(path)
    let as = dirname(shown)
    while (!missing.has(at) && !existing.has(at) && at !== dirname(at)) {
      if ((await env.lstat(at)) !== null) {
        existing.add(at)
        break
      }
      missing.set(at, as)
      at = dirname(at)
      as = dirname(as)
    }
  }
  return missing
}

interface Source {
  readonly from: MovedFrom
  readonly file: CapturedFile
}

const fileOf = (captured: Captured): CapturedFile => (captured?.kind === 'folder' ? null : captured)
const folderOf = (captured: Captured): number | null => (captured?.kind === 'folder' ? captured.mode : null)

type Shown = Pick<FileChange, 'path' | 'shown'>

/** The changes at one path: of a file, of a folder, or of both if one replaced the other. */
async function changesOf(at: Shown, was: Captured, now: Captured, movedBy: Source | null): Promise<readonly Change[]> {
  const before = folderOf(was)
  const after = folderOf(now)
  const folder = before === after ? [] : [{ ...at, before, after }]
  const from = fileOf(was)
  const to = fileOf(now)
  const isSame = from?.kind === to?.kind && from?.mode === to?.mode && from?.hash === to?.hash
  return [...(isSame ? [] : [await fileChange(at, from, to, movedBy)]), ...folder]
}

const NO_LINES = { added: 0, removed: 0 }

/** A change to a file or link. `movedBy`: where the file was before. */
export async function fileChange(at: Shown, before: CapturedFile, after: CapturedFile, movedBy: Source | null = null): Promise<FileChange> {
  const old = movedBy?.file ?? before
  const isSame = before?.hash === after?.hash
  return {
    ...at,
    before: before?.hash ?? null,
    after: after?.hash ?? null,
    beforeBytes: before?.size ?? 0,
    afterBytes: after?.size ?? 0,
    beforeMode: before?.mode ?? null,
    afterMode: after?.mode ?? null,
    ...(before?.kind === 'link' && { beforeKind: before.kind }),
    ...(after?.kind === 'link' && { afterKind: after.kind }),
    lines: isSame ? NO_LINES : await countStoredLines(old, after),
    ...(movedBy && { movedFrom: movedBy.from }),
  }
}

/** The lines of a move are counted once, at the file's new place. */
function whole(files: readonly FileChange[]): readonly FileChange[] {
  const left = new Set(files.map(({ movedFrom }) => movedFrom?.path))
  return files.map((file) => (left.has(file.path) && file.after === null ? { ...file, lines: NO_LINES } : file))
}
