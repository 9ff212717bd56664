import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import styles from './review.module.css'

export interface HunkEditorProps {
  readonly label: string
  readonly text: string
  readonly onType: (text: string) => void
  readonly onUse: () => void
  readonly onLeave: () => void
}

/** The proposed lines in a text field. Undo and redo are those of the browser. */
export function HunkEditor({ label, text, onType, onUse, onLeave }: HunkEditorProps): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent): void => {
    const uses = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)
    if (!uses && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (uses) onUse()
    else onLeave()
  }
  return (
    <textarea
      ref={field}
      className={styles.editor}
      aria-label={label}
      spellCheck={false}
      wrap="off"
      value={text}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={onKeyDown}
    />
  )
}
