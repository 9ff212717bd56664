import { Component, type ReactNode, type RefObject } from 'react'
import { firstEntryBelow } from '../../ui/ledger/entry-elements.ts'

export interface KeepScrollPositionProps {
  readonly scroll: RefObject<HTMLElement | null>
  /** The list element whose items are the entries. */
  readonly entries: RefObject<HTMLElement | null>
  /** Index of the oldest loaded entry in the complete ledger. It decreases when older entries are loaded. */
  readonly firstItem: number
  readonly children: ReactNode
}

interface Place {
  readonly entry: Element
  readonly top: number
}

/**
 * Keeps the scroll position when older entries are inserted above. The browser's scroll anchoring fails in the first frames after rows
 * with `content-visibility` come into view. This is a class component, because only `getSnapshotBeforeUpdate` can measure before the
 * update.
 */
export class KeepScrollPosition extends Component<KeepScrollPositionProps> {
  override getSnapshotBeforeUpdate(before: KeepScrollPositionProps): Place | null {
    const { scroll, entries, firstItem } = this.props
    if (firstItem >= before.firstItem || !scroll.current || !entries.current) return null
    // The first child is skipped, because it is not an entry but the note that there are older entries.
    const entry = firstEntryBelow(scroll.current.getBoundingClientRect().top, entries.current, 1)
    return entry && { entry, top: entry.getBoundingClientRect().top }
  }

  override componentDidUpdate(_before: KeepScrollPositionProps, _state: unknown, read: Place | null): void {
    const box = this.props.scroll.current
    if (!read || !box || !read.entry.isConnected) return
    const moved = read.entry.getBoundingClientRect().top - read.top
    if (moved !== 0) box.scrollTop += moved
  }

  override render(): ReactNode {
    return this.props.children
  }
}
