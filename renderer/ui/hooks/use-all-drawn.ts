import { type RefObject, useEffect, useState } from 'react'

/** On an element whose content has not been drawn yet, such as a diff that is still being compared or whose code is still being loaded. */
export const UNDRAWN = { 'data-undrawn': '' } as const

/** Whether everything in the visible part of an element has been drawn. False until the page has been looked at once. */
export function useAllDrawn(target: RefObject<HTMLElement | null>): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    const element = target.current
    if (element === null) return
    const look = (): void => {
      const frame = element.getBoundingClientRect()
      const parts = [...element.querySelectorAll('[data-undrawn]')].map((part) => part.getBoundingClientRect())
      setDrawn(!parts.some(({ top, bottom }) => top < frame.bottom && bottom > frame.top))
    }
    const observer = new MutationObserver(look)
    observer.observe(element, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-undrawn'] })
    look()
    return () => observer.disconnect()
  }, [target])
  return isDrawn
}
