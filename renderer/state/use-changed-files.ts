import { useEffect, useMemo, useState } from 'react'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { CallItem, SessionState } from '../../shared/session/state.ts'
import { type ChangedFile, changedFiles } from '../../shared/session/views.ts'
import { useDesk, useSession } from './desk-context.ts'

const NO_CALLS: readonly CallItem[] = []

/** Steps of the entries at hand that changed files. */
export function useChangingCalls(sessionId: SessionId): readonly CallItem[] {
  return useSession(sessionId, changingCalls, NO_CALLS)
}

/**
 * The files that a session's steps changed, from the captured bytes. Null while they are not known. When the window holds the last page
 * of a long ledger alone, main is asked, and asked again after each further change.
 */
export function useChangedFiles(sessionId: SessionId): readonly ChangedFile[] | null {
  const desk = useDesk()
  const calls = useChangingCalls(sessionId)
  const firstItem = useSession<number | null>(sessionId, (session) => session.firstItem, null)
  const [listed, setListed] = useState<readonly ChangedFile[] | null>(null)
  const own = useMemo(() => (firstItem === 0 ? changedFiles(calls) : null), [firstItem, calls])
  useEffect(() => {
    if (firstItem === null || firstItem === 0) return
    let current = true
    desk.connection.client?.changes.list({ sessionId }).then(
      ({ files }) => current && setListed(files),
      () => {},
    )
    return () => {
      current = false
    }
  }, [desk, sessionId, firstItem, calls])
  return own ?? listed
}

function changingCalls({ items }: SessionState): readonly CallItem[] {
  return items.filter((item): item is CallItem => item.kind === 'call' && item.files.length > 0)
}
