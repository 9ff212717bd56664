import { type RefObject, useLayoutEffect, useState } from 'react'

/** An element's width in whole pixels, known before the first paint and kept up to date; 0 before that. */
export function useElementWidth(target: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = target.current
    if (element === null) return
    const measure = (): void => setWidth(Math.round(element.getBoundingClientRect().width))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [target])
  return width
}
