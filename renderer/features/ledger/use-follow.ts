import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export interface FollowOptions {
  readonly scroll: RefObject<HTMLElement | null>
  /** What grows inside it. */
  readonly content: RefObject<HTMLElement | null>
  /** Entries of the whole ledger, those not loaded included. */
  readonly total: number
  /** The beginning of what is loaded came near. */
  readonly onTop: () => void
}

export interface Follow {
  /** Entries that came while the reader was elsewhere. */
  readonly missed: number
  readonly onScroll: () => void
  readonly toEnd: () => void
}

/** Coming down to within so many pixels of the end, the view follows again what comes (look §8). */
const NEAR_END = 24
/** So many pixels before the beginning older entries are asked for. */
const NEAR_TOP = 600

/**
 * Follows the end of what grows while it is in sight, and only then. What is read meanwhile stays where it is: the browser anchors it, also
 * when older entries are put in front.
 */
export function useFollow({ scroll, content, total, onTop }: FollowOptions): Follow {
  const isFollowing = useRef(true)
  // where this hook put the view last, and where it was at the last scroll
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
    // both: what is written grows, and a tray takes room away
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
      // what grew after the view was put to its end has not been left by anybody
      const isOwn = Math.abs(top - own.current) <= 1
      if (toEnd <= 1 || (top > last.current && toEnd < NEAR_END)) follow(true)
      else if (!isOwn && top < last.current) follow(false)
      last.current = top
      if (top >= NEAR_TOP) return
      // at 0 the browser has nothing to hold on to when entries are put in front
      if (top === 0 && height > room) box.scrollTo({ top: 1 })
      onTop()
    },
    toEnd() {
      follow(true)
      if (scroll.current) putToEnd(scroll.current)
    },
  }
}
