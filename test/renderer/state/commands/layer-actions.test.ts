import { expect, onTestFinished, test } from 'vitest'
import { sendToNewSession } from '../../../../renderer/state/commands/layer-actions.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { Connection } from '../../../../renderer/state/stores/connection.ts'
import type { Done } from '../../../../shared/api/sessions.ts'
import { newId, type SessionId } from '../../../../shared/lib/ids.ts'
import { otherSide, when } from '../support/other-side.ts'

const NEW = 'ses_new' as SessionId
const FULL: Done = { ok: false, trouble: { code: 'queue_full', what: 'The queue is full.', kept: 'The message.', todo: 'Wait.' } }

/** Sends a message to a new session of a main process in which sending and deleting end like this. Null: main fails. */
async function sendTo(ends: { readonly sent: Done | null; readonly deleted: Done | null }) {
  const deleted: SessionId[] = []
  const end = (how: Done | null): Done => {
    if (how === null) throw new Error('Main failed.')
    return how
  }
  const side = otherSide({
    sessions: {
      create: async () => ({ ok: true, sessionId: NEW }),
      send: async () => end(ends.sent),
      async discardEmpty({ sessionId }) {
        deleted.push(sessionId)
        return end(ends.deleted)
      },
    },
  })
  const connection = new Connection(side.open)
  onTestFinished(() => connection.dispose())
  await when(connection.state, ({ kind }) => kind === 'open')
  if (!connection.client) throw new Error('There is no connection.')
  const message = { inputId: newId('i'), text: 'Fix it' }
  const sending = sendToNewSession({} as Desk, connection.client, { folder: '/code' }, message)
  const sent = await sending.catch((error: unknown) => String(error))
  return { sent, deleted }
}

test.each([
  ['is refused', FULL, { ok: true } as const, FULL],
  ['is refused and the session cannot be deleted', FULL, null, FULL],
  ['fails', null, { ok: true } as const, expect.stringContaining('sessions.send failed')],
])(
  'if a message to a new session %s, the empty session is to be deleted, and the sender learns why the message was not sent',
  async (_, sent, deleted, outcome) => {
    expect(await sendTo({ sent, deleted })).toEqual({ sent: outcome, deleted: [NEW] })
  },
)
