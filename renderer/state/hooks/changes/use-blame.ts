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

/** Finds who wrote the lines of a version of a file. `now` is the file in the folder. If `version` is null, nothing is requested. */
export function useBlame(sessionId: SessionId, path: string, version: BlobHash | 'now' | null): Traced {
  const desk = useDesk()
  const key = `${sessionId} ${version} ${path}`
  const [found, setFound] = useState<{ readonly key: string; readonly traced: Traced }>({ key, traced: TRACING })
  useEffect(() => {
    if (version === null) return
    let isCurrent = true
    void trace(desk, sessionId, path, version === 'now' ? null : version).then((traced) => isCurrent && setFound({ key, traced }))
    return () => {
      isCurrent = false
    }
  }, [desk, sessionId, path, version, key])
  return found.key === key ? found.traced : TRACING
}

async function trace(desk: Desk, sessionId: SessionId, path: string, version: BlobHash | null): Promise<Traced> {
  let blame: Blame | null = null
  const trouble = await attemptRequest(desk, 'The writers of the lines were not found', async (client) => {
    const outcome = await client.changes.blame({ sessionId, path, version })
    if (outcome.ok) blame = outcome.blame
    return outcome
  })
  return { blame, trouble }
}
