import { useEffect, useMemo, useState } from 'react'
import { type BlobText, type DiskChange, MAX_DISK_FILES } from '../../../../shared/api/changes/changes.ts'
import type { BlobHash, SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { requestAnswer } from '../../commands/attempt-request.ts'
import { useDesk } from '../../desk-context.ts'
import { useSettled } from '../../../ui/hooks/use-settled.ts'
import type { SessionFile } from './use-changed-files.ts'

/**
 * The current hash of each file that differs from the session's last version, keyed by absolute path. Null if the file no longer exists.
 */
export type DiskChanges = ReadonlyMap<string, BlobHash | null>

const NONE: readonly DiskChange[] = []

/**
 * The files of a session whose content on disk now differs from the session's last version. Links are left out. The files are compared
 * again when one of them changes, after each step, and when the window gets the focus.
 */
export function useDiskChanges(sessionId: SessionId, files: readonly SessionFile[] | null): DiskChanges {
  const desk = useDesk()
  const [received, setReceived] = useState({ sessionId, changed: NONE })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const onFocus = (): void => setRound((count) => count + 1)
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [])
  useEffect(() => {
    const compared = (files ?? []).filter(({ isLink }) => !isLink).map(({ path, after }) => ({ path, after }))
    if (compared.length === 0) return
    const kept = desk.connection.keep(async (client, signal) => {
      for await (const { changed } of client.changes.onDisk({ sessionId, files: compared.slice(0, MAX_DISK_FILES) }, signal))
        setReceived({ sessionId, changed })
    })
    return () => kept.dispose()
  }, [desk, sessionId, files, round])
  const changed = received.sessionId === sessionId && files?.length ? received.changed : NONE
  return useMemo(() => new Map(changed.map(({ path, now }) => [path, now])), [changed])
}

/** Both are null while the file is being read. `text.now` is null if the file does not exist. */
export interface ReadNow {
  readonly text: { readonly now: BlobText | null } | null
  readonly trouble: Trouble | null
}

const READING: ReadNow = { text: null, trouble: null }

/** Reads a file on disk, and reads it again when `version` changes. */
export function useTextNow(sessionId: SessionId, path: string, version: BlobHash | null): ReadNow {
  const desk = useDesk()
  const read = async (): Promise<ReadNow> => {
    const found = await requestAnswer(desk, 'The file was not read', (client) => client.changes.textNow({ sessionId, path }))
    return found.ok ? { text: { now: found.text }, trouble: null } : { text: null, trouble: found.trouble }
  }
  return useSettled(`${sessionId} ${path}`, read, [version]).value ?? READING
}
