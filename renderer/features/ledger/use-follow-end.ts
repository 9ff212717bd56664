import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export interface FollowOptions {
  readonly scroll: RefObject<HTMLElement | null>
  /** What grows inside it. */
  readonly content: RefObject<HTMLElement | null>
  /** Entries of the whole ledger, those not loaded included. */
  readonly total: number
  /** Called when the view comes near the first loaded entry. */
  readonly onTop: () => void
}

export interface Follow {
  /** Entries added while the view was not at the end. */
  readonly missed: number
  readonly onScroll: () => void
  readonly toEnd: () => void
  /** Stops following, because something else is shown. */
  readonly leave: () => void
}

/** The view follows new entries again when it is scrolled down to within this many pixels of the end. */
const NEAR_END = 24
/** Older entries are requested this many pixels before the top. */
const NEAR_TOP = 600

/**
 * Follows the end of a growing list while the end is in view. Otherwise the scroll anchoring of the browser keeps the position.
 */
export function useFollowEnd({ scroll, content, total, onTop }: FollowOptions): Follow {
  const isFollowing = useRef(true)
  // scroll positions: the last one set by this hook, and the one of the last scroll event
  const own = useRef(0)
  const last = useRef(0)
  const [seen, setSeen] = useState(total)
  const [follows, setFollows] = useState(true)

  const putToEnd = (box: HTMLElement): void => {
    box.scrollTo({ top: box.scrollHeight })
    own.current = box.scrollTop
  }
  const follow = (does: boolean): void => {
    isFollowing.current = does
    setFollows(does)
  }

  useLayoutEffect(() => {
    const [box, grows] = [scroll.current, content.current]
    if (!box || !grows) return
    // both: the content grows, and a tray shrinks the box
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) putToEnd(box)
    })
    observer.observe(box)
    observer.observe(grows)
    return () => observer.disconnect()
  }, [scroll, content])

  if (follows && seen !== total) setSeen(total)

  return {
    missed: follows ? 0 : Math.max(0, total - seen),
    onScroll() {
      const box = scroll.current
      if (!box) return
      const { scrollTop: top, scrollHeight: height, clientHeight: room } = box
      const toEnd = height - top - room
      // a view that this hook put to the end was not scrolled away by the person, even if the content grew since
      const isOwn = Math.abs(top - own.current) <= 1
      if (toEnd <= 1 || (top > last.current && toEnd < NEAR_END)) follow(true)
      else if (!isOwn && top < last.current) follow(false)
      last.current = top
      if (top >= NEAR_TOP) return
      // scroll anchoring does not work at 0
      if (top === 0 && height > room) box.scrollTo({ top: 1 })
      onTop()
    },
    leave: () => follow(false),
    toEnd() {
      follow(true)
      if (scroll.current) putToEnd(scroll.current)
    },
  }
}
