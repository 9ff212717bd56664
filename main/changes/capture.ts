import { join } from 'node:path'
import { mapAtOnce } from '../../shared/lib/map-at-once.ts'
import type { CommandEffect, Effect, MovedFrom } from '../../shared/session/effects.ts'
import type { FileChange, MadeBy, UnreadFile } from '../../shared/session/file-change.ts'
import type { BlobStore } from '../agent/ports/event-log.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { FolderComparison, FoundChange, FoundChanges } from '../agent/ports/folder-comparison.ts'
import { createSlices } from '../agent/slices.ts'
import { countChangedLines } from './line-counts.ts'

export interface CaptureParts {
  readonly env: ExecutionEnvironment
  readonly blobs: BlobStore
  /** The project folder, and how it is compared around a command that runs for real. Absent: it is not. */
  readonly compared?: { readonly folder: string; readonly comparison: FolderComparison }
}

/** Maximum size of a captured file; the editing tools accept no larger ones. */
const MAX_BYTES = 100 * 1024 * 1024
/** Permission bits, without the file type. */
const MODE_BITS = 0o7777

/** A file's current state; null: no file. */
type Captured = { readonly bytes: Uint8Array; readonly mode: number } | null

interface CapturedStep {
  changes(): Promise<Changes>
  /** `others`: the files that steps have changed since the command was started, oldest first. */
  afterBackground(others: readonly FileChange[]): Promise<Changes>
  drop(): void
}

interface Changes {
  readonly files: readonly FileChange[]
  readonly unread: readonly UnreadFile[]
  readonly madeBy?: MadeBy
}

/**
 * Reads the files a step names before it runs, and the whole folder before a command that runs for real. Rejects with the environment's or
 * the store's error if a named file cannot be read or stored: such a step could not be undone and must not run. `changes` reads them again,
 * whether the step succeeded or failed half-way, and returns the files whose bytes or mode differ. It never rejects: a file that can no
 * longer be read or stored is listed with the reason. `drop` is called instead when the step did not run. A background command has only
 * begun when its call ends, so `changes` says that its changes are not known yet, and `afterBackground` finds them.
 */
export async function captureFiles(parts: CaptureParts, effects: readonly Effect[]): Promise<CapturedStep> {
  const { compared } = parts
  const command = effects.find((effect) => effect.kind === 'command')
  const named = await captureNamed(parts, effects)
  if (!command) return { changes: named.changes, afterBackground: named.changes, drop: () => {} }
  const run = compared && command.sandbox !== 'copy' ? await compared.comparison.begin() : null
  return {
    async afterBackground(others) {
      const by = { ...madeBy(command), inBackground: true } as const
      if (!run || !compared) return { files: [], unread: [], madeBy: by }
      const found = await foundFiles(await run.end(), compared.folder, parts)
      return { ...found, files: withoutOthers(found.files, others, parts), madeBy: { ...by, ...found.madeBy } }
    },
    async changes() {
      const changed = await named.changes()
      if (!run || !compared) return { ...changed, madeBy: madeBy(command) }
      if (command.way === 'background')
        return { ...changed, madeBy: { ...madeBy(command), inBackground: true, compared: { files: 0, leftOut: [notYet(command)] } } }
      const found = await foundFiles(await run.end(), compared.folder, parts)
      return {
        ...found,
        files: [...changed.files, ...found.files],
        unread: [...changed.unread, ...found.unread],
        madeBy: { ...madeBy(command), ...found.madeBy },
      }
    },
    drop: () => run?.drop(),
  }
}

/** Characters of a command, as `MadeBy` promises. */
const MAX_COMMAND = 2000

const madeBy = ({ command }: CommandEffect): MadeBy => ({ command: command.slice(0, MAX_COMMAND) })

/** Shown until the comparison after its end takes its place. */
const notYet = ({ command }: CommandEffect): string =>
  `${command.split('\n', 1)[0]?.slice(0, 80)} was started in the background and may change files. They are listed if it ends while Countersign runs.`

/** What steps have changed meanwhile is not listed again, unless something has changed it once more. */
function withoutOthers(found: readonly FileChange[], others: readonly FileChange[], { blobs }: CaptureParts): readonly FileChange[] {
  const last = new Map(others.map((file) => [file.path, file]))
  return found.flatMap((file) => {
    const known = last.get(file.path)
    if (!known) return [file]
    if (known.after === file.after && known.afterMode === file.afterMode) return []
    const { after: before, afterBytes: beforeBytes, afterMode: beforeMode } = known
    const bytes = (hash: FileChange['after']): Uint8Array | null => hash && blobs.get(hash)
    return [{ ...file, before, beforeBytes, beforeMode, lines: countChangedLines(bytes(before), bytes(file.after)) }]
  })
}

