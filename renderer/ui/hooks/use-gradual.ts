import { useEffect, useState } from 'react'

/** Rows that one frame draws: about 10 ms of work on a slow machine. */
const AT_ONCE = 60

/**
 * How many rows of a long list are drawn by now: the first ones at once, the others a few with each frame, so that no list, however long,
 * stops the window. In the end all are in the document, where find-in-page and screen readers look for them.
 */
export function useGradual(total: number): number {
  const [drawn, setDrawn] = useState(AT_ONCE)
  const isWhole = drawn >= total
  useEffect(() => {
    if (isWhole) return
    const frame = requestAnimationFrame(() => setDrawn((count) => count + AT_ONCE))
    return () => cancelAnimationFrame(frame)
  }, [isWhole, drawn])
  return Math.min(drawn, total)
}
