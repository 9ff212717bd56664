import { basename, dirname, join } from 'node:path'
import { assertNever } from '../../shared/lib/assert-never.ts'
import { mapAtOnce } from '../../shared/lib/map-at-once.ts'
import type { BlobHash } from '../../shared/lib/ids.ts'
import type { Effect, WriteEffect } from '../../shared/session/effects.ts'
import type { CommandCopies, CopiedEntry, CopyChange, KeptChangeSet, PathInside } from '../agent/ports/command-copies.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import type { PathFacts } from '../agent/ports/tool.ts'
import { currentLook } from '../agent/one-look.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import { countStoredLines } from './count-changed-lines.ts'

export interface CopyEffectParts {
  readonly blobs: Pick<BlobStore, 'getInSlices'>
  place(path: string): Promise<PathFacts>
  /** See `CommandCopies.ignoredParts`. If left out, ignored files are not marked. */
  readonly ignoredParts?: CommandCopies['ignoredParts']
}

/** What a command did in its copy, as effects, in the order of its change set. */
export async function copyEffects({ folder, changes }: KeptChangeSet, parts: CopyEffectParts): Promise<readonly Effect[]> {
  const deleted = new Set(changes.flatMap(({ kind, path }) => (kind === 'deleted' ? [path] : [])))
  const filled = foldersWithContent(changes)
  const shown = changes.filter((change) => !(change.kind === 'created' && change.after.kind === 'folder' && filled.has(change.path)))
  const slice = createSlices()
  // Where the changes are is asked at the same time.
  if (currentLook() !== null)
    for (const path of new Set(shown.slice(0, PLACES_AT_ONCE).flatMap((one) => [one.path, dirname(one.path)])))
      void parts.place(join(folder, path)).catch(() => {})
  const found = (await parts.ignoredParts?.(shown.map(pathInside))) ?? []
  const effects = await mapAtOnce([...shown.entries()], PLACES_AT_ONCE, async ([index, change]) => {
    const at = await placeOf(join(folder, change.path), parts)
    const from = change.kind === 'created' && change.movedFrom !== undefined && deleted.has(change.movedFrom) ? change.movedFrom : null
    const movedFrom = from === null ? null : await placeOf(join(folder, from), parts)
    await slice()
    const ignored = found[index] ?? null
    return effectsOf(change, ignored === null ? at : { ...at, ignored }, movedFrom, parts)
  })
  return effects.flat()
}

function pathInside(change: CopyChange): PathInside {
  const { kind } = change.kind === 'deleted' ? change.before : change.after
  return { path: change.path, isFolder: kind === 'folder' || kind === 'tree' }
}

/** Number of places that are looked up at the same time. Each lookup mostly waits for the file system. */
const PLACES_AT_ONCE = 16

/** Where a change is, and which part of its path git ignores, if any. */
type At = PathFacts & { readonly ignored?: string }

/** Folders below which a file or folder was created or changed. A command may make thousands of such folders. */
function foldersWithContent(changes: readonly CopyChange[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const { kind, path } of changes) {
    if (kind === 'deleted') continue
    for (let at = path.lastIndexOf('/'); at > 0 && !folders.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1))
      folders.add(path.slice(0, at))
  }
  return folders
}

/** The path of a change contains no links: it is where the command wrote, not where a link leads. */
async function placeOf(path: string, { place }: CopyEffectParts): Promise<PathFacts> {
  try {
    const facts = await place(path)
    if (facts.path === path) return { ...facts, outside: false }
    const above = await place(dirname(path))
    const shown = above.path === dirname(path) ? join(above.shown, basename(path)) : path
    return { ...facts, path, shown, outside: false }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ELOOP')) throw error
    // Links that form a loop lead nowhere, so a change at this path cannot be judged and always needs a signature.
    return { path, shown: path, outside: false, control: true }
  }
}

async function effectsOf(change: CopyChange, at: At, movedFrom: PathFacts | null, parts: CopyEffectParts): Promise<readonly Effect[]> {
  switch (change.kind) {
    case 'deleted': {
      const { before } = change
      if (before.kind === 'link') return [{ kind: 'link', ...at, before: before.target, after: null }]
      if (before.kind === 'folder') return [{ kind: 'folder', ...at, change: 'deleted' }]
      return [{ kind: 'delete', ...at, before: before.hash as BlobHash, beforeBytes: before.size }]
    }
    case 'created': {
      const { after } = change
      if (after.kind === 'link') return [{ kind: 'link', ...at, before: null, after: after.target }]
      if (after.kind === 'folder') return [{ kind: 'folder', ...at, change: 'created' }]
      if (after.kind === 'tree') {
        const { files, bytes, hash } = after
        return [{ kind: 'folder', ...at, change: 'created', tree: { files, bytes, hash } }]
      }
      const moved = movedFrom && { movedFrom: { path: movedFrom.path, shown: movedFrom.shown } }
      const lines = moved ? NO_LINES : await countLines(null, after, parts)
      return [{ ...written(at, null, after), lines, mode: after.mode, ...moved }]
    }
    case 'modified':
      return modification(change, at, parts)
    default:
      return assertNever(change, 'change')
  }
}

const NO_LINES = { added: 0, removed: 0 }

async function modification(
  { path, before, after }: Extract<CopyChange, { kind: 'modified' }>,
  at: At,
  parts: CopyEffectParts,
): Promise<readonly Effect[]> {
  if (before.kind === 'link' && after.kind === 'link') return [{ kind: 'link', ...at, before: before.target, after: after.target }]
  if (before.kind === 'link' || after.kind === 'link' || after.kind === 'tree')
    throw new Error(`${path} changed from one kind of entry to another, so it counts as a deletion and a creation.`)
  const modes: readonly Effect[] =
    before.mode === after.mode ? [] : [{ kind: 'permissions', ...at, before: before.mode, after: after.mode }]
  if (before.kind !== 'file' || after.kind !== 'file' || before.hash === after.hash) return modes
  return [{ ...written(at, before, after), lines: await countLines(before, after, parts) }, ...modes]
}

type FileEntry = Extract<CopiedEntry, { kind: 'file' }>

function written(at: At, before: FileEntry | null, after: FileEntry): Omit<WriteEffect, 'lines'> {
  return {
    kind: 'write',
    ...at,
    before: (before?.hash ?? null) as BlobHash | null,
    after: after.hash as BlobHash,
    beforeBytes: before?.size ?? 0,
    afterBytes: after.size,
  }
}

function countLines(before: FileEntry | null, after: FileEntry, { blobs }: CopyEffectParts): Promise<WriteEffect['lines']> {
  const version = ({ hash }: FileEntry) => ({ hash, bytes: () => blobs.getInSlices(hash as BlobHash) })
  return countStoredLines(before && version(before), version(after))
}
