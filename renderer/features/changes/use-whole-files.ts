import { useCallback, useMemo, useState } from 'react'
import type { Desk } from '../../state/desk.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { LinePlace } from '../../ui/diff/compare/compute-diff.ts'

/** Whether whole files are shown instead of what changed in them. */
export interface WholeFiles {
  readonly isShown: boolean
  /** The line from which a whole file was asked for, and the file's path in the list; null: its first. */
  readonly at: (LinePlace & { readonly path: string }) | null
  readonly toggle: () => void
  /** Shows the files whole, this one at a line. */
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

/** The whole file that was asked for before the review was opened. */
function askedWhole(desk: Desk): Pick<WholeFiles, 'isShown' | 'at'> {
  const { asked } = desk.view.getState()
  return asked?.isWhole ? { isShown: true, at: asked } : { isShown: false, at: null }
}
