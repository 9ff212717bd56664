import { useMemo } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { FileLinks } from '../../ui/terminal/terminal-canvas.tsx'
import { viewFile } from '../commands/files/file-actions.ts'
import { useDesk } from '../desk-context.ts'

/** Names of files in a terminal of a session: a click shows the file. */
export function useFileLinks(sessionId: SessionId): FileLinks {
  const desk = useDesk()
  return useMemo(
    () => ({
      onFile: ({ path, line }) => viewFile(desk, { sessionId, path }, line),
      async existing(paths) {
        // Without links, the output can still be read.
        const found = await desk.connection.client?.app.existingFiles({ sessionId, paths: [...paths] }).catch(() => null)
        return new Set(found?.paths)
      },
    }),
    [desk, sessionId],
  )
}
