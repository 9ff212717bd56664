import { Layers } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { type OwnPlace, ownPlaceOf } from '../../../../shared/session/settings/where.ts'
import type { CopyOutcome } from '../../../../shared/session/events.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { agentOf } from '../../../state/views/request-title.ts'
import { useDesk, useOfflineReason } from '../../../state/desk-context.ts'
import { useRequestFiles, useStepTexts } from '../../../state/hooks/changes/use-step-texts.ts'
import { nameOf } from '../../../state/stores/session-list.ts'
import { laterCount, signedCount } from '../../../state/stores/review-decisions.ts'
import type { Answer } from '../../../state/stores/approval-desk.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counted } from '../../../ui/format.ts'
import { PageFrame, PageNav } from '../../../ui/frame/page-frame.tsx'
import { Pane, PaneHead, PaneScroll } from '../../../ui/frame/panes/pane.tsx'
import { useHold } from '../../../ui/hooks/use-hold.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { EmptyState } from '../../../ui/notices/empty-state.tsx'
import { onReviewKey } from '../review/review-keys.ts'
import { type LaterParts, laterIn, refusalOf, signatureOf, whyNotSignable } from '../review/review-signature.ts'
import { COMPARED_AT_ONCE, type Review, useHasLater, useRequestReview } from '../review/use-request-review.ts'
import { refuseWords } from '../request-words.ts'
import { SignControl, type SignControlProps } from '../sign-control.tsx'
import { onTrayKey, useTrayKeys } from '../tray-keys.ts'
import { Note, type NoteProps, Refusals } from '../tray-parts.tsx'
import { useSees, useSigning } from '../use-signing.ts'
import { foreign } from '../../../ui/text/exact-text.tsx'
import { MoreFiles } from '../../../ui/diff/step-diff.tsx'
import type { StepTexts } from '../../../ui/diff/step-texts.ts'
import styles from './bring-in.module.css'
import { CheckLine } from './check-line.tsx'
import { RefusalNoteField, useRefusalNote } from '../refusal-note-field.tsx'
import { SetList } from './set-list.tsx'
import { SetParts } from './set-parts.tsx'
import { type NamedSet, useChangeSets } from './use-change-sets.ts'
import { useCheck } from './use-check.ts'

/** Maximum number of changed lines that are unfolded at first. With more lines, only the current hunk is unfolded. */
const FEW_LINES = 60

interface BringInRequestProps {
  readonly sessionId: SessionId
  /** The session whose work is brought in. */
  readonly from: SessionId
  readonly call: CallItem
  readonly status: ReactNode
  readonly onClose: () => void
  /** Called when the signature has been on screen for a moment. */
  readonly onSignedShown: () => void
}

