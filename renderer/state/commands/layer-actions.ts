import { newId, type SessionId } from '../../../shared/lib/ids.ts'
import type { AppClient } from '../../../shared/api/contract.ts'
import type { Done } from '../../../shared/api/sessions.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import { folderToBringInto } from '../../../shared/session/settings/where.ts'
import type { Desk } from '../desk.ts'
import { isAt, openEmptySession, showSession, type WantedPlace } from './actions.ts'
import { attemptRequest, report } from './attempt-request.ts'
import { typeIntoNextSession } from './catch-typing.ts'
import { isBusy } from '../stores/session-list.ts'
import { whoBringsIn } from '../views/session-families.ts'

/** Whether a session works in a layer beside its folder. */
export const isBesideFolder = ({ where }: SessionConfigured): boolean => where?.kind === 'beside'

/** Whether the work of a session can be brought into a folder of this computer: from its layer, or from its clone on another machine. */
export const canBringIn = (config: SessionConfigured): boolean => folderToBringInto(config, '') !== null

/**
 * Shows an empty session that works in this place, with the message that was being written. Does nothing while an earlier such move of the
 * same session is under way.
 */
export function workElsewhere(desk: Desk, sessionId: SessionId, place: WantedPlace): void {
  const from = desk.list.getState().sessions.get(sessionId)
  if (from === undefined || isAt(from.config, place) || desk.taken.has(sessionId)) return
  desk.taken.add(sessionId)
  const move = async (): Promise<Trouble | null> => {
    let hasMoved = false
    const trouble = await openEmptySession(desk, from.folder, place, (next) => {
      hasMoved = true
      moveDraft(desk, sessionId, next)
      void leaveEmpty(desk, sessionId, next)
    })
    if (!hasMoved) desk.taken.delete(sessionId)
    return trouble
  }
  void report(
    desk,
    typeIntoNextSession(desk, () => move()),
  )
}

/** Adds the unsent message of one session to that of another. */
function moveDraft(desk: Desk, from: SessionId, to: SessionId): void {
  desk.drafts.set(to, [desk.drafts.get(to), desk.drafts.get(from)].filter((text) => text !== '').join('\n'))
  desk.drafts.set(from, '')
  desk.draftTexts.set(to, [...desk.draftTexts.get(to), ...desk.draftTexts.get(from)])
  desk.draftTexts.set(from, [])
  desk.draftPictures.add(to, ...desk.draftPictures.get(from))
  desk.draftPictures.clear(from)
}

/**
 * Sends a task to a new session beside the folder of this session, with the same model and mode, and shows it. Where nothing can work beside
 * the folder, and in a session that works elsewhere already, the task goes to this session.
 */
export function sendBeside(desk: Desk, sessionId: SessionId, text: string): Promise<void> {
  return report(
    desk,
    attemptRequest(desk, 'The task was not sent', async (client) => {
      const from = desk.list.getState().sessions.get(sessionId)
      const message = { inputId: newId('i'), text }
      if (from && from.config.where === undefined && (await client.workspace.sandbox({ folder: from.folder })).kind === 'present') {
        const { folder, config } = from
        const { provider, model, mode } = config
        return sendToNewSession(desk, client, { folder, provider, model, mode, isBeside: true }, message)
      }
      const sent = await client.sessions.send({ ...message, sessionId, delivery: from && isBusy(from) ? 'queue' : 'steer' })
      if (sent.ok) showSession(desk, sessionId)
      return sent
    }),
  )
}

/** A message that begins a session. */
export type NewMessage = Omit<Parameters<AppClient['sessions']['send']>[0], 'sessionId' | 'delivery'>

/**
 * Sends a message to a new session, and shows it. If the message is not sent, the session is deleted. If that fails too, for example without
 * a connection, it stays in the list and is used for the next new session. Rejects if it is not known whether the message was sent.
 */
export async function sendToNewSession(
  desk: Desk,
  client: AppClient,
  wanted: Parameters<AppClient['sessions']['create']>[0],
  message: NewMessage,
): Promise<Done> {
  const created = await client.sessions.create(wanted)
  if (!created.ok) return created
  const { sessionId } = created
  // Refused for a session with messages, so a message that arrived is never lost.
  const discard = (): Promise<unknown> => client.sessions.discardEmpty({ sessionId }).catch(() => {})
  const sent = await client.sessions.send({ ...message, sessionId, delivery: 'queue' }).catch(async (error: unknown) => {
    await discard()
    throw error
  })
  if (sent.ok) showSession(desk, sessionId)
  else await discard()
  return sent
}

/** Deletes a session without messages. If that fails, it stays in the list and is used for the next new session. */
export async function leaveEmpty(desk: Desk, sessionId: SessionId, next: SessionId): Promise<void> {
  desk.taken.add(sessionId)
  // What was typed until the next session was on screen belongs to it.
  await new Promise(requestAnimationFrame)
  desk.drafts.set(next, desk.drafts.get(next) + desk.drafts.get(sessionId))
  desk.drafts.set(sessionId, '')
  await attemptRequest(desk, 'The empty session was not deleted', (client) => client.sessions.discardEmpty({ sessionId }))
  desk.taken.delete(sessionId)
}

/** Shows what a session beside the folder has changed in its layer, to be signed. If there is nothing, shows why. */
export function bringIn(desk: Desk, sessionId: SessionId): Promise<void> {
  return report(
    desk,
    attemptRequest(desk, 'Nothing was brought in', async (client) => {
      const open = openRequest(desk, sessionId)
      if (open !== null) {
        showBringIn(desk, open)
        return { ok: true }
      }
      const asked = await client.sessions.bringIn({ sessionId })
      if (!asked.ok) return asked
      if (asked.asks) showBringIn(desk, asked.sessionId)
      else showSession(desk, asked.sessionId)
      return asked
    }),
  )
}

/** Shows the request of a session that brings in the work of another one, by step and hunk. */
export function showBringIn(desk: Desk, sessionId: SessionId): void {
  showSession(desk, sessionId)
  desk.view.setState({ page: 'bring-in' })
}

/** The session that already asks to sign what this session has changed, with the decisions made there. Null if it has changed more since. */
function openRequest(desk: Desk, from: SessionId): SessionId | null {
  const { sessions } = desk.list.getState()
  const asking = whoBringsIn(sessions, from)
  return asking && asking.cursor > (sessions.get(from)?.cursor ?? Infinity) ? asking.sessionId : null
}

/** Merges what has changed in the folder into the layer of a session. */
export function takeOver(desk: Desk, sessionId: SessionId): Promise<void> {
  const taking = attemptRequest(desk, 'Nothing was taken into the layer', (client) => client.sessions.takeOver({ sessionId }))
  return report(desk, taking).finally(() => desk.takeOvers.setState(({ count }) => ({ count: count + 1 })))
}
