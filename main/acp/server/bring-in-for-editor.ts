import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { isIdle, pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { App } from '../../compose/app.ts'
import { bringIn } from '../../layers/bring-in-session.ts'
import { nullOnAbort } from '../../agent/abortable.ts'
import { requestError } from './acp-failure.ts'
import type { AskEditor } from './ask-editor.ts'
import { type ClientAbilities, createSessionUpdates } from './session-updates.ts'

export interface BringInForEditorParts {
  readonly app: App
  /** The session beside the folder that the editor has open. */
  readonly from: SessionId
  readonly abilities: ClientAbilities
  /** Aborted when the editor has disconnected or closed the session. */
  readonly signal: AbortSignal
  /** Aborted when the editor cancels its prompt. */
  readonly cancelled: AbortSignal
  readonly ask: AskEditor
  send(update: SessionUpdate): Promise<void>
}

/**
 * Asks the editor to sign what a session has changed in its layer: one permission with the complete texts of all files. `nothing`: the layer
 * and the folder do not differ. `cancelled`: nobody answered, and the request stays open for the desk. `ignored`: the answer changed
 * nothing, and the editor has been told why.
 *
 * @throws {RequestError} why it cannot be asked
 */
export async function bringInForEditor(parts: BringInForEditorParts): Promise<'answered' | 'nothing' | 'cancelled' | 'ignored'> {
  const { app, from, abilities, signal, cancelled, ask, send } = parts
  // The same request may be open in the desk, so canceling the prompt does not withdraw it.
  const asked = await nullOnAbort(bringIn(app, from, signal), cancelled)
  if (asked === null) return 'cancelled'
  if (!asked.ok) throw requestError(asked.failure)
  if (!asked.value.asks) return 'nothing'
  const { session } = asked.value
  const { sessionId, record } = session
  const lastEnd = record.state().turnEnd?.seq ?? 0
  const [call] = pendingCalls(record.state())
  if (!call?.approval) return 'nothing'
  const updates = createSessionUpdates({ sessionId, cwd: record.state().cwd, blobs: app.store.blobs, abilities }, false)
  const events = [...record.read()].map(({ event }) => event)
  for (const event of events.slice(events.findLastIndex(({ kind }) => kind === 'USER_INPUT')))
    updates.of(event).forEach((one) => void send(one))
  const subscription = record.subscribe(({ event }) => updates.of(event).forEach((one) => void send(one)))
  try {
    const answer = await ask({ session, call: { ...call, approval: call.approval } }, call.toolCallId, cancelled)
    if (answer !== 'answered') return answer === 'nobody' ? 'cancelled' : answer
    // The desk may have replaced the request by a newer one.
    const isOver = (): true | null => (isIdle(record.state()) || (record.state().turnEnd?.seq ?? 0) > lastEnd ? true : null)
    return (await nullOnAbort(record.until(isOver, signal), cancelled)) === null ? 'cancelled' : 'answered'
  } finally {
    subscription.dispose()
  }
}
