import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import styles from './tray.module.css'

export interface RefusalNoteProps {
  readonly busy: boolean
  readonly onSend: (note: string) => void
  readonly onLeave: () => void
}

/** A refusal with a note, which the agent receives as the result of its call. */
export function RefusalNote({ busy, onSend, onLeave }: RefusalNoteProps): ReactNode {
  const [note, setNote] = useState('')
  const send = (): void => {
    if (note.trim() !== '' && !busy) onSend(note.trim())
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault()
      onLeave()
    }
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === 'Enter' && isPlain && !event.nativeEvent.isComposing) {
      event.preventDefault()
      send()
    }
  }
  return (
    <div className={styles.note}>
      <textarea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for this field
        autoFocus
        aria-label="What the agent should do instead"
        // the label as a question, since nothing stands above the field
        placeholder="What should the agent do instead?"
        rows={2}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.noteActions}>
        <Button variant="quiet" keys="Esc" onPress={onLeave}>
          Back
        </Button>
        <Button
          keys="Enter"
          busy={busy}
          busyWord="Refusing"
          disabledReason={note.trim() === '' ? 'Write a note first, or go back and refuse without one.' : null}
          onPress={send}
        >
          Refuse with this note
        </Button>
      </div>
    </div>
  )
}
