import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReviewComment } from '../../../shared/api/changes/review.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { requestOrReport } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import styles from './composer.module.css'

/** The review comments that are sent with the next message. Each can be removed. */
export function CommentRow({
  sessionId,
  comments,
}: {
  readonly sessionId: SessionId
  readonly comments: readonly ReviewComment[]
}): ReactNode {
  const desk = useDesk()
  if (comments.length === 0) return null
  const remove = (id: string): void => {
    requestOrReport(desk, 'The comment was not removed', (client) => client.review.uncomment({ sessionId, ids: [id] }))
    document.querySelector<HTMLElement>('[data-composer-text]')?.focus()
  }
  return (
    <ul className={styles.comments} aria-label="Comments in this message">
      {comments.map(({ id, shown, from, to, words, quoted }) => (
        <li key={id} className={styles.comment}>
          <span className={styles.commentPlace} data-tip={quoted.slice(0, 600)}>
            <MiddlePath path={shown} tip={false} />:{from === to ? from : `${from}–${to}`}
          </span>
          <span className={styles.commentWords}>{words}</span>
          <Button only small variant="quiet" icon={X} label={`Remove the comment on ${shown}, line ${from}`} onPress={() => remove(id)} />
        </li>
      ))}
    </ul>
  )
}
