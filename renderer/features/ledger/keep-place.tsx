import { Component, type ReactNode, type RefObject } from 'react'

export interface KeepPlaceProps {
  readonly scroll: RefObject<HTMLElement | null>
  /** The list whose items are entries. */
  readonly entries: RefObject<HTMLElement | null>
  /** Place of the oldest entry held; smaller once older ones are put in front. */
  readonly firstItem: number
  readonly children: ReactNode
}

interface Place {
  readonly entry: Element
  readonly top: number
}

/**
 * Keeps what is read where it is when older entries are put in front. The browser's own anchoring does so too, but not when they come within the
 * frame or two in which rows that just scrolled into sight have not been drawn yet: it holds on to none of those. Only a class can look at the
 * page between what was and what will be drawn.
 */
export class KeepPlace extends Component<KeepPlaceProps> {
  override getSnapshotBeforeUpdate(before: KeepPlaceProps): Place | null {
    const { scroll, entries, firstItem } = this.props
    if (firstItem >= before.firstItem || !scroll.current || !entries.current) return null
    return firstInSight(scroll.current, entries.current)
  }

  override componentDidUpdate(_before: KeepPlaceProps, _state: unknown, read: Place | null): void {
    const box = this.props.scroll.current
    if (!read || !box || !read.entry.isConnected) return
    const moved = read.entry.getBoundingClientRect().top - read.top
    if (moved !== 0) box.scrollTop += moved
  }

  override render(): ReactNode {
    return this.props.children
  }
}

/** By halves: entries stand one below the other. The first item is no entry: it says that there are older ones. */
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
