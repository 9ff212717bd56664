import type { BlameOutcome } from '../../shared/api/changes/blame.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { machineOf } from '../../shared/places/address.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Blamer } from '../blame/blame.ts'
import { isInside } from '../is-inside.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { MAX_SHOWN_FILE_BYTES } from './changes.ts'
import { inPlace, type SessionPlaces } from './session-places.ts'
import { unlessStorageFails } from './storage-failures.ts'

export interface BlameHandlerParts extends SessionPlaces {
  readonly blamer: Pick<Blamer, 'blame'>
  /** The session in whose layer a session works. Null if it works in the folder itself. */
  readonly layerOf: (sessionId: SessionId) => SessionId | null
  /** The address of a session's folder. Null if there is no such session. */
  readonly folderOf: (sessionId: SessionId) => string | null
}

/** Who wrote the lines of a file in the place where a session works. */
export function blameHandler(parts: BlameHandlerParts): AppHandlers['changes']['blame'] {
  const { blamer, layerOf, folderOf } = parts
  return ({ sessionId, path, version }) =>
    unlessStorageFails<BlameOutcome>(
      async () => {
        const layer = layerOf(sessionId)
        const machine = machineOf(folderOf(sessionId) ?? '')
        if (version !== null) return blamer.blame(path, { kind: 'stored', hash: version }, layer, machine)
        const now = await inPlace(parts, sessionId, (workspace) => bytesNow(workspace, path))
        return now.ok ? blamer.blame(path, { kind: 'now', bytes: now.value }, layer, machine) : { ok: false, trouble: now.failure }
      },
      (trouble) => ({ ok: false, trouble }),
    )
}

async function bytesNow({ environment, folder }: Workspace, path: string): Promise<Result<Uint8Array, Trouble>> {
  try {
    const real = await environment.realpath(path)
    if (!isInside(folder, real)) return failed(notRead(path, 'The file is outside this session’s folder.'))
    return ok(await environment.readBytes(real, { maxBytes: MAX_SHOWN_FILE_BYTES }))
  } catch (error) {
    return failed(notRead(path, error instanceof Error ? error.message : String(error)))
  }
}

const notRead = (path: string, why: string): Trouble => ({
  code: 'file_not_read',
  what: `${path} was not read. ${why}`,
  kept: 'The file is unchanged.',
  todo: 'Look at a stored version of the file in the review.',
})
