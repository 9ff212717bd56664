import { useState } from 'react'
import type { ReviewComment } from '../../../shared/api/changes/review.ts'
import { newId, type SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { withPastedTexts } from '../../state/stores/drafts/pasted-texts.ts'
import { askForTrust } from '../../state/commands/actions.ts'
import { calledAgent, sendToAgent } from '../../state/commands/send-to-agent.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useReviewNotes } from '../../state/hooks/changes/use-review-notes.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import type { Completion } from './completion/use-completion.ts'

/** `steer` reaches the running turn. `queue` waits for its end. */
export type Delivery = 'steer' | 'queue'

export interface Sending {
  /** Why the last message was not sent. */
  readonly trouble: Trouble | null
  /** The review comments that go with the message. */
  readonly comments: readonly ReviewComment[]
  /** Whether there is nothing to send: no text, no picture, no comment. */
  isEmpty(): boolean
  /**
   * Sends the draft and clears the field. If sending fails, the draft is put back. A draft that `runDeskCommand` runs as a command is not
   * sent.
   */
  send(delivery: Delivery, runDeskCommand: Completion['runDeskCommand']): Promise<void>
}

export function useSending(sessionId: SessionId, mayBeSent: boolean): Sending {
  const desk = useDesk()
  const { comments } = useReviewNotes(sessionId)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const isEmpty = (): boolean => {
    const added = [desk.draftTexts.get(sessionId), desk.draftPictures.get(sessionId), comments]
    return desk.drafts.get(sessionId).trim() === '' && added.every((list) => list.length === 0)
  }
  return {
    trouble,
    comments,
    isEmpty,
    async send(delivery, runDeskCommand) {
      setTrouble(null)
      const text = await textToSend(desk, sessionId, runDeskCommand, setTrouble)
      if (text === null) return
      const pictures = desk.draftPictures.get(sessionId)
      const texts = desk.draftTexts.get(sessionId)
      if (isEmpty() || !mayBeSent) return
      desk.drafts.set(sessionId, '')
      desk.draftPictures.clear(sessionId)
      desk.draftTexts.set(sessionId, [])
      desk.taken.add(sessionId)
      const message = {
        inputId: newId('i'),
        text: withPastedTexts(text, texts),
        pictures: pictures.map(({ hash }) => hash),
        comments: comments.map(({ id }) => id),
      }
      const config = desk.list.getState().sessions.get(sessionId)?.config ?? null
      const failed = await attemptRequest(desk, 'The message was not sent', async (client) => {
        const called = await calledAgent(client, config, message.text)
        if (called !== null) return sendToAgent(desk, client, sessionId, { ...message, ...called })
        return client.sessions.send({ sessionId, ...message, delivery })
      })
      if (!failed) return
      desk.taken.delete(sessionId)
      setTrouble(failed)
      if (failed.code === 'not_trusted') void askForTrust(desk, sessionId)
      desk.draftTexts.set(sessionId, [...texts, ...desk.draftTexts.get(sessionId)])
      const added = desk.draftPictures.get(sessionId)
      desk.draftPictures.clear(sessionId)
      desk.draftPictures.add(sessionId, ...pictures, ...added)
      // Text that was typed while the message was being sent is kept below the unsent text.
      desk.drafts.set(sessionId, [text, desk.drafts.get(sessionId)].filter((one) => one !== '').join('\n'))
    },
  }
}

/**
 * Returns the text to send. Null if there is none, because the draft was a desk command that has run, needs an argument, or failed.
 * `setTrouble` gets the reason for a failure.
 */
async function textToSend(
  desk: Desk,
  sessionId: SessionId,
  runDeskCommand: Completion['runDeskCommand'],
  setTrouble: (trouble: Trouble) => void,
): Promise<string | null> {
  const written = desk.drafts.get(sessionId).trim()
  const running = runDeskCommand(written)
  if (running === null) return written
  const ended = await running
  if (ended === 'done') desk.drafts.set(sessionId, '')
  if (ended === 'more') desk.drafts.set(sessionId, `${written} `)
  if (typeof ended === 'string') return null
  if ('say' in ended) return ended.say
  setTrouble(ended)
  return null
}
