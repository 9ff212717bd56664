import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import styles from './name-field.module.css'

export interface NameFieldProps {
  /** For screen readers: "Name of the session". */
  readonly label: string
  /** The current name; selected, so that typing replaces it. */
  readonly name: string
  /** Placeholder: the automatic name. */
  readonly whileEmpty: string
  /**
   * Called once: the new name, empty to take the name away, or null when nothing should change; and what had the focus before, null where
   * the person has already put it elsewhere.
   */
  readonly onDone: (name: string | null, before: Element | null) => void
}

/** Edits a name in place. Enter or leaving the field saves it, Escape cancels. */
export function NameField({ label, name, whileEmpty, onDone }: NameFieldProps): ReactNode {
  const isDone = useRef(false)
  const [before] = useState(() => document.activeElement)
  const done = (typed: string | null, back: Element | null): void => {
    if (isDone.current) return
    isDone.current = true
    onDone(typed === name ? null : typed, back)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return
    // arrows move the caret, not the list around the field
    event.stopPropagation()
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.nativeEvent.stopPropagation()
    done(event.key === 'Enter' ? event.currentTarget.value : null, before)
  }
  return (
    <input
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked to edit it
      autoFocus
      className={styles.name}
      aria-label={label}
      placeholder={whileEmpty}
      defaultValue={name}
      maxLength={500}
      spellCheck={false}
      autoComplete="off"
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={onKeyDown}
      onBlur={(event) => done(event.currentTarget.value, null)}
    />
  )
}
