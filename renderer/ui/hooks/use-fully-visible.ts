import { type RefObject, useEffect, useState } from 'react'

/** Whether an element is fully visible in a visible window. False until the browser has reported it. */
export function useFullyVisible(target: RefObject<Element | null>, enabled = true): boolean {
  const [inView, setInView] = useState(false)
  const [shown, setShown] = useState(() => document.visibilityState === 'visible')

  useEffect(() => {
    const element = target.current
    if (!enabled || element === null) return
    // The threshold is 0.99, because at fractional zoom the browser never reports 1.
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) setInView(entry.intersectionRatio >= 0.99)
      },
      { threshold: [0, 0.99, 1] },
    )
    const onVisibility = (): void => setShown(document.visibilityState === 'visible')
    observer.observe(element)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', onVisibility)
      setInView(false)
    }
  }, [target, enabled])

  return enabled && inView && shown
}