/** One request to bring in the work of a session: its change sets, their hunks, a check of the result, and one signature. */
export function BringInRequest({ sessionId, from, call, status, onClose, onSignedShown }: BringInRequestProps): ReactNode {
  const desk = useDesk()
  const work = useRef<HTMLDivElement>(null)
  const offline = useOfflineReason()
  const project = useStore(desk.list, ({ sessions }) => nameOf(sessions.get(sessionId)?.folder ?? ''))
  const title = useStore(desk.list, ({ sessions }) => sessions.get(from)?.title ?? '')
  const place = useStore(desk.list, ({ sessions }) => ownPlaceOf(sessions.get(from)?.config))
  const agent = agentOf(call)
  const texts = useStepTexts(sessionId, useRequestFiles(sessionId, call))
  const compared = useRequestReview(sessionId, call, texts, { comparesAll: true })
  const sets = useChangeSets(from, call, compared?.files ?? null)
  const review = compared && sets ? inOrderOf(compared, sets) : null
  const later = laterIn(review, useHasLater(call) && texts.kind !== 'failed')
  const signing = useSigning(desk, sessionId, call, useSees(work, review !== null))
  const check = useCheck(sessionId, call, review)
  const hasFailed = check.item?.kind === 'ended' && !check.item.passed
  const destructive = call.approval?.destructive === true || hasFailed
  const whyNot = whyNotYet(review)
  const answer = (given: Answer | null): void => void (given && desk.signing.answer(sessionId, call, given))
  const sign = (): void => answer(signatureOf(review))
  const refuse = (text: string | null): void => answer(refusalOf(review, later, text))
  const armed = signing.kind === 'armed' && whyNot === null
  const hold = useHold({ armed, onHeld: sign })
  const { missed, own } = useTrayKeys(work)
  useEffect(() => work.current?.focus({ preventScroll: true }), [])
  const onKeyDown = (event: KeyboardEvent): void => {
    onTrayKey(event, { own, armed, destructive, hold, sign, refuse })
    if (review && !event.defaultPrevented && signing.kind !== 'answered') onReviewKey(event, review)
  }
  const lines = review?.files.flatMap(({ hunks }) => hunks ?? []).reduce((sum, { place }) => sum + place.added + place.removed, 0) ?? 0
  return (
    <PageFrame
      navLabel="Change sets"
      nav={
        <PageNav label="Change sets" closeWords="Close" onClose={onClose}>
          <PaneHead level="bar" title="Change sets" aside="in order" />
          <PaneScroll label="Change sets">{sets && review && <SetList sets={sets} agent={agent} review={review} />}</PaneScroll>
          <LeftOut place={place} agent={agent?.name ?? null} outcome={call.copy?.outcome ?? null} />
        </PageNav>
      }
      status={status}
    >
      <Pane kind="work" label={`Bring into ${project}`} className={styles.work}>
        <PaneHead
          rank={1}
          title={`Bring into ${project}`}
          aside={
            <span className={styles.from}>
              <Icon glyph={Layers} size={14} /> from {title || 'an unnamed session'}
            </span>
          }
          end={review && <Moves review={review} onMove={() => work.current?.focus({ preventScroll: true })} />}
        />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys are those of a tray */}
        <div
          ref={work}
          role="group"
          aria-label="Changes to bring in"
          className={styles.request}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          onKeyUp={hold.release}
          onBlur={hold.release}
        >
          <PaneScroll label="Hunks">
            {review && sets ? (
              <>
                {sets.map((set, at) => (
                  <SetParts key={set.step} set={set} number={at + 1} review={review} unfolds={lines <= FEW_LINES} />
                ))}
                <MoreFiles notShown={review.notShown} atOnce={COMPARED_AT_ONCE} onShow={() => review.showMore(COMPARED_AT_ONCE)} />
              </>
            ) : (
              <NotYet texts={texts} />
            )}
          </PaneScroll>
          <footer className={styles.foot}>
            {signing.kind !== 'answered' && <CheckLine check={check} disabledReason={offline ?? whyNot} />}
            <Answers
              sessionId={sessionId}
              call={call}
              place={place}
              signing={signing}
              whyNot={whyNot}
              failed={texts.kind === 'failed'}
              missed={missed}
              destructive={destructive}
              words={wordsOf(review, destructive)}
              later={later}
              hold={hold}
              onSign={sign}
              onRefuse={refuse}
              onSignedShown={onSignedShown}
            />
          </footer>
        </div>
      </Pane>
    </PageFrame>
  )
}

/** Stands in place of the changes until they are known. */
function NotYet({ texts }: { readonly texts: StepTexts }): ReactNode {
  if (texts.kind !== 'failed') return <EmptyState>Comparing with the folder…</EmptyState>
  return <EmptyState action={<Button onPress={texts.retry}>Read again</Button>}>The changes could not be read: {texts.message}</EmptyState>
}

interface AnswersProps extends SignControlProps, Pick<NoteProps, 'failed' | 'missed'> {
  readonly sessionId: SessionId
  readonly call: CallItem
  readonly place: OwnPlace
  readonly later: LaterParts
  readonly onRefuse: (note: string | null) => void
}

