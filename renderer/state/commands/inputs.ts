import type { SessionId } from '../../../shared/lib/ids.ts'
import type { QueuedInput } from '../../../shared/session/state.ts'
import { attempt, report } from './attempt.ts'
import type { Desk } from '../desk.ts'

/** Takes back a message that waits and puts its words where they can be changed, before what is written there already. */
export async function editInput(desk: Desk, sessionId: SessionId, { inputId, text, pictures = [] }: QueuedInput): Promise<void> {
  const trouble = await attempt(desk, 'The message was not taken back', (client) => client.sessions.withdraw({ sessionId, inputId }))
  if (trouble) return desk.notice.setState({ trouble })
  desk.draftPictures.add(sessionId, ...pictures)
  desk.drafts.set(sessionId, [text, desk.drafts.get(sessionId)].filter((one) => one !== '').join('\n'))
  document.querySelector<HTMLElement>('[data-composer-text]')?.focus()
}

/** Begins a turn with a message that a stop has held. */
export function sendHeld(desk: Desk, sessionId: SessionId, { inputId, text, pictures = [], delivery }: QueuedInput): void {
  void report(
    desk,
    attempt(desk, 'The message was not sent', (client) =>
      client.sessions.send({ sessionId, inputId, text, pictures: pictures.map(({ hash }) => hash), delivery }),
    ),
  )
}

/** Lets a message reach the agent before the one that waits in front of it. */
export function sendSooner(desk: Desk, sessionId: SessionId, queue: readonly QueuedInput[], input: QueuedInput): void {
  const ahead = aheadOf(queue, input)
  if (!ahead) return
  const inputIds = queue.map(({ inputId }) =>
    inputId === ahead.inputId ? input.inputId : inputId === input.inputId ? ahead.inputId : inputId,
  )
  void report(
    desk,
    attempt(desk, 'The order was not changed', (client) => client.sessions.arrange({ sessionId, inputIds })),
  )
}

/** The message that the agent gets right before this one and that could as well come after it; null: there is none. */
export function aheadOf(queue: readonly QueuedInput[], { inputId, delivery }: QueuedInput): QueuedInput | null {
  const alike = queue.filter((one) => one.delivery === delivery && !one.held)
  return alike[alike.findIndex((one) => one.inputId === inputId) - 1] ?? null
}
