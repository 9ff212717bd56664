import { useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { PullRequestState } from '../../../../shared/api/changes/publish.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { useDesk } from '../../../state/desk-context.ts'

/** How often running checks are asked about, in ms. */
const AGAIN_MS = 15_000

export interface PullRequestReading {
  /** Null while it is read for the first time. */
  readonly state: PullRequestState | null
  readonly reload: () => Promise<void>
}

/** The pull request of the current branch. While checks run, it is read again regularly. */
export function usePullRequest(sessionId: SessionId): PullRequestReading {
  const desk = useDesk()
  const isConnected = useStore(desk.connection.state, ({ kind }) => kind === 'open')
  const [state, setState] = useState<PullRequestState | null>(null)
  const [reading, setReading] = useState(0)
  const read = useCallback(
    async () => (await desk.connection.client?.publish.pullRequest({ sessionId }).catch(() => null)) ?? null,
    [desk, sessionId],
  )
  useEffect(() => {
    if (!isConnected) return
    let isCurrent = true
    void read().then((found) => isCurrent && found && setState(found))
    return () => {
      isCurrent = false
    }
  }, [read, reading, isConnected])
  const reload = useCallback(async () => {
    const found = await read()
    if (found) setState(found)
  }, [read])
  const runs = state?.kind === 'found' && state.request.checks.some((check) => check.state === 'running')
  useEffect(() => {
    if (!runs) return
    const timer = setInterval(() => setReading((count) => count + 1), AGAIN_MS)
    return () => clearInterval(timer)
  }, [runs])
  return { state, reload }
}
