import { type RefObject, useEffect, useState } from 'react'

/** Whether the whole of an element is on screen in a window that is shown. False until the browser has said so. */
export function useFullyVisible(target: RefObject<Element | null>, enabled = true): boolean {
  const [inView, setInView] = useState(false)
  const [shown, setShown] = useState(() => document.visibilityState === 'visible')

  useEffect(() => {
    const element = target.current
    if (!enabled || element === null) return
    // 0.99: at fractional zoom the browser cuts a sliver off every edge and never reports 1
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
