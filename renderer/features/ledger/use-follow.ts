import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

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
  const before = useRef({ top: 0, height: 0, room: 0 })
  const isByHand = useHand(scroll)
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

  const follow = (does: boolean): void => {
    isFollowing.current = does
    setFollows(does)
  }
  return {
    missed: follows ? 0 : Math.max(0, total - seen),
    onScroll() {
      const box = scroll.current
      if (!box) return
      const { scrollTop: top, scrollHeight: height, clientHeight: room } = box
      const { top: topBefore, height: heightBefore, room: roomBefore } = before.current
      before.current = { top, height, room }
      // what grew since the view was put to its end has not been left by the reader
      const isStill = height === heightBefore && room === roomBefore
      if (height - top - room < NEAR_END) follow(true)
      else if (top < topBefore && (isStill || isByHand())) follow(false)
      if (top >= NEAR_TOP) return
      // at 0 the browser has nothing to hold on to when entries are put in front
      if (top === 0 && height > room) box.scrollTo({ top: 1 })
      onTop()
    },
    toEnd() {
      follow(true)
      scroll.current?.scrollTo({ top: scroll.current.scrollHeight })
    },
  }
}

/** How long after a wheel, touch or key a scroll may still come of it (ms). */
const HAND_MS = 400

/** Whether somebody scrolls by hand just now: wheel, touch, keys, or a pointer kept down on a scroll bar. */
function useHand(scroll: RefObject<HTMLElement | null>): () => boolean {
  const hand = useRef({ at: Number.NEGATIVE_INFINITY, isDown: false })
  useEffect(() => {
    const box = scroll.current
    if (!box) return
    const stop = new AbortController()
    const options = { passive: true, signal: stop.signal } as const
    const touch = (): void => {
      hand.current.at = performance.now()
    }
    for (const kind of ['wheel', 'touchmove', 'keydown'] as const) box.addEventListener(kind, touch, options)
    box.addEventListener('pointerdown', () => (hand.current.isDown = true), options)
    for (const kind of ['pointerup', 'pointercancel'] as const)
      window.addEventListener(kind, () => (hand.current = { at: performance.now(), isDown: false }), options)
    return () => stop.abort()
  }, [scroll])
  return () => hand.current.isDown || performance.now() - hand.current.at < HAND_MS
}
