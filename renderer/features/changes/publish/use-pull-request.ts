import { useCallback, useEffect, useRef, useState } from 'react'
import type { PullRequestState } from '../../../../shared/api/changes/publish.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { useDesk, useIsConnected } from '../../../state/desk-context.ts'

/** Pause in ms between two reads while checks run. */
const AGAIN_MS = 15_000

export interface PullRequestReading {
  /** Null while it is read for the first time. */
  readonly state: PullRequestState | null
  readonly reload: () => Promise<void>
}

/** The pull request of the current branch. While checks run, it is read again after each pause. */
export function usePullRequest(sessionId: SessionId): PullRequestReading {
  const desk = useDesk()
  const isConnected = useIsConnected()
  const [state, setState] = useState<PullRequestState | null>(null)
  const newest = useRef(0)
  const [ended, setEnded] = useState(0)
  const reload = useCallback(async () => {
    const own = ++newest.current
    const found = await desk.connection.client?.publish.pullRequest({ sessionId }).catch(() => null)
    // The answer of a read from before a push must not replace a newer answer.
    if (own !== newest.current) return
    if (found) setState(found)
    setEnded(own)
  }, [desk, sessionId])
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- it is set after the answer
    if (isConnected) void reload()
  }, [reload, isConnected])
  const runs = state?.kind === 'found' && state.request.checks.some((check) => check.state === 'running')
  useEffect(() => {
    if (!runs) return
    const timer = setTimeout(() => void reload(), AGAIN_MS)
    return () => clearTimeout(timer)
  }, [runs, ended, reload])
  return { state, reload }
}
