import type { SessionId } from '../../../shared/lib/ids.ts'
import { messageAsTyped } from '../../../shared/session/person-message.ts'
import type { QueuedInput } from '../../../shared/session/state.ts'
import { attemptRequest, requestOrReport } from './attempt-request.ts'
import type { Desk } from '../desk.ts'

/** Moves a queued message back into the composer, before the text that is already there. */
export async function editInput(desk: Desk, sessionId: SessionId, { pictures = [], ...input }: QueuedInput): Promise<void> {
  const { inputId } = input
  const trouble = await attemptRequest(desk, 'The message was not taken back', (client) => client.sessions.withdraw({ sessionId, inputId }))
  if (trouble) return desk.notice.setState({ trouble })
  desk.draftPictures.add(sessionId, ...pictures)
  desk.drafts.set(sessionId, [messageAsTyped(input), desk.drafts.get(sessionId)].filter((one) => one !== '').join('\n'))
  document.querySelector<HTMLElement>('[data-composer-text]')?.focus()
}

/** Starts a turn with a message that was held back by a stop. */
export function sendHeld(desk: Desk, sessionId: SessionId, { inputId, pictures = [], delivery, ...said }: QueuedInput): void {
  requestOrReport(desk, 'The message was not sent', (client) =>
    client.sessions.send({ sessionId, inputId, text: messageAsTyped(said), pictures: pictures.map(({ hash }) => hash), delivery }),
  )
}

/** Moves a queued message one place up. */
export function sendSooner(desk: Desk, sessionId: SessionId, queue: readonly QueuedInput[], input: QueuedInput): void {
  const ahead = aheadOf(queue, input)
  if (!ahead) return
  const inputIds = queue.map(({ inputId }) =>
    inputId === ahead.inputId ? input.inputId : inputId === input.inputId ? ahead.inputId : inputId,
  )
  requestOrReport(desk, 'The order was not changed', (client) => client.sessions.arrange({ sessionId, inputIds }))
}

/** The message directly before this one, if the two can be swapped. Null if there is none. */
export function aheadOf(queue: readonly QueuedInput[], { inputId, delivery }: QueuedInput): QueuedInput | null {
  const alike = queue.filter((one) => one.delivery === delivery && !one.held)
  return alike[alike.findIndex((one) => one.inputId === inputId) - 1] ?? null
}
