import { useCallback, useState } from 'react'
import type { ReadFile } from '../../../shared/api/files.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { requestAnswer } from '../../state/commands/attempt-request.ts'
import { useDesk, useIsConnected } from '../../state/desk-context.ts'
import { useOneAtATime } from '../../ui/hooks/use-one-at-a-time.ts'

/** The content of a file, read again when `changes` changes. Null until the first answer. */
export function useFile(sessionId: SessionId, path: string, changes: unknown): ReadFile | null {
  const desk = useDesk()
  const isConnected = useIsConnected()
  const key = `${sessionId} ${path}`
  const [read, setRead] = useState<{ readonly key: string; readonly file: ReadFile } | null>(null)
  const readNow = useCallback(
    async (signal: AbortSignal) => {
      const put = (file: ReadFile): void => {
        if (!signal.aborted) setRead((before) => (before?.key === key && isSame(before.file, file) ? before : { key, file }))
      }
      put(await requestAnswer(desk, 'The file was not read', (client) => client.files.read({ sessionId, path })))
    },
    [desk, sessionId, path, key],
  )
  useOneAtATime(isConnected ? readNow : null, changes)
  return read?.key === key ? read.file : null
}

function isSame(before: ReadFile, now: ReadFile): boolean {
  if (!before.ok || !now.ok) return false
  const { content: old } = before.file
  const { content: fresh } = now.file
  return before.file.path === now.file.path && old.kind === 'text' && fresh.kind === 'text' && old.text === fresh.text
}
