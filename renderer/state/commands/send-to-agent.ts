import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Desk } from '../desk.ts'
import { agentIn, showSession } from './actions.ts'
import { attemptRequest } from './attempt-request.ts'
import { leaveEmpty } from './layer-actions.ts'

interface CalledAgent {
  readonly agent: string
  /** The message without the name of the agent. */
  readonly text: string
}

/** The installed third-party agent that a message begins with, as in `@codex …`. Null if there is none, or if one works in the session. */
export async function calledAgent(desk: Desk, sessionId: SessionId, message: string): Promise<CalledAgent | null> {
  const [, name, text] = /^@([\w.-]+)\s+(\S.*)$/su.exec(message) ?? []
  const session = desk.list.getState().sessions.get(sessionId)
  if (name === undefined || text === undefined || !session || agentIn(session.config.where) !== null) return null
  const found = await desk.connection.client?.agents.list({}).catch(() => null)
  const agent = found?.agents.find(({ id, file }) => id === name && file !== null)
  return agent ? { agent: agent.id, text } : null
}

interface Message {
  readonly inputId: string
  readonly text: string
  readonly pictures: readonly BlobHash[]
}

/** Sends a message to a third-party agent in a new session beside the folder of this session, and shows it. */
export function sendToAgent(desk: Desk, sessionId: SessionId, agent: string, message: Message): Promise<Trouble | null> {
  const from = desk.list.getState().sessions.get(sessionId)
  return attemptRequest(desk, 'The message was not sent', async (client) => {
    const created = await client.sessions.create({ folder: from?.folder ?? '', isBeside: true, agent })
    if (!created.ok) return created
    const sent = await client.sessions.send({
      sessionId: created.sessionId,
      ...message,
      pictures: [...message.pictures],
      comments: [],
      delivery: 'queue',
    })
    if (sent.ok) {
      showSession(desk, created.sessionId)
      if (from?.title === '') void leaveEmpty(desk, sessionId, created.sessionId)
    }
    return sent
  })
}
