import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { isComposing } from '../../ui/is-composing.ts'
import styles from './tray.module.css'

export interface RefusalNote {
  /** Null while the field is closed. */
  readonly text: string | null
  /** Whether the user has just opened the field. A field that only shows a kept note must not take the focus. */
  readonly isAsked: boolean
  /** Opens the field with the text that was written before. */
  readonly open: () => void
  readonly write: (text: string) => void
  /** Closes the field, keeps its text and gives the focus to `place`. */
  readonly leave: () => void
}

/** The note of one request. Its text is kept with the drafts, so that it survives a reload, another session and an error. */
export function useRefusalNote(
  sessionId: SessionId,
  { toolCallId }: Pick<CallItem, 'toolCallId'>,
  place: RefObject<HTMLElement | null>,
): RefusalNote {
  const { notes } = useDesk()
  // Only the note of the newest request is kept. It begins with the id of its request, and says whether the user has left the field.
  const kept = useStore(notes.store, (all) => all.get(sessionId)) ?? notes.get(sessionId)
  const open = `${toolCallId}\n`
  const left = `${toolCallId} left\n`
  const mark = [open, left].find((one) => kept.startsWith(one))
  const text = mark === undefined ? '' : kept.slice(mark.length)
  const [isOpen, setOpen] = useState(text !== '' && mark === open)
  const [isAsked, setAsked] = useState(false)
  return {
    text: isOpen ? text : null,
    isAsked,
    open() {
      setOpen(true)
      setAsked(true)
    },
    write(next) {
      setOpen(true)
      setAsked(true)
      notes.set(sessionId, next === '' ? '' : open + next)
    },
    leave() {
      if (text !== '') notes.set(sessionId, left + text)
      flushSync(() => setOpen(false))
      place.current?.focus({ preventScroll: true })
    },
  }
}

export interface RefusalNoteFieldProps {
  readonly note: RefusalNote
  /** The accessible name, which is also the placeholder. */
  readonly label?: string
  /** Label of the button that sends the note. */
  readonly words?: string
  readonly busyWord?: string
  readonly busy: boolean
  readonly onSend: (note: string) => void
}

/** A field for a note that goes with a refusal. The agent receives the note as the result of its call. */
export function RefusalNoteField({ note, busy, onSend, ...props }: RefusalNoteFieldProps): ReactNode {
  const { label = 'What the agent should do instead', words = 'Refuse with this note', busyWord = 'Refusing' } = props
  const text = note.text?.trim() ?? ''
  const send = (): void => {
    if (text !== '' && !busy) onSend(text)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      note.leave()
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
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- if the user has just asked for this field
        autoFocus={note.isAsked}
        aria-label={label}
        placeholder={label}
        rows={2}
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        value={note.text ?? ''}
        onChange={(event) => note.write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.noteActions}>
        <Button variant="quiet" keys="Esc" onPress={note.leave}>
          Back
        </Button>
        <Button
          keys="Enter"
          busy={busy}
          busyWord={busyWord}
          disabledReason={text === '' ? 'Write a note first, or go back.' : null}
          onPress={send}
        >
          {words}
        </Button>
      </div>
    </div>
  )
}
