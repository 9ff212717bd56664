import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export interface FollowOptions {
  readonly scroll: RefObject<HTMLElement | null>
  /** The growing element inside the scroll box. */
  readonly content: RefObject<HTMLElement | null>
  /** Number of entries in the complete ledger, including those that are not loaded. */
  readonly total: number
  /** Called when the view comes near the first loaded entry. */
  readonly onTop: () => void
  /** Called while the view follows the end and the first loaded entry is far above it. */
  readonly onFarFromTop: () => void
}

export interface Follow {
  /** Number of entries added while the view was not at the end. */
  readonly missed: number
  readonly onScroll: () => void
  readonly toEnd: () => void
  /** Stops following the end, because something else is shown. */
  readonly leave: () => void
}

/** Distance from the end in pixels. When the user scrolls down to within this distance, the view follows new entries again. */
const NEAR_END = 24
/** Distance from the top in pixels at which older entries are requested. */
const NEAR_TOP = 600
/** Distance from the top in pixels at which the first entries are not needed. Half of them fill more than `NEAR_TOP`. */
const FAR_FROM_TOP = 4_000

/** Follows the end of a growing list while the end is in view. Otherwise the browser's scroll anchoring keeps the position. */
export function useFollowEnd({ scroll, content, total, onTop, onFarFromTop }: FollowOptions): Follow {
  const isFollowing = useRef(true)
  // Both refs are scroll positions: `own` is the last position that this hook set, and `last` is the position at the last scroll event.
  const own = useRef(0)
  const last = useRef(0)
  /** The total when the view left the end. Null while it follows the end. */
  const [seen, setSeen] = useState<number | null>(null)

  const putToEnd = (box: HTMLElement): void => {
    box.scrollTo({ top: box.scrollHeight })
    own.current = box.scrollTop
  }
  const follow = (does: boolean): void => {
    if (does === isFollowing.current) return
    isFollowing.current = does
    setSeen(does ? null : total)
  }

  const farFromTop = useRef(onFarFromTop)
  useLayoutEffect(() => {
    farFromTop.current = onFarFromTop
  })

  useLayoutEffect(() => {
    const box = scroll.current
    const grows = content.current
    if (!box || !grows) return
    // Both elements are observed, because the content can grow and a tray can shrink the box.
    const observer = new ResizeObserver(() => {
      if (!isFollowing.current) return
      putToEnd(box)
      if (box.scrollTop > FAR_FROM_TOP) farFromTop.current()
    })
    observer.observe(box)
    observer.observe(grows)
    return () => observer.disconnect()
  }, [scroll, content])

  return {
    missed: seen === null ? 0 : Math.max(0, total - seen),
    onScroll() {
      const box = scroll.current
      if (!box) return
      const { scrollTop: top, scrollHeight: height, clientHeight: room } = box
      const toEnd = height - top - room
      // If this hook scrolled to this position, the user did not scroll away, even if the content has grown since.
      const isOwn = Math.abs(top - own.current) <= 1
      if (toEnd <= 1 || (top > last.current && toEnd < NEAR_END)) follow(true)
      else if (!isOwn && top < last.current) follow(false)
      last.current = top
      if (top >= NEAR_TOP) return
      // Scroll anchoring does not work at position 0.
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
