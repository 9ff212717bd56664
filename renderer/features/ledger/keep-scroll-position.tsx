import { Component, type ReactNode, type RefObject } from 'react'

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
    return firstInSight(scroll.current, entries.current)
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

/**
 * Finds the topmost visible entry with a binary search. The first item of the list is not an entry: it says that there are older entries.
 */
function firstInSight(box: Element, { children }: Element): Place | null {
  const top = box.getBoundingClientRect().top
  let [from, to] = [1, children.length - 1]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((children[middle]?.getBoundingClientRect().bottom ?? 0) > top) to = middle
    else from = middle + 1
  }
  const entry = children[from]
  return entry ? { entry, top: entry.getBoundingClientRect().top } : null
}
