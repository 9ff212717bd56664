import { type ReactNode, useState } from 'react'
import type { PullRequest, ReviewerComment } from '../../../../shared/api/changes/publish.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Done } from '../../../../shared/api/sessions.ts'
import { requestOrReport } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useReviewNotes } from '../../../state/hooks/changes/use-review-notes.ts'
import { useOpenLink } from '../../../state/hooks/use-open-link.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counted } from '../../../ui/format.ts'
import { foreign } from '../../../ui/text/exact-text.tsx'
import { OutsideLink } from '../../../ui/text/outside-link.tsx'
import { CheckRow } from './check-row.tsx'
import styles from './publish.module.css'

interface PullRequestViewProps {
  readonly sessionId: SessionId
  readonly request: PullRequest
  /** Top folder of the repository. */
  readonly top: string
}

/** An existing pull request with its checks, the comments of reviewers, and its description. */
export function PullRequestView({ sessionId, request, top }: PullRequestViewProps): ReactNode {
  const openLink = useOpenLink()
  const { number, title, url, state, base, checks, comments, description } = request
  return (
    <>
      <h2 className={styles.title}>{foreign(title)}</h2>
      <p className="soft">
        Pull request {number}, {state}, into <code>{base}</code>.{' '}
        <OutsideLink url={url} open={openLink}>
          Open in the browser
        </OutsideLink>
      </p>
      <h3 className={styles.heading}>
        Checks <span className="soft">{checksInWords(request)}</span>
      </h3>
      {checks.length === 0 ? <p className="soft">No checks run for it.</p> : null}
      <ul className={styles.checks} aria-label="Checks">
        {checks.map((check, at) => (
          <CheckRow key={check.id ?? `${check.name} ${at}`} sessionId={sessionId} check={check} />
        ))}
      </ul>
      {comments.length > 0 && <Comments sessionId={sessionId} comments={comments} top={top} />}
      {description !== '' && (
        <>
          <h3 className={styles.heading}>Description</h3>
          <p className={styles.description}>{foreign(description)}</p>
        </>
      )}
    </>
  )
}

function checksInWords({ checks }: PullRequest): string {
  return (['failed', 'running', 'passed', 'skipped'] as const)
    .map((state) => ({ state, count: checks.filter((check) => check.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state}`)
    .join(', ')
}

interface CommentsProps {
  readonly sessionId: SessionId
  readonly comments: readonly ReviewerComment[]
  readonly top: string
}

/** Comments of reviewers. The user can add them to the review, whose comments go to the agent with the next message. */
function Comments({ sessionId, comments, top }: CommentsProps): ReactNode {
  const desk = useDesk()
  const notes = useReviewNotes(sessionId)
  const [sent, setSent] = useState<ReadonlySet<string>>(new Set())
  const isTaken = ({ id }: ReviewerComment): boolean => sent.has(id) || notes.comments.some((own) => own.id === `reviewer-${id}`)
  const open = comments.filter((comment) => !isTaken(comment))
  const take = (taken: readonly ReviewerComment[]): void => {
    setSent(new Set([...sent, ...taken.map(({ id }) => id)]))
    requestOrReport(desk, 'The comments were not added', async (client) => {
      for (const { id, author, path, line, words, quoted } of taken) {
        const place = { path: `${top}/${path}`, shown: path, side: 'after', from: line, to: line, quoted } as const
        const done: Done = await client.review.comment({
          sessionId,
          comment: { id: `reviewer-${id}`, ...place, words: `${author}: ${words}` },
        })
        if (!done.ok) return done
      }
      return { ok: true }
    })
  }
  return (
    <>
      <h3 className={styles.heading}>
        Comments of reviewers <span className="soft">{counted(comments.length, 'comment')}</span>
        {open.length > 1 && (
          <Button variant="quiet" small onPress={() => take(open)}>
            Add all to the review
          </Button>
        )}
      </h3>
      <ul className={styles.comments} aria-label="Comments of reviewers">
        {comments.map((comment) => (
          <li key={comment.id}>
            <p>
              <strong>{foreign(comment.author)}</strong> <span className={styles.path}>{foreign(`${comment.path}:${comment.line}`)}</span>
              <span className="push" />
              <Button
                variant="quiet"
                small
                disabledReason={isTaken(comment) ? 'Already in the review' : null}
                onPress={() => take([comment])}
              >
                Add to the review
              </Button>
            </p>
            <p className={styles.description}>{foreign(comment.words)}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
