import { useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { GitSide, GitStatus, GitTexts, StagedHunk } from '../../../../shared/api/changes/git.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'
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
  const isConnected = useStore(desk.connection.state, ({ kind }) => kind === 'open')
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

type Loaded = { readonly key: string; readonly texts: GitTexts | null; readonly trouble: Trouble | null }

/** Returns both versions of a repository file. Null for a file of the session, and until the first read is complete. */
export function useGitTexts(sessionId: SessionId, file: ReviewFile, reading: number): Omit<Loaded, 'key'> | null {
  const desk = useDesk()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const { path, git } = file
  useEffect(() => {
    if (!git) return
    let isCurrent = true
    const put = (one: Omit<Loaded, 'key'>): void => {
      if (isCurrent) setLoaded({ key: path, ...one })
    }
    void attemptRequest(desk, `${git.path} was not read`, async (client) => {
      const found = await client.git.texts({ sessionId, side: git.side, path: git.path })
      if (found.ok) put({ texts: found.texts, trouble: null })
      return found
    }).then((trouble) => trouble && put({ texts: null, trouble }))
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `path` and `reading` stand for `git`, which is created again for each reading
  }, [desk, sessionId, path, reading])
  return loaded?.key === path ? loaded : null
}
