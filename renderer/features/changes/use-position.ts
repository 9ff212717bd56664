import { useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { ApprovalId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../../state/desk-context.ts'
import { hunkKey, NOTHING_DECIDED, placeInKey } from '../../state/stores/review-decisions.ts'
import type { Position } from './review-files.ts'

/**
 * The current file and hunk. For the changes of a waiting request, it is the part that the keys of the tray act on, so that the review and
 * the tray are always at the same part. `request` is null for other changes.
 */
export function usePosition(request: ApprovalId | null) {
  const desk = useDesk()
  const { store: decisions } = desk.decisions
  const [own, setOwn] = useState<Position>(() => ({ path: desk.view.getState().asked?.path ?? null, hunk: 0 }))
  const current = useStore(decisions, (all) => (request && all.get(request)?.current) ?? null)
  const setAt = useCallback(
    (at: Position) => {
      setOwn(at)
      const key = keyOf(at)
      if (request === null || key === null) return
      decisions.setState((all) => new Map(all).set(request, { ...(all.get(request) ?? NOTHING_DECIDED), current: key }), true)
    },
    [decisions, request],
  )
  const shared = current === null ? null : placeInKey(current)
  const at = shared === null || (shared.path === own.path && shared.hunk === Math.max(0, own.hunk)) ? own : shared
  return { at, setAt } as const
}

/** Makes the shown file and hunk the current part of the request, if the user has not moved to another part yet. */
export function useFirstPart(request: ApprovalId | null, at: Position, setAt: (at: Position) => void): void {
  const { store: decisions } = useDesk().decisions
  const { path, hunk } = at
  useEffect(() => {
    if (request !== null && path !== null && (decisions.getState().get(request)?.current ?? null) === null) setAt({ path, hunk })
  }, [decisions, request, path, hunk, setAt])
}

/** The key of a hunk in the decisions. While its number is unknown, the key of its file. Null if there is no file. */
function keyOf({ path, hunk }: Position): string | null {
  return path === null || hunk < 0 ? path : hunkKey(path, hunk)
}
