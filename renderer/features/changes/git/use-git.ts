import { useCallback, useEffect, useRef, useState } from 'react'
import type { GitSide, GitStatus, GitTexts, StagedHunk } from '../../../../shared/api/changes/git.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest, requestAnswer } from '../../../state/commands/attempt-request.ts'
import { useDesk, useIsConnected } from '../../../state/desk-context.ts'
import { useSettled } from '../../../ui/hooks/use-settled.ts'
import type { ReviewFile } from '../review-files.ts'

/** The repository of a session's folder, as last read, and the user's git actions. */
export interface GitWork {
  /** Null while the status is being read. */
  readonly status: GitStatus | null
  /** Increases each time the repository is read, so that the file contents are read again together with the list of files. */
  readonly reading: number
  /** Why the last action failed or, if it did not fail, why the repository could not be read. */
  readonly trouble: Trouble | null
  readonly isBusy: boolean
  /** The newest commit made in this view. */
  readonly committed: string | null
  readonly reload: () => void
  readonly stage: (side: GitSide, path: string, chosen: { readonly version: string; readonly lines: readonly StagedHunk[] } | null) => void
  readonly stageAll: () => void
  readonly commit: (message: string) => Promise<boolean>
}

/**
 * Reads the repository, and reads it again when `changes` gets another value, when a lost connection has been restored, and when the window
 * gets the focus, because the user may have worked in a terminal.
 */
export function useGit(sessionId: SessionId, changes: unknown): GitWork {
  const desk = useDesk()
  const [received, setReceived] = useState<{ readonly status: GitStatus | null; readonly reading: number }>({ status: null, reading: 0 })
  const isConnected = useIsConnected()
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [unread, setUnread] = useState<Trouble | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [committed, setCommitted] = useState<string | null>(null)
  const asked = useRef(0)
  const read = useCallback(async () => {
    const own = ++asked.current
    const failed = await attemptRequest(desk, 'The repository was not read', async (client) => {
      const status = await client.git.status({ sessionId })
      if (own === asked.current) setReceived(({ reading }) => ({ status, reading: reading + 1 }))
      return { ok: true }
    })
    if (own === asked.current) setUnread(failed)
  }, [desk, sessionId])
  useEffect(() => {
    if (isConnected) void read()
  }, [read, changes, isConnected])
  useEffect(() => {
    const onFocus = (): void => void read()
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [read])
  const act = async (work: () => Promise<Trouble | null>): Promise<boolean> => {
    setBusy(true)
    setTrouble(null)
    const failed = await work()
    setTrouble(failed)
    await read()
    setBusy(false)
    return failed === null
  }
  return {
    ...received,
    trouble: trouble ?? unread,
    isBusy,
    committed,
    reload: () => void read(),
    stage(side, path, chosen) {
      if (isBusy) return
      const verb = side === 'staged' ? 'unstaged' : 'staged'
      void act(() => attemptRequest(desk, `${path} was not ${verb}`, (client) => client.git.stage({ sessionId, side, path, chosen })))
    },
    stageAll() {
      if (!isBusy) void act(() => attemptRequest(desk, 'Nothing was staged', (client) => client.publish.stageAll({ sessionId })))
    },
    commit: (message) =>
      act(() =>
        attemptRequest(desk, 'Nothing was committed', async (client) => {
          const made = await client.git.commit({ sessionId, message })
          if (made.ok) setCommitted(made.commit)
          return made
        }),
      ),
  }
}

type Loaded = { readonly texts: GitTexts | null; readonly trouble: Trouble | null }

/** Returns both versions of a repository file. Null for a file of the session, and until the first read is complete. */
export function useGitTexts(sessionId: SessionId, file: ReviewFile, reading: number): Loaded | null {
  const desk = useDesk()
  const { path, git } = file
  const load = async ({ side, path: own }: NonNullable<typeof git>): Promise<Loaded> => {
    const found = await requestAnswer(desk, `${own} was not read`, (client) => client.git.texts({ sessionId, side, path: own }))
    return found.ok ? { texts: found.texts, trouble: null } : { texts: null, trouble: found.trouble }
  }
  return useSettled(`${sessionId} ${path}`, git ? () => load(git) : null, [reading]).value
}
