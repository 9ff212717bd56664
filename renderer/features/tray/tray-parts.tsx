import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { Signing } from '../../state/stores/approval-desk.ts'
import { Button } from '../../ui/controls/button.tsx'
import { added, removed, span } from '../../ui/format.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { useKeyHint } from '../../ui/marks/key-labels.ts'
import type { LaterParts } from './review/review-signature.ts'
import styles from './tray.module.css'

/** The waiting requests, including this one. `of` is their number, or 0 if this request has just been signed. */
export interface Queue {
  /** Index of this request. */
  readonly at: number
  readonly of: number
  /** Index among all requests that were made together, including answered ones. */
  readonly place: number
  readonly asked: number
  /** Shows another request. */
  readonly onGo: (to: number) => void
  /** The words for the requests of the same kind ("3 edits"), and the action that shows them together. Null if there are no others. */
  readonly batch: { readonly words: string; readonly onShow: () => void } | null
}

interface HeadEndProps {
  readonly queue: Queue
  readonly since: number
  /** Changed lines of the file in the title. Null without a file or a count. */
  readonly lines: { readonly added: number; readonly removed: number } | null
  /** Opens the changes in the full review. If left out, that is not offered. */
  readonly onReview?: (() => void) | undefined
}

/**
 * The right end of the heading: the changed lines, the request's position among the requests, buttons that go to the other requests, and
 * the waiting time.
 */
export function HeadEnd({ queue, since, lines, onReview }: HeadEndProps): ReactNode {
  return (
    <>
      {lines !== null && (
        <span className={styles.lines}>
          <span className="add">{added(lines.added)}</span> <span className="del">{removed(lines.removed)}</span>
        </span>
      )}
      {queue.asked > 1 && queue.of > 0 && <span className="num">{`${queue.place + 1} of ${queue.asked}`}</span>}
      {queue.batch && queue.of > 0 && (
        <Button variant="quiet" small onPress={queue.batch.onShow}>
          Show {queue.batch.words} together
        </Button>
      )}
      {queue.of > 1 && <QueueButtons {...queue} />}
      <Asked since={since} />
      {onReview && (
        <Button small onPress={onReview}>
          Open in review
        </Button>
      )}
    </>
  )
}

function QueueButtons({ at, of, onGo }: Pick<Queue, 'at' | 'of' | 'onGo'>): ReactNode {
  return (
    <span>
      <Button
        variant="quiet"
        small
        only
        icon={ChevronLeft}
        label="Previous request"
        disabledReason={at === 0 ? 'This is the first.' : null}
        onPress={() => onGo(at - 1)}
      />
      <Button
        variant="quiet"
        small
        only
        icon={ChevronRight}
        label="Next request"
        disabledReason={at === of - 1 ? 'This is the last.' : null}
        onPress={() => onGo(at + 1)}
      />
    </span>
  )
}

/** How long the request has been waiting. */
function Asked({ since }: { readonly since: number }): ReactNode {
  const elapsed = useElapsed(since)
  const words = elapsed < 5_000 ? 'asked just now' : `asked ${span(elapsed)} ago`
  return <span>{words}</span>
}

interface RefusalsProps {
  readonly signing: Signing
  readonly refuseButton: RefObject<HTMLButtonElement | null>
  readonly noteButton?: RefObject<HTMLButtonElement | null>
  readonly onRefuse: () => void
  /** Label of the refuse button. Default: Refuse. */
  readonly words?: string
  /** How much of the request the user decides later. Default: none. */
  readonly later?: LaterParts
  /** If absent, a note is not offered. */
  readonly onNote?: () => void
}

const WHY_NO_REFUSAL: Readonly<Record<LaterParts, string | null>> = {
  none: null,
  some: null,
  all: 'You decide about all of it later. Refuse a part first.',
  unknown: 'You can refuse the rest once the whole diff is on screen.',
}

/** The refuse buttons. */
export function Refusals({
  signing,
  refuseButton,
  noteButton,
  onRefuse,
  onNote,
  words = 'Refuse',
  later = 'none',
}: RefusalsProps): ReactNode {
  if (signing.kind === 'answered' || signing.kind === 'void') return null
  const disabledReason = WHY_NO_REFUSAL[later]
  return (
    <>
      <Button
        ref={refuseButton}
        variant="quiet"
        keys="Mod+Del"
        busy={signing.kind === 'sending' && signing.answer === 'refuse'}
        disabledReason={disabledReason}
        onPress={onRefuse}
      >
        {later === 'some' ? 'Refuse the rest' : words}
      </Button>
      {onNote && (
        <Button ref={noteButton} variant="quiet" disabledReason={disabledReason} onPress={onNote}>
          Refuse with a note
        </Button>
      )}
    </>
  )
}

export interface NoteProps {
  readonly signing: Signing
  /** Why the request cannot be signed with the current decisions. Null if it can. */
  readonly whyNot: string | null
  readonly failed: boolean
  /** Whether the signing key was pressed outside the tray, where it does nothing. */
  readonly missed: boolean
  readonly destructive: boolean
}

/** Why the request cannot be signed now, why an earlier answer did not count, or which key to press first. */
export function Note({ signing, whyNot, failed, missed, destructive }: NoteProps): ReactNode {
  const key = useKeyHint()
  const note = 'note' in signing ? signing.note : signing.kind === 'void' ? signing.message : null
  const keys = missed && key('Mod+J') !== '' && signing.kind !== 'void' && signing.kind !== 'answered'
  const first = keys ? `${key('Mod+J')} first, then ${destructive ? 'hold ' : ''}${key('Mod+Enter')}.` : null
  const reasons = failed ? ['You can sign once the whole diff is on screen.'] : [note, whyNot ?? first].filter((reason) => reason !== null)
  return reasons.length === 0 ? null : (
    <span className={styles.why} role="status">
      {reasons.join(' ')}
    </span>
  )
}
