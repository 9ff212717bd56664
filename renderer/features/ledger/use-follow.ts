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

/** Within so many pixels of the end the view follows what comes (look §8). */
const NEAR_END = 24
/** So many pixels before the beginning older entries are asked for. */
const NEAR_TOP = 600

/**
 * Follows the end of what grows while it is in sight, and only then. What is read meanwhile stays where it is: the browser anchors it, also
 * when older entries are put in front.
 */
export function useFollow({ scroll, content, total, onTop }: FollowOptions): Follow {
  const isFollowing = useRef(true)
  const [seen, setSeen] = useState(total)
  const [follows, setFollows] = useState(true)

  useLayoutEffect(() => {
    const [box, grows] = [scroll.current, content.current]
    if (!box || !grows) return
    // both: what is written grows, and a tray takes room away
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) box.scrollTo({ top: box.scrollHeight })
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
      const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END
      isFollowing.current = isAtEnd
      setFollows(isAtEnd)
      if (box.scrollTop >= NEAR_TOP) return
      // at 0 the browser has nothing to hold on to when entries are put in front
      if (box.scrollTop === 0 && box.scrollHeight > box.clientHeight) box.scrollTo({ top: 1 })
      onTop()
    },
    toEnd() {
      isFollowing.current = true
      setFollows(true)
      scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
    },
  }
}
