import { useCallback, useMemo, useState } from 'react'
import type { Desk } from '../../state/desk.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { LinePlace } from '../../ui/diff/compare/compute-diff.ts'

/** Whether complete files are shown instead of only their changes. */
export interface WholeFiles {
  readonly isShown: boolean
  /**
   * The line at which the complete file was opened, and the file's path in the list. Null if it was opened at its first line or with the
   * toggle.
   */
  readonly at: (LinePlace & { readonly path: string }) | null
  readonly toggle: () => void
  /** Shows complete files, beginning with this file at this line. */
  readonly open: (path: string, line: LinePlace | null) => void
}

export function useWholeFiles(): WholeFiles {
  const desk = useDesk()
  const [state, setState] = useState<Pick<WholeFiles, 'isShown' | 'at'>>(() => askedWhole(desk))
  const toggle = useCallback(() => setState(({ isShown }) => ({ isShown: !isShown, at: null })), [])
  const open = useCallback(
    (path: string, line: LinePlace | null) => setState({ isShown: true, at: line && { path, side: line.side, line: line.line } }),
    [],
  )
  return useMemo(() => ({ ...state, toggle, open }), [state, toggle, open])
}

/** The complete file that the user asked for before the review was opened. */
function askedWhole(desk: Desk): Pick<WholeFiles, 'isShown' | 'at'> {
  const { asked } = desk.view.getState()
  return asked?.path && asked.isWhole ? { isShown: true, at: asked } : { isShown: false, at: null }
}
