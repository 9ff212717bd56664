import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import styles from './name-field.module.css'
import { isComposing } from '../is-composing.ts'

export interface NameFieldProps {
  /** The accessible name: "Name of the session". */
  readonly label: string
  /** The current name. It is selected, so that typing replaces it. */
  readonly name: string
  /** Placeholder: the automatic name. */
  readonly whileEmpty: string
  /**
   * Called once. `name` is the new name, empty to remove the name, or null if nothing should change. `before` is the element that had the
   * focus before, or null if the user has already moved the focus.
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
    if (isComposing(event.nativeEvent)) return
    // Arrow keys move the caret, not the list that contains the field.
    event.stopPropagation()
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.nativeEvent.stopPropagation()
    done(event.key === 'Enter' ? event.currentTarget.value : null, before)
  }
  return (
    <input
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to edit it
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
