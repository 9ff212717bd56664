import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { viewFile } from '../../../state/commands/files/file-actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import type { Desk } from '../../../state/desk.ts'
import { useLedgerSession } from '../ledger-session.ts'
import { AnswerContext } from './file-links.tsx'
import { type NamedPlace, pathsIn } from '../../../ui/text/file-names.ts'
import { Markdown } from './markdown.tsx'

interface AnswerProps {
  readonly text: string
  /** Whether the answer is still being written. */
  readonly live?: boolean | undefined
}

const NO_FILES: ReadonlySet<string> = new Set()

/** An answer of the agent. When it is complete, its code gets colors, and the names of existing files become links. */
export function Answer({ text, live = false }: AnswerProps): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const [files, setFiles] = useState<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (live) return
    let isWanted = true
    const idle = requestIdleCallback(() => void existingFiles(desk, sessionId, text).then((found) => isWanted && setFiles(found)))
    return () => {
      isWanted = false
      cancelIdleCallback(idle)
    }
  }, [desk, sessionId, text, live])
  const answer = useMemo(
    () => ({
      isComplete: !live,
      files,
      open: ({ path, line }: NamedPlace) => viewFile(desk, { sessionId, path }, line),
    }),
    [desk, sessionId, live, files],
  )
  return (
    <AnswerContext value={answer}>
      <Markdown text={text} />
    </AnswerContext>
  )
}

async function existingFiles({ connection }: Desk, sessionId: SessionId, text: string): Promise<ReadonlySet<string>> {
  const paths = pathsIn(text)
  if (paths.length === 0 || !connection.client) return NO_FILES
  // Without links, the answer can still be read.
  const found = await connection.client.app.existingFiles({ sessionId, paths: [...paths] }).catch(() => null)
  return found === null || found.paths.length === 0 ? NO_FILES : new Set(found.paths)
}
