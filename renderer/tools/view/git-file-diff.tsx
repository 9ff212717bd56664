import { type ReactNode, useMemo } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useView } from '../../state/desk-context.ts'
import { type FileHashes, useStepTexts } from '../../state/hooks/changes/use-step-texts.ts'
import { StepDiff } from '../../ui/diff/step-diff.tsx'
import type { DiffOf } from '../../ui/git/git-change-view.tsx'

/** Draws the change of one file in a commit or in the index. */
export const gitFileDiff: DiffOf = (file) => <GitFileDiff file={file} />

function GitFileDiff({ file: { path, stored } }: { readonly file: Parameters<DiffOf>[0] }): ReactNode {
  const sessionId = useView((view) => view.sessionId)
  const files = useMemo(() => [{ path, shown: path, ...stored }], [path, stored])
  return sessionId === null ? null : <Loaded sessionId={sessionId} files={files} />
}

function Loaded({ sessionId, files }: { readonly sessionId: SessionId; readonly files: readonly FileHashes[] }): ReactNode {
  return <StepDiff texts={useStepTexts(sessionId, files)} inTray titled />
}
