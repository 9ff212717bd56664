import { type RefObject, useLayoutEffect, useState } from 'react'

/** Size classes of the window. Below 1080 px, the side panes become a rail and a strip. From 1680 px on, they are wider. */
export type DeskSize = 'narrow' | 'normal' | 'wide'

export function deskSize(width: number): DeskSize {
  if (width < 1080) return 'narrow'
  return width < 1680 ? 'normal' : 'wide'
}

export interface PaneLimits {
  readonly min: number
  readonly max: number
  readonly initial: number
}

/** Width limits of the sessions pane in pixels. */
export function sessionsLimits(size: DeskSize): PaneLimits {
  return { min: 220, max: 400, initial: size === 'wide' ? 280 : 264 }
}

/** Width limits of the inspector in pixels: at least 360, at most half the window. The width is the same for all tabs. */
export function inspectorLimits(size: DeskSize, deskWidth: number): PaneLimits {
  const max = Math.max(360, Math.floor(deskWidth / 2))
  return { min: 360, max, initial: Math.min(max, size === 'wide' ? 640 : 432) }
}

/** The current width of an element in whole pixels, measured before the first paint. 0 before the measurement. */
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
