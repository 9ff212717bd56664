import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/controls/button.tsx'
import { isComposing } from '../../ui/is-composing.ts'
import styles from './tray.module.css'

/** The text of a note. Null while no note is written. `leave` closes the field and gives the focus to `place`. */
export function useRefusalNote(place: RefObject<HTMLElement | null>) {
  const [note, setNote] = useState<string | null>(null)
  const leave = (): void => {
    flushSync(() => setNote(null))
    place.current?.focus({ preventScroll: true })
  }
  return { note, setNote, leave }
}

export interface RefusalNoteFieldProps {
  /** Text of the field. */
  readonly note: string
  /** The accessible name, which is also the placeholder. */
  readonly label?: string
  /** Label of the button that sends the note. */
  readonly words?: string
  readonly busyWord?: string
  readonly busy: boolean
  readonly onWrite: (note: string) => void
  readonly onSend: (note: string) => void
  readonly onLeave: () => void
}

/** A field for a note that goes with a refusal. The agent receives the note as the result of its call. */
export function RefusalNoteField({ note, busy, onWrite, onSend, onLeave, ...props }: RefusalNoteFieldProps): ReactNode {
  const { label = 'What the agent should do instead', words = 'Refuse with this note', busyWord = 'Refusing' } = props
  const send = (): void => {
    if (note.trim() !== '' && !busy) onSend(note.trim())
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      onLeave()
    }
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === 'Enter' && isPlain) {
      event.preventDefault()
      send()
    }
  }
  return (
    <div className={styles.note}>
      <textarea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
        autoFocus
        aria-label={label}
        placeholder={label}
        rows={2}
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        value={note}
        onChange={(event) => onWrite(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.noteActions}>
        <Button variant="quiet" keys="Esc" onPress={onLeave}>
          Back
        </Button>
        <Button
          keys="Enter"
          busy={busy}
          busyWord={busyWord}
          disabledReason={note.trim() === '' ? 'Write a note first, or go back.' : null}
          onPress={send}
        >
          {words}
        </Button>
      </div>
    </div>
  )
}
