import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { QueuedInput } from '../../../shared/session/state.ts'
import { useDesk, useIsConnected, useSession, useView } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ComposerFrame } from '../../ui/ledger/composer-frame.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { isComposing } from '../../ui/is-composing.ts'
import styles from './composer.module.css'
import { CompletionList } from './completion/completion-list.tsx'
import { useCompletion } from './completion/use-completion.ts'
import { CommentRow } from './comment-row.tsx'
import { AddFile, DraftPicturesRow } from './draft-pictures.tsx'
import { CourseSelect, EffortSelect } from './next-request-options.tsx'
import { NextPrice } from './next-price.tsx'
import { MissingKeyWarning, useMissingKey } from './missing-key-warning.tsx'
import { QueueList } from './queue-list.tsx'
import { PastedTexts } from './pasted-texts.tsx'
import { useMessageRecall } from './use-message-recall.ts'
import { type Delivery, useSending } from './use-sending.ts'
import { WhereButton, WhereSheet } from './where-sheet.tsx'
import { type AddedFiles, useAddedFiles } from './use-added-files.ts'

const NO_QUEUE: readonly QueuedInput[] = []

const NOT_CONNECTED = 'The window is not connected. Your message is kept here.'

/** The message field. Enter sends, or steers while a turn runs. Alt+Enter queues. No key here signs a change. */
export function Composer({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const draft = useStore(desk.drafts.store, (drafts) => drafts.get(sessionId)) ?? desk.drafts.get(sessionId)
  const isRunning = useSession(sessionId, (session) => session.run === 'PROCESSING' || session.run === 'AWAITING_INPUT', false)
  const queue = useSession(sessionId, (session) => session.queue, NO_QUEUE)
  const isFirst = useSession(sessionId, (session) => session.items.length === 0, false)
  const isConnected = useIsConnected()
  const missing = useMissingKey(sessionId)
  const taking = useAddedFiles(sessionId)
  const sending = useSending(sessionId, isConnected && !missing && !taking.isBusy)
  const recall = useMessageRecall(sessionId)
  const field = useRef<HTMLTextAreaElement>(null)

  const { isOfPair, isActive } = useView((view) => ({
    isOfPair: view.pair !== null,
    isActive: view.pair === null || view.sessionId === sessionId,
  }))
  const title = useSession(sessionId, (session) => session.title, '')
  const [isPlacing, setPlacing] = useState(false)
  const where = <WhereButton sessionId={sessionId} isOpen={isPlacing} onToggle={setPlacing} />
  useFocusIf(isFirst, field)
  const write = (text: string): void => desk.drafts.set(sessionId, text)
  const completion = useCompletion(sessionId, { text: draft, write, field })
  const send = (delivery: Delivery): void => {
    recall.reset()
    taking.settle()
    void sending.send(delivery, completion.runDeskCommand)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isComposing(event.nativeEvent) || completion.onKeyDown(event)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      send(event.altKey ? 'queue' : 'steer')
      return
    }
    const earlier = recall.textFor(event.key, draft)
    if (earlier === null) return
    event.preventDefault()
    write(earlier)
  }
  const disabled = isConnected ? missing && `There is no key for ${missing.label} yet.` : NOT_CONNECTED
  const busy = taking.isBusy ? 'A file is still being added.' : null
  const press = (delivery: Delivery): void => (sending.isEmpty() ? field.current?.focus() : send(delivery))
  return (
    <>
      {queue.length > 0 && <QueueList sessionId={sessionId} queue={queue} />}
      {sending.trouble && <NotSent trouble={sending.trouble} />}
      {taking.trouble && <NotSent trouble={taking.trouble} />}
      {missing && <MissingKeyWarning sessionId={sessionId} provider={missing} />}
      <CompletionList completion={completion} />
      <WhereSheet sessionId={sessionId} isOpen={isPlacing} onToggle={setPlacing} />
      <ComposerFrame
        label={isOfPair ? `Composer of ${title || 'a new session'}` : undefined}
        tools={
          <Tools sessionId={sessionId} where={where} isRunning={isRunning} disabled={disabled || busy} taking={taking} onPress={press} />
        }
      >
        <textarea
          ref={field}
          aria-label="Message"
          data-composer-text={isActive ? '' : undefined}
          data-composer-of={sessionId}
          rows={2}
          // The label is the accessible name, and the placeholder says what the message is for.
          placeholder={isRunning ? 'Steer the agent' : isFirst ? 'What should be done?' : 'What next?'}
          value={draft}
          onChange={(event) => {
            recall.reset()
            write(event.target.value)
            completion.onSelect()
          }}
          onKeyDown={onKeyDown}
          onSelect={completion.onSelect}
          aria-autocomplete="list"
          aria-controls={completion.options.length > 0 ? `${completion.id}-list` : undefined}
          aria-activedescendant={
            completion.options.length > 0 && completion.active >= 0 ? `${completion.id}-${completion.active}` : undefined
          }
          onPaste={taking.onPaste}
        />
        <PastedTexts sessionId={sessionId} />
        <CommentRow sessionId={sessionId} comments={sending.comments} />
        <DraftPicturesRow sessionId={sessionId} isBusy={taking.isBusy} isOver={taking.isOver} />
      </ComposerFrame>
    </>
  )
}

/** Focuses the field of a new session, unless another element has the focus. */
function useFocusIf(isFirst: boolean, field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (isFirst && document.activeElement === document.body) field.current?.focus()
  }, [isFirst, field])
}

interface ToolsProps {
  readonly sessionId: SessionId
  /** Says where a new session works. */
  readonly where: ReactNode
  readonly isRunning: boolean
  /** Why no message can be sent. Null if one can be sent. */
  readonly disabled: string | null
  readonly taking: AddedFiles
  readonly onPress: (delivery: Delivery) => void
}

/** Below the field: a button that adds files, the effort, course and price of the next request, and the send buttons. */
function Tools({ sessionId, where, isRunning, disabled, taking, onPress }: ToolsProps): ReactNode {
  return (
    <>
      <AddFile onChoose={taking.take} />
      {where}
      <EffortSelect sessionId={sessionId} />
      <CourseSelect sessionId={sessionId} />
      <NextPrice sessionId={sessionId} />
      <span className={styles.send}>
        {isRunning && (
          <Button variant="quiet" small keys="Alt+Enter" disabledReason={disabled} onPress={() => onPress('queue')}>
            Queue
          </Button>
        )}
        <Button small keys="Enter" disabledReason={disabled} onPress={() => onPress('steer')}>
          {isRunning ? 'Steer' : 'Send'}
        </Button>
      </span>
    </>
  )
}

function NotSent({ trouble }: { readonly trouble: Trouble }): ReactNode {
  return (
    <div className={styles.above}>
      <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />
    </div>
  )
}
