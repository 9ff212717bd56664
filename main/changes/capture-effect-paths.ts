import { dirname } from 'node:path'
import { mapAtOnce } from '../../shared/lib/map-at-once.ts'
import type { Effect, MovedFrom } from '../../shared/session/effects.ts'
import type { FileChange, FolderChange, UnreadFile } from '../../shared/session/file-change.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { isInside } from '../is-inside.ts'
import { lookAhead } from '../agent/one-look.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import { countChangedLinesInSlices } from './count-changed-lines.ts'

/** Maximum size of a captured file in bytes. The editing tools do not accept larger files. */
const MAX_BYTES = 100 * 1024 * 1024
/** Permission bits, without the file type. */
const MODE_BITS = 0o7777
/** Number of places that are read at the same time. Each read waits for the disk most of the time. */
const FILES_AT_ONCE = 16

/** A file or link at a path. Null if there is neither. A link's `bytes` are its target. */
export type CapturedFile =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: 'link'; readonly bytes: Uint8Array; readonly mode: null }
  | null
type Captured = CapturedFile | { readonly kind: 'folder'; readonly mode: number }

interface PathParts {
  readonly env: ExecutionEnvironment
  readonly blobs: BlobStore
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
  { env, blobs }: PathParts,
  effects: readonly Effect[],
): Promise<{ changes(): Promise<PathChanges> }> {
  const shownByPath = new Map(effects.flatMap((effect) => (isPlace(effect) ? [[effect.path, effect.shown] as const] : [])))
  const moves = new Map(effects.flatMap((effect) => (effect.kind === 'write' && effect.movedFrom ? [[effect.path, effect.movedFrom]] : [])))
  // A tool writes to files, even through a link. A command in a copy has changed the link or the folder itself.
  const inCopy = effects.some(({ kind }) => kind === 'command')
  const links = new Set(effects.flatMap((effect) => (effect.kind === 'link' ? [effect.path] : [])))
  const read = async (path: string): Promise<Captured> => {
    if (!inCopy && !missing.has(path)) return capture(env, path)
    if (links.size > 0 && (await isBelowLink(env, path, links))) return null
    return captureEntry(env, path)
  }
  const missing = new Map<string, string>()
  const before = new Map<string, Captured>()
  void lookAhead(
    env,
    [...new Set([...shownByPath.keys()].flatMap((path) => foldersAbove(path, env.workingDirectory())))].slice(0, MAX_AHEAD),
    'facts',
  )
  void lookAhead(env, [...shownByPath.keys()].slice(0, MAX_AHEAD), 'contents')
  const slice = createSlices()
  await mapAtOnce([...shownByPath.keys()], FILES_AT_ONCE, async (path) => {
    const captured = await read(path)
    await slice()
    if (captured && captured.kind !== 'folder') await blobs.putInSlices(captured.bytes)
    before.set(path, captured)
  })
  const created = [...shownByPath].filter(([path]) => before.get(path) === null)
  for (const [path, shown] of await missingFolders(env, created)) if (!shownByPath.has(path)) missing.set(path, shown)
  const sources = new Map([...moves].map(([path, from]) => [path, { from, bytes: fileOf(before.get(from.path) ?? null)?.bytes ?? null }]))
  return {
    async changes() {
      const unread: UnreadFile[] = []
      const changed = async ([path, shown]: readonly [string, string]): Promise<readonly Change[]> => {
        try {
          await slice()
          const was = before.get(path) ?? null
          const now = await read(path)
          const source = sources.get(path)
          const isMoved = source?.bytes && was === null && now !== null && (await env.stat(source.from.path)) === null
          return await changesOf({ path, shown }, was, now, blobs, isMoved ? source : null)
        } catch (error) {
          unread.push({ path, shown, why: error instanceof Error ? error.message : String(error) })
          return []
        }
      }
      void lookAhead(env, [...shownByPath.keys(), ...missing.keys()].slice(0, MAX_AHEAD), 'contents')
      const found = (await mapAtOnce([...shownByPath, ...missing], FILES_AT_ONCE, changed)).flat()
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

async function capture(env: ExecutionEnvironment, path: string): Promise<Captured> {
  const stat = await env.stat(path)
  if (stat === null) return null
  return { kind: 'file', bytes: await env.readBytes(path, { maxBytes: MAX_BYTES }), mode: stat.mode & MODE_BITS }
}

async function captureEntry(env: ExecutionEnvironment, path: string): Promise<Captured> {
  const stat = await env.lstat(path)
  if (stat?.kind === 'symlink') return { kind: 'link', bytes: Buffer.from(await env.readlink(path)), mode: null }
  return stat?.kind === 'folder' ? { kind: 'folder', mode: stat.mode & MODE_BITS } : capture(env, path)
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
  readonly bytes: Uint8Array | null
}

const fileOf = (captured: Captured): CapturedFile => (captured?.kind === 'folder' ? null : captured)
const folderOf = (captured: Captured): number | null => (captured?.kind === 'folder' ? captured.mode : null)

type Shown = Pick<FileChange, 'path' | 'shown'>

/** The changes at one path: of a file, of a folder, or of both if one replaced the other. */
async function changesOf(at: Shown, was: Captured, now: Captured, blobs: BlobStore, movedBy: Source | null): Promise<readonly Change[]> {
  const before = folderOf(was)
  const after = folderOf(now)
  const folder = before === after ? [] : [{ ...at, before, after }]
  const from = fileOf(was)
  const to = fileOf(now)
  const isSame = from?.kind === to?.kind && from?.mode === to?.mode && sameBytes(from, to)
  return [...(isSame ? [] : [await fileChange(at, from, to, blobs, movedBy)]), ...folder]
}

const sameBytes = (a: CapturedFile, b: CapturedFile): boolean => (a && b ? Buffer.compare(a.bytes, b.bytes) === 0 : a === b)

const NO_LINES = { added: 0, removed: 0 }

/** A change to a file or link, with the bytes of both sides in the store. `movedBy`: where the file was before. */
export async function fileChange(
  at: Shown,
  before: CapturedFile,
  after: CapturedFile,
  blobs: BlobStore,
  movedBy: Source | null = null,
): Promise<FileChange> {
  return {
    ...at,
    before: before && (await blobs.putInSlices(before.bytes)),
    after: after && (await blobs.putInSlices(after.bytes)),
    beforeBytes: before?.bytes.length ?? 0,
    afterBytes: after?.bytes.length ?? 0,
    beforeMode: before?.mode ?? null,
    afterMode: after?.mode ?? null,
    ...(before?.kind === 'link' && { beforeKind: before.kind }),
    ...(after?.kind === 'link' && { afterKind: after.kind }),
    lines: sameBytes(before, after)
      ? NO_LINES
      : await countChangedLinesInSlices(movedBy?.bytes ?? before?.bytes ?? null, after?.bytes ?? null),
    ...(movedBy && { movedFrom: movedBy.from }),
  }
}

/** The lines of a move are counted once, at the file's new place. */
function whole(files: readonly FileChange[]): readonly FileChange[] {
  const left = new Set(files.map(({ movedFrom }) => movedFrom?.path))
  return files.map((file) => (left.has(file.path) && file.after === null ? { ...file, lines: NO_LINES } : file))
}