/** What the comparison of the folder found, with its bytes in the store. */
async function foundFiles(
  { changes, files: count, leftOut }: FoundChanges,
  folder: string,
  { blobs }: CaptureParts,
): Promise<Pick<Changes, 'files' | 'unread'> & { readonly madeBy: Pick<MadeBy, 'compared'> }> {
  const files: FileChange[] = []
  const unread: UnreadFile[] = []
  const slice = createSlices()
  for (const change of changes) {
    const path = join(folder, change.path)
    try {
      files.push(await foundChange(change, path, blobs))
    } catch (error) {
      unread.push({ path, shown: change.path, why: error instanceof Error ? error.message : String(error) })
    }
    await slice()
  }
  return { files, unread, madeBy: { compared: { files: count, leftOut } } }
}

async function foundChange({ path: shown, before, after }: FoundChange, path: string, blobs: BlobStore): Promise<FileChange> {
  const sameBytes = before && after ? Buffer.compare(before.bytes, after.bytes) === 0 : before === after
  return {
    ...{ path, shown, before: before && blobs.put(before.bytes), after: after && blobs.put(after.bytes) },
    ...{ beforeBytes: before?.bytes.length ?? 0, afterBytes: after?.bytes.length ?? 0 },
    ...{ beforeMode: before?.mode ?? null, afterMode: after?.mode ?? null },
    lines: sameBytes ? NO_LINES : countChangedLines(before?.bytes ?? null, after?.bytes ?? null),
  }
}

/** Each waits for the disk most of the time. */
const FILES_AT_ONCE = 16

async function captureNamed(
  { env, blobs }: CaptureParts,
  effects: readonly Effect[],
): Promise<{ changes(): Promise<Pick<Changes, 'files' | 'unread'>> }> {
  const touched = effects.filter((effect) => effect.kind === 'write' || effect.kind === 'delete')
  const changed = effects.filter((effect) => effect.kind === 'write' || effect.kind === 'delete' || effect.kind === 'permissions')
  const named = new Map(changed.map(({ path, shown }) => [path, shown]))
  const moves = new Map(touched.flatMap((effect) => (effect.kind === 'write' && effect.movedFrom ? [[effect.path, effect.movedFrom]] : [])))
  const before = new Map<string, Captured>()
  const slice = createSlices()
  await mapAtOnce([...named.keys()], FILES_AT_ONCE, async (path) => {
    const captured = await capture(env, path)
    await slice()
    if (captured) blobs.put(captured.bytes)
    before.set(path, captured)
  })
  const sources = new Map([...moves].map(([path, from]) => [path, { from, bytes: before.get(from.path)?.bytes ?? null }]))
  return {
    async changes() {
      const unread: UnreadFile[] = []
      const found = await mapAtOnce([...named], FILES_AT_ONCE, async ([path, shown]) => {
        try {
          await slice()
          const was = before.get(path) ?? null
          return await changeOf(env, blobs, { path, shown }, { was, source: sources.get(path) ?? null })
        } catch (error) {
          unread.push({ path, shown, why: error instanceof Error ? error.message : String(error) })
          return null
        }
      })
      return { files: whole(found.filter((change) => change !== null)), unread }
    },
  }
}

async function capture(env: ExecutionEnvironment, path: string): Promise<Captured> {
  const stat = await env.stat(path)
  if (stat === null) return null
  return { bytes: await env.readBytes(path, { maxBytes: MAX_BYTES }), mode: stat.mode & MODE_BITS }
}

interface Source {
  readonly from: MovedFrom
  readonly bytes: Uint8Array | null
}

async function changeOf(
  env: ExecutionEnvironment,
  blobs: BlobStore,
  file: Pick<FileChange, 'path' | 'shown'>,
  { was: before, source }: { readonly was: Captured; readonly source: Source | null },
): Promise<FileChange | null> {
  const after = await capture(env, file.path)
  const sameBytes = before && after ? Buffer.compare(before.bytes, after.bytes) === 0 : before === after
  if (sameBytes && before?.mode === after?.mode) return null
  const isMoved = source?.bytes && before === null && after !== null && (await env.stat(source.from.path)) === null
  return {
    ...file,
    before: before && blobs.put(before.bytes),
    after: after && blobs.put(after.bytes),
    beforeBytes: before?.bytes.length ?? 0,
    afterBytes: after?.bytes.length ?? 0,
    beforeMode: before?.mode ?? null,
    afterMode: after?.mode ?? null,
    lines: sameBytes ? NO_LINES : countChangedLines(isMoved ? source.bytes : (before?.bytes ?? null), after?.bytes ?? null),
    ...(isMoved && { movedFrom: source.from }),
  }
}

const NO_LINES = { added: 0, removed: 0 }

/** A move is listed once, at the file's new place. */
function whole(files: readonly FileChange[]): readonly FileChange[] {
  const left = new Set(files.map(({ movedFrom }) => movedFrom?.path))
  return files.map((file) => (left.has(file.path) && file.after === null ? { ...file, lines: NO_LINES } : file))
}
