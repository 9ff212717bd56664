import { useCallback, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { GitFileChange, GitStatus } from '../../../shared/api/changes/git.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { parseAddress } from '../../../shared/places/address.ts'
import { useDesk, useIsConnected } from '../../state/desk-context.ts'
import { useOneAtATime } from '../../ui/hooks/use-one-at-a-time.ts'

/** What git says about the files and folders of a session's place, by path relative to its folder. */
export type FileStates = ReadonlyMap<string, GitFileChange>

/** Reads the state again when `changes` gets another value, and when the window gets the focus. Empty where there is no repository. */
export function useFileStates(sessionId: SessionId, changes: unknown): FileStates {
  const desk = useDesk()
  const isConnected = useIsConnected()
  const folder = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.folder ?? '')
  const [status, setStatus] = useState<GitStatus | null>(null)
  const read = useCallback(
    async (signal: AbortSignal) => {
      const found = await desk.connection.client?.git.status({ sessionId }).catch(() => null)
      if (found && !signal.aborted) setStatus(found)
    },
    [desk, sessionId],
  )
  const readAgain = useOneAtATime(isConnected ? read : null, changes)
  useEffect(() => {
    window.addEventListener('focus', readAgain)
    return () => window.removeEventListener('focus', readAgain)
  }, [readAgain])
  return useMemo(() => statesOf(status, folder), [status, folder])
}

/** `address`: the folder of the session, which may be on another machine. */
export function statesOf(status: GitStatus | null, address: string): FileStates {
  const states = new Map<string, GitFileChange>()
  if (status?.kind !== 'repository') return states
  // The session may work in a folder below the top of the repository.
  const top = status.top.replaceAll('\\', '/')
  const below = parseAddress(address)
    .folder.replaceAll('\\', '/')
    .slice(top.length + 1)
  const prefix = below === '' ? '' : `${below}/`
  for (const { path, change } of [...status.staged, ...status.unstaged]) {
    if (!path.startsWith(prefix)) continue
    const own = path.slice(prefix.length)
    states.set(own, change)
    for (let end = own.lastIndexOf('/'); end > 0; end = own.lastIndexOf('/', end - 1)) states.set(own.slice(0, end), 'modified')
  }
  return states
}

/** The state in a word, for the end of a row. */
export function stateWord(change: GitFileChange): string {
  switch (change) {
    case 'untracked':
    case 'added':
      return 'new'
    case 'conflicted':
      return 'conflict'
    default:
      return 'changed'
  }
}
