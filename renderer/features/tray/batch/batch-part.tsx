import { type ReactNode, useEffect } from 'react'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import type { Answer } from '../../../state/stores/approval-desk.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { filesOf, useStepTexts } from '../../../state/hooks/changes/use-step-texts.ts'
import { RequestBody, type RequestBodyProps, RequestTitle } from '../request-body.tsx'
import { signatureOf, whyNotSignable } from '../review/review-signature.ts'
import { useRequestReview } from '../review/use-request-review.ts'
import styles from '../tray.module.css'
import { useSigning } from '../use-signing.ts'

/** What the tray must know about a request that is signed together with others. */
export interface PartState {
  readonly isLoaded: boolean
  readonly hasFailed: boolean
  /** Why the request cannot be signed with the current decisions. Null if it can. */
  readonly whyNot: string | null
  readonly answer: Answer
}

export interface BatchPartProps extends Pick<RequestBodyProps, 'wordsOf'> {
  readonly sessionId: SessionId
  readonly call: CallItem
  /** Position of the request: "2 of 3". */
  readonly place: string
  /** Whether the tray is completely on screen with all requests loaded. */
  readonly sees: boolean
  readonly onState: (id: string, state: PartState) => void
}

/** One of several requests that are signed together: its title and exactly what will happen. */
export function BatchPart({ sessionId, call, place, sees, onState, wordsOf }: BatchPartProps): ReactNode {
  const desk = useDesk()
  const texts = useStepTexts(sessionId, filesOf(call.effects))
  const review = useRequestReview(sessionId, call, texts, { hasKeys: false })
  useSigning(desk, sessionId, call, sees)
  const { id } = call
  useEffect(
    () =>
      onState(id, {
        isLoaded: texts.kind === 'loaded',
        hasFailed: texts.kind === 'failed',
        whyNot: whyNotSignable(review),
        answer: signatureOf(review),
      }),
    // The review is built from these files.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [onState, id, texts, review?.decided, review?.pieces.length],
  )
  return (
    <section className={styles.part} aria-label={place}>
      <h3 className={styles.partTitle}>
        <span className="num">{place}</span> <RequestTitle call={call} />
      </h3>
      <RequestBody call={call} texts={texts} review={review} wordsOf={wordsOf} />
    </section>
  )
}
