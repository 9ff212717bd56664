import { type RefObject, useEffect, useRef } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Item } from '../../../shared/session/state.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { entriesOf } from '../../ui/ledger/entry-elements.ts'
import { rowsOf } from './row-chunks.ts'

export interface LoadedLedger {
  readonly sessionId: SessionId
  readonly items: readonly Item[]
  readonly firstItem: number
  /** The list element that contains the entries. */
  readonly entries: RefObject<HTMLElement | null>
  /** Stops following the end. */
  readonly leave: () => void
}

/** How long the entry is marked, in ms. */
const MARKED_MS = 1_600

/** Scrolls to the ledger entry in `goal` of the view, and loads older entries if necessary. */
export function useGoToEntry({ sessionId, items, firstItem, entries, leave }: LoadedLedger): void {
  const desk = useDesk()
  const left = useRef(leave)
  useEffect(() => {
    left.current = leave
  })
  const goal = useView(({ goal: asked }) => (asked?.sessionId === sessionId ? asked.item : null))
  useEffect(() => {
    if (goal === null || items.length === 0) return
    if (goal < firstItem) {
      left.current()
      void desk.session(sessionId).loadOlder()
      return
    }
    const row = rowsOf(items, firstItem).findLastIndex(({ place }) => place <= goal)
    // The first line is skipped if it is the note that there are older entries.
    const line = entries.current && entriesOf(entries.current)[row + (firstItem > 0 ? 1 : 0)]
    desk.view.setState({ goal: null })
    if (!line) return
    left.current()
    line.scrollIntoView({ block: 'center' })
    // Rows above that were just rendered for the first time get their real height only in the next frame, so this scrolls again.
    requestAnimationFrame(() => line.scrollIntoView({ block: 'center' }))
    line.animate([{ background: 'var(--ink-soft)' }, { background: 'transparent' }], { duration: MARKED_MS })
  }, [desk, sessionId, items, firstItem, entries, goal])
}
