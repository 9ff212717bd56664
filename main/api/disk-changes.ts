import type { BlobText, TextNow } from '../../shared/api/changes/changes.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { createDiskChanges } from '../changes/disk-changes.ts'
import { isInside } from '../is-inside.ts'
import type { Workspace, Workspaces } from '../workspace/workspaces.ts'
import { MAX_SHOWN_FILE_BYTES, shownText } from './changes.ts'
import { unlessStorageFails, unlessStreamFails } from './storage-failures.ts'
import { latestValue } from './latest-value.ts'

export interface DiskChangesParts {
  readonly workspaces: Pick<Workspaces, 'open'>
  /** Returns the real path of a session's folder. Null if there is no such session. */
  readonly folderOf: (sessionId: SessionId) => string | null
  readonly isTrusted: (folder: string) => boolean
}

/** What changed on disk after a session's steps. Nothing is read in a folder that is not trusted. */
export function diskChangesHandlers(parts: DiskChangesParts): Pick<AppHandlers['changes'], 'onDisk' | 'textNow'> {
  return {
    onDisk: ({ sessionId, files }, { signal }) => unlessStreamFails(diskChanges(parts, sessionId, files, signal), () => ({ changed: [] })),
    textNow: ({ sessionId, path }) =>
      unlessStorageFails<TextNow>(
        async () => {
          const read = await inFolder(parts, sessionId, (workspace) => textNow(workspace, path))
          return read.ok ? { ok: true, text: read.value } : { ok: false, trouble: read.failure }
        },
        (trouble) => ({ ok: false, trouble }),
      ),
  }
}

async function* diskChanges(
  parts: DiskChangesParts,
  sessionId: SessionId,
  files: Parameters<typeof createDiskChanges>[1],
  signal: AbortSignal,
): ReturnType<AppHandlers['changes']['onDisk']> {
  const opened = await openFolder(parts, sessionId)
  if (!opened.ok) {
    yield { changed: [] }
    return
  }
  try {
    const disk = createDiskChanges(opened.value.environment, files, MAX_SHOWN_FILE_BYTES)
    yield* latestValue(async () => ({ changed: await disk.read() }), disk.onChange, signal)
  } finally {
    await opened.value.close()
  }
}

async function openFolder(
  { workspaces, folderOf, isTrusted }: DiskChangesParts,
  sessionId: SessionId,
): Promise<Result<Workspace, Trouble>> {
  const folder = folderOf(sessionId)
  return folder === null || !isTrusted(folder)
    ? failed(notRead('The file', 'The folder of this session is not trusted.'))
    : workspaces.open(folder)
}

async function inFolder<T>(
  parts: DiskChangesParts,
  sessionId: SessionId,
  work: (workspace: Workspace) => Promise<Result<T, Trouble>>,
): Promise<Result<T, Trouble>> {
  const opened = await openFolder(parts, sessionId)
  if (!opened.ok) return opened
  try {
    return await work(opened.value)
  } finally {
    await opened.value.close()
  }
}

async function textNow({ environment, folder }: Workspace, path: string): Promise<Result<BlobText | null, Trouble>> {
  try {
    if (!isInside(folder, await environment.realpath(path))) return failed(notRead(path, 'The file is not in the folder of this session.'))
    const stat = await environment.stat(path)
    if (stat === null) return ok(null)
    if (stat.size > MAX_SHOWN_FILE_BYTES) return ok({ kind: 'too_large', bytes: stat.size })
    return ok(shownText(await environment.readBytes(path, { maxBytes: MAX_SHOWN_FILE_BYTES })))
  } catch (error) {
    return failed(notRead(path, error instanceof Error ? error.message : String(error)))
  }
}

const notRead = (path: string, why: string): Trouble => ({
  code: 'file_not_read',
  what: `${path} was not read. ${why}`,
  kept: 'The file is unchanged.',
  todo: 'Compare the stored versions instead.',
})
