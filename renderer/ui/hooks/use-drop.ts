import { useEffect, useRef, useState } from 'react'

interface Drop {
  /** Whether something that is dragged can be dropped. */
  readonly accepts: (transfer: DataTransfer) => boolean
  /** Whether a drop on this element belongs here. */
  readonly isOurs: (target: EventTarget | null) => boolean
  readonly take: (transfer: DataTransfer) => void
}

/**
 * Handles drops anywhere in the window, because the browser would open a file that is dropped outside the message field. Returns whether
 * something that can be dropped here is held over the window.
 */
export function useDrop(drop: Drop): boolean {
  const [isOver, setIsOver] = useState(false)
  const newest = useRef(drop)
  useEffect(() => {
    newest.current = drop
  })
  useEffect(() => {
    const held = (event: DragEvent): void => {
      if (!event.dataTransfer || !newest.current.accepts(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsOver(newest.current.isOurs(event.target))
    }
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false)
    }
    const dropped = (event: DragEvent): void => {
      setIsOver(false)
      if (!event.dataTransfer || !newest.current.accepts(event.dataTransfer)) return
      event.preventDefault()
      if (newest.current.isOurs(event.target)) newest.current.take(event.dataTransfer)
    }
    const ended = (): void => setIsOver(false)
    addEventListener('dragover', held)
    addEventListener('dragleave', left)
    addEventListener('drop', dropped)
    addEventListener('dragend', ended)
    return () => {
      removeEventListener('dragover', held)
      removeEventListener('dragleave', left)
      removeEventListener('drop', dropped)
      removeEventListener('dragend', ended)
    }
  }, [])
  return isOver
}
