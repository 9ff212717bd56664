import { useEffect, useRef } from 'react'

/** Calls `open` when O is pressed outside of text fields. */
export function useOpenKey(open: () => void): void {
  const newest = useRef(open)
  useEffect(() => {
    newest.current = open
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea')
      if (event.key.toLowerCase() !== 'o' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      event.preventDefault()
      newest.current()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
