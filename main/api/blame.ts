import type { BlameOutcome } from '../../shared/api/changes/blame.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Blamer } from '../blame/blame.ts'
import { realPathInFolders } from '../environment/real-folders.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { MAX_SHOWN_FILE_BYTES } from './changes.ts'
import { unlessStorageFails } from './storage-failures.ts'

export interface BlameHandlerParts {
  readonly blamer: Pick<Blamer, 'blame'>
  readonly workspaces: Pick<Workspaces, 'open'>
  /** Returns the real path of a session's folder. Null if there is no such session. */
  readonly folderOf: (sessionId: SessionId) => string | null
  readonly isTrusted: (folder: string) => boolean
}

export function blameHandler(parts: BlameHandlerParts): AppHandlers['changes']['blame'] {
  return ({ sessionId, path, version }) =>
    unlessStorageFails<BlameOutcome>(
      async () => {
        if (version !== null) return parts.blamer.blame(path, { kind: 'stored', hash: version })
        const now = await bytesNow(parts, sessionId, path)
        return now.ok ? parts.blamer.blame(path, { kind: 'now', bytes: now.value }) : { ok: false, trouble: now.failure }
      },
      (trouble) => ({ ok: false, trouble }),
    )
}

/** Reads the current file, if it is in the session's folder. */
async function bytesNow(
  { workspaces, folderOf, isTrusted }: BlameHandlerParts,
  sessionId: SessionId,
  path: string,
): Promise<Result<Uint8Array, Trouble>> {
  const folder = folderOf(sessionId)
  const file = folder !== null && isTrusted(folder) ? await realPathInFolders(path, [folder]) : null
  if (folder === null || file === null) return failed(notRead(path, 'The file does not exist or is outside this session’s folder.'))
  const opened = await workspaces.open(folder)
  if (!opened.ok) return opened
  try {
    return ok(await opened.value.environment.readBytes(file, { maxBytes: MAX_SHOWN_FILE_BYTES }))
  } catch (error) {
    return failed(notRead(path, error instanceof Error ? error.message : String(error)))
  } finally {
    await opened.value.close()
  }
}

const notRead = (path: string, why: string): Trouble => ({
  code: 'file_not_read',
  what: `${path} was not read. ${why}`,
  kept: 'The file is unchanged.',
  todo: 'Look at a stored version of the file in the review.',
})
