import { useEffect, useState } from 'react'
import type { Blame } from '../../../../shared/api/changes/blame.ts'
import type { BlobHash, SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../commands/attempt-request.ts'
import { useDesk } from '../../desk-context.ts'
import type { Desk } from '../../desk.ts'

/** Both are null while the writers are being looked up. */
export interface Traced {
  readonly blame: Blame | null
  readonly trouble: Trouble | null
}

const TRACING: Traced = { blame: null, trouble: null }

/** A version of a file. */
export interface FileVersion {
  /** Absolute. */
  readonly path: string
  /** Null if the file did not exist in this version, or its content was not stored. */
  readonly hash: BlobHash | null
  /** Whether this version is the file in the folder, which may not be stored. */
  readonly isOnDisk?: boolean
  /** For a file in the folder without a known hash: a number that changes with its content. */
  readonly reading?: number
}

/** Finds who wrote the lines of a version of a file. Requests nothing if there is no version or if it has no hash. */
export function useBlame(sessionId: SessionId, version: FileVersion | null): Traced {
  const desk = useDesk()
  const { path, hash, isOnDisk = false, reading } = version ?? NO_VERSION
  const key = `${sessionId} ${hash} ${isOnDisk} ${reading} ${path}`
  const [found, setFound] = useState<{ readonly key: string; readonly traced: Traced }>({ key, traced: TRACING })
  useEffect(() => {
    if (hash === null && reading === undefined) return
    let isCurrent = true
    void trace(desk, sessionId, path, isOnDisk ? null : hash).then((traced) => isCurrent && setFound({ key, traced }))
    return () => {
      isCurrent = false
    }
  }, [desk, sessionId, path, hash, isOnDisk, reading, key])
  return found.key === key ? found.traced : TRACING
}

const NO_VERSION: FileVersion = { path: '', hash: null }

/** If `version` is null, traces the file in the folder. */
async function trace(desk: Desk, sessionId: SessionId, path: string, version: BlobHash | null): Promise<Traced> {
  let blame: Blame | null = null
  const trouble = await attemptRequest(desk, 'The writers of the lines were not found', async (client) => {
    const outcome = await client.changes.blame({ sessionId, path, version })
    if (outcome.ok) blame = outcome.blame
    return outcome
  })
  return { blame, trouble }
}
