import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { ReviewComment } from '../../../../shared/api/changes/review.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { LineNoteBox } from '../../../ui/diff/line-note-box.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import styles from './comments.module.css'

export interface CommentNoteProps {
  readonly comment: ReviewComment
  readonly onEdit: (comment: ReviewComment) => void
  readonly onRemove: (id: string) => void
  readonly onSend: (id: string) => void
}

/** A review comment, shown below the lines that it is about until it is sent with the next message. */
export function CommentNote({ comment, onEdit, onRemove, onSend }: CommentNoteProps): ReactNode {
  return (
    <LineNoteBox
      label={`Comment on ${placeWords(comment)}`}
      lead={<Mark kind="you" silent />}
      end={
        <>
          <Button small variant="quiet" onPress={() => onSend(comment.id)}>
            Send now
          </Button>
          <Button small variant="quiet" onPress={() => onEdit(comment)}>
            Edit
          </Button>
          <Button small variant="quiet" onPress={() => onRemove(comment.id)}>
            Remove
          </Button>
        </>
      }
    >
      <strong>To the agent, with your next message:</strong> {comment.words}
    </LineNoteBox>
  )
}

export interface CommentFieldProps {
  readonly draft: Pick<ReviewComment, 'from' | 'to' | 'words'>
  readonly onWrite: (words: string) => void
  /** Saves the comment. Resolves to null if it was saved. */
  readonly onStore: () => Promise<Trouble | null>
  /** Sends the saved comment to the agent at once, without a message. */
  readonly onSend: () => void
  readonly onLeave: () => void
}

/** The field below the lines that the comment is about. Enter saves the comment. Escape discards it. */
export function CommentField({ draft, onWrite, onStore, onSend, onLeave }: CommentFieldProps): ReactNode {
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const keep = (): void => {
    if (draft.words.trim() === '') onLeave()
    else void onStore().then(setTrouble)
  }
  const sendNow = (): void =>
    void onStore().then((failed) => {
      setTrouble(failed)
      if (failed === null) onSend()
    })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey)) return
    event.preventDefault()
    if (event.key === 'Escape') onLeave()
    else keep()
  }
  return (
    <div className={styles.field} data-comment-field="">
      <Field
        label={`Comment on ${placeWords(draft)}`}
        value={draft.words}
        rows={2}
        whileEmpty="To the agent, with your next message"
        error={trouble && `${trouble.what} ${trouble.todo}`}
        onChange={onWrite}
        onKeyDown={onKeyDown}
      />
      <div className={styles.buttons}>
        <Button small keys="Enter" onPress={keep}>
          Save comment
        </Button>
        <Button small disabledReason={draft.words.trim() === '' ? 'Write the comment first' : null} onPress={sendNow}>
          Send now
        </Button>
        <Button small variant="quiet" keys="Esc" onPress={onLeave}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

function placeWords({ from, to }: Pick<ReviewComment, 'from' | 'to'>): string {
  return from === to ? `line ${from}` : `lines ${from} to ${to}`
}
