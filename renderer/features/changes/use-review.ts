import { useCallback, useLayoutEffect, useMemo, useState } from 'react'
import type { BlobHash, SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk } from '../../state/desk-context.ts'
import { runKey } from '../../state/commands/keys.ts'
import { keyboardPlatform } from '../../ui/marks/key-words.ts'
import { leftOutOf, useChangedFiles, useChangingCalls, useLeftOut } from '../../state/hooks/use-changed-files.ts'
import type { DiffSummary } from '../../ui/diff/diff-view.tsx'
import { type LineCounts, useLineCounts } from '../../ui/diff/compare/use-line-counts.ts'
import { byFolder, filesOfStep, type Move, moved, type Position, type ReviewFile, type Scope } from './review-files.ts'

export interface Review {
  readonly scope: Scope
  /** Steps that changed files, in the order of the ledger. */
  readonly calls: readonly CallItem[]
  /** The step that is shown; null when the whole session is shown. */
  readonly call: CallItem | null
  /** Null while they are loading. */
  readonly files: readonly ReviewFile[] | null
  /** Added and removed lines by path, as far as they are known. */
  readonly counts: ReadonlyMap<string, LineCounts>
  /** What comparing the folder after commands left out, as sentences. */
  readonly leftOut: readonly string[]
  readonly file: ReviewFile | null
  /** Index of the current hunk, and the number of hunks of the file; 0 while unknown. */
  readonly hunk: number
  readonly hunks: number
  readonly showSession: () => void
  readonly showStep: (call: ToolCallId) => void
  readonly showFile: (path: string) => void
  readonly move: (move: Move) => void
  readonly onSummary: (summary: DiffSummary) => void
}

/** State of the review. J and K move by hunk, with Shift by file. */
export function useReview(sessionId: SessionId): Review {
  const desk = useDesk()
  const calls = useChangingCalls(sessionId)
  const all = useChangedFiles(sessionId)
  const [stepOf, setStepOf] = useState<ToolCallId | null>(null)
  const [at, setAt] = useState<Position>({ path: null, hunk: 0 })
  const [summary, setSummary] = useState<{ readonly path: string | null; readonly hunks: number }>({ path: null, hunks: 0 })
  const call = calls.find(({ toolCallId }) => toolCallId === stepOf) ?? null
  const allLeftOut = useLeftOut(sessionId)
  const files = useMemo(() => (call ? filesOfStep(call) : all), [call, all])
  const read = useCallback((hash: BlobHash | null) => desk.texts.get(sessionId, hash), [desk, sessionId])
  const counts = useLineCounts(files, read)
  const order = useMemo(() => byFolder(files ?? []).flatMap(({ files: own }) => own), [files])
  const file = order.find(({ path }) => path === at.path) ?? order[0] ?? null
  const path = file?.path ?? null
  const hunks = summary.path === path ? summary.hunks : 0
  const hunk = hunks === 0 ? 0 : at.hunk < 0 ? hunks - 1 : Math.min(at.hunk, hunks - 1)

  const move = useCallback(
    (how: Move) =>
      setAt(
        moved(
          { path, hunk },
          how,
          order.map(({ path: one }) => one),
          hunks,
        ),
      ),
    [path, hunk, hunks, order],
  )
  useReviewKeys(move)
  return {
    scope: call ? 'step' : 'session',
    calls,
    call,
    files,
    counts,
    leftOut: call ? leftOutOf(call) : allLeftOut,
    file,
    hunk,
    hunks,
    showSession: () => setStepOf(null),
    showStep: (wanted) => {
      setStepOf(wanted)
      setAt({ path: null, hunk: 0 })
    },
    showFile: (wanted) => setAt({ path: wanted, hunk: 0 }),
    move,
    onSummary: useCallback(({ hunks: own }: DiffSummary) => setSummary({ path, hunks: own.length }), [path]),
  }
}

function useReviewKeys(move: (move: Move) => void): void {
  const desk = useDesk()
  useLayoutEffect(() => {
    const table = [
      { keys: 'J', what: 'Next hunk', run: () => move('next-hunk') },
      { keys: 'K', what: 'Previous hunk', run: () => move('previous-hunk') },
      { keys: 'Shift+J', what: 'Next file', run: () => move('next-file') },
      { keys: 'Shift+K', what: 'Previous file', run: () => move('previous-file') },
    ]
    const onKeyDown = (event: KeyboardEvent): void => {
      if (desk.view.getState().overlay === null) runKey(event, table, keyboardPlatform() === 'mac')
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [desk, move])
}