/** The buttons that refuse and sign. A refusal of a third-party agent's work can include a note for the agent. */
function Answers({ sessionId, call, place, later, failed, missed, onRefuse, ...sign }: AnswersProps): ReactNode {
  const { signing, whyNot, destructive } = sign
  const agent = agentOf(call)
  const refuseButton = useRef<HTMLButtonElement>(null)
  const noteButton = useRef<HTMLButtonElement>(null)
  const note = useRefusalNote(sessionId, call, noteButton)
  if (note.text !== null && signing.kind !== 'answered')
    return <RefusalNoteField note={note} busy={signing.kind === 'sending'} onSend={onRefuse} />
  return (
    <div className={styles.answers}>
      <Refusals
        signing={signing}
        refuseButton={refuseButton}
        noteButton={noteButton}
        later={later}
        onRefuse={() => onRefuse(null)}
        words={agent === null ? `Leave all in the ${place}` : 'Refuse'}
        {...(agent !== null && { onNote: note.open })}
      />
      <Note signing={signing} whyNot={whyNot} failed={failed} missed={missed} destructive={destructive} />
      <SignControl {...sign} />
    </div>
  )
}

interface LeftOutProps {
  readonly place: OwnPlace
  /** The name of the third-party agent that works in the layer. Null for Countersign's own agent. */
  readonly agent: string | null
  /** Its `leftOut` are files that cannot be merged, and its `notes` say what else is not brought in. */
  readonly outcome: CopyOutcome | null
}

/** What happens to the changes that are not brought in. */
function LeftOut({ place, agent, outcome }: LeftOutProps): ReactNode {
  const { leftOut: unmerged = [], notes = [] } = outcome ?? {}
  return (
    <div className={styles.leftOut}>
      <strong>What you leave out</strong>
      {agent === null ? (
        <p>
          stays in the {place}. You can bring it in later, or throw the {place} away with its session.
        </p>
      ) : (
        <p>
          is removed from the layer when you sign or refuse. {agent} will learn about this with your next message. You can redo the changes
          in its session. What you mark with <em>Later</em> stays in the layer, and the next request shows it again.
        </p>
      )}
      {unmerged.length > 0 && <p>Also left out, because they conflict with what is in the folder now: {unmerged.join(', ')}.</p>}
      {notes.map((note) => (
        <p key={note}>{foreign(note)}</p>
      ))}
    </div>
  )
}

/** Why nothing can be signed yet. Null if it can. */
function whyNotYet(review: Review | null): string | null {
  if (review === null) return 'You can sign once everything is on screen.'
  return review.notShown > 0 ? 'Show the files at the end of the list before you sign.' : whyNotSignable(review)
}

/** The same review with its parts in the order of the change sets. */
function inOrderOf(review: Review, sets: readonly NamedSet[]): Review {
  const pieces = sets.flatMap(({ parts }) => parts.map(({ piece }) => piece))
  const current = pieces.find(({ key }) => key === review.current?.key && review.decided.current !== null) ?? pieces[0]
  return { ...review, rows: pieces.map((piece) => [piece]), current }
}

function wordsOf(review: Review | null, destructive: boolean): string {
  const verb = destructive ? 'Hold to sign' : 'Sign'
  if (review === null) return verb
  const { pieces, decided } = review
  const signed = signedCount(pieces, decided)
  if (signed === 0 && laterCount(pieces, decided) > 0) return refuseWords(review)
  return signed < pieces.length ? `${verb} ${signed} of ${counted(pieces.length, 'hunk')}` : `${verb} ${counted(signed, 'hunk')}`
}

function Moves({ review, onMove }: { readonly review: Review; readonly onMove: () => void }): ReactNode {
  const { rows, current, change } = review
  const at = rows.findIndex(([piece]) => piece?.key === current?.key)
  const go = (to: number): void => {
    const key = rows[to]?.[0]?.key
    if (key !== undefined) change((known) => ({ ...known, current: key }))
    onMove()
  }
  return (
    <>
      <Button variant="quiet" small keys="K" disabledReason={at <= 0 ? 'This is the first.' : null} onPress={() => go(at - 1)}>
        Previous
      </Button>
      <Button variant="quiet" small keys="J" disabledReason={at >= rows.length - 1 ? 'This is the last.' : null} onPress={() => go(at + 1)}>
        Next
      </Button>
    </>
  )
}
