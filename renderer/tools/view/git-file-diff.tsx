import { type ReactNode, useMemo } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useSession } from '../../state/desk-context.ts'
import { useStepTexts } from '../../state/hooks/changes/use-step-texts.ts'
import { StepDiff } from '../../ui/diff/step-diff.tsx'
import type { DiffOf } from '../../ui/git/git-change-view.tsx'
import { useWritersMenu } from './line-writers.tsx'

/**
 * Returns a function that draws the change of one file in a commit or in the index. `isProposed`: a request proposes the change, so its
 * versions are not recorded yet and their lines cannot be traced.
 */
export const gitFileDiff =
  (sessionId: SessionId, isProposed = false): DiffOf =>
  (file) => <GitFileDiff sessionId={sessionId} file={file} isProposed={isProposed} />

interface GitFileDiffProps {
  readonly sessionId: SessionId
  readonly file: Parameters<DiffOf>[0]
  readonly isProposed: boolean
}

function GitFileDiff({ sessionId, file: { path, from = path, stored }, isProposed }: GitFileDiffProps): ReactNode {
  const files = useMemo(() => [{ path, shown: path, ...stored }], [path, stored])
  const texts = useStepTexts(sessionId, files)
  const folder = useSession(sessionId, ({ cwd }) => cwd, '')
  const written = useWritersMenu(sessionId, {
    before: { path: `${folder}/${from}`, hash: stored.before },
    after: { path: `${folder}/${path}`, hash: stored.after },
  })
  return <StepDiff texts={texts} inTray titled menuOf={isProposed ? undefined : () => written} />
}
