import type { Blame } from '../../../../shared/api/changes/blame.ts'
import type { BlobHash, SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { useSettled } from '../../../ui/hooks/use-settled.ts'
import { requestAnswer } from '../../commands/attempt-request.ts'
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
  const isKnown = hash !== null || reading !== undefined
  return useSettled(key, isKnown ? () => trace(desk, sessionId, path, isOnDisk ? null : hash) : null).value ?? TRACING
}

const NO_VERSION: FileVersion = { path: '', hash: null }

/** If `version` is null, traces the file in the folder. */
async function trace(desk: Desk, sessionId: SessionId, path: string, version: BlobHash | null): Promise<Traced> {
  const what = 'The writers of the lines were not found'
  const outcome = await requestAnswer(desk, what, (client) => client.changes.blame({ sessionId, path, version }))
  return outcome.ok ? { blame: outcome.blame, trouble: null } : { blame: null, trouble: outcome.trouble }
}
