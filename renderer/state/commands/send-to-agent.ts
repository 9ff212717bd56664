import type { SessionId } from '../../../shared/lib/ids.ts'
import type { AppClient } from '../../../shared/api/contract.ts'
import type { Done } from '../../../shared/api/sessions.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import type { Desk } from '../desk.ts'
import { agentIn } from './actions.ts'
import { leaveEmpty, type NewMessage, sendToNewSession } from './layer-actions.ts'

interface CalledAgent {
  readonly agent: string
  /** The message without the name of the agent. */
  readonly text: string
}

/** The installed third-party agent that a message addresses, as in `@codex …`. Null if there is none, or if the session cannot pass it on. */
export async function calledAgent(client: AppClient, config: SessionConfigured | null, message: string): Promise<CalledAgent | null> {
  const [, name, text] = /^@([\w.-]+)\s+(\S.*)$/su.exec(message) ?? []
  if (name === undefined || text === undefined || config === null || !canPassOn(config)) return null
  const { agents } = await client.agents.list({})
  const agent = agents.find(({ id, file }) => id === name && file !== null)
  return agent ? { agent: agent.id, text } : null
}

/** Whether a message in the session can be given to a third-party agent. */
export const canPassOn = ({ where }: SessionConfigured): boolean => agentIn(where) === null && where?.kind !== 'bring-in'

/** Sends a message to a third-party agent in a new session beside the folder of this session, and shows it. */
export async function sendToAgent(
  desk: Desk,
  client: AppClient,
  sessionId: SessionId,
  { agent, ...message }: { readonly agent: string } & Omit<NewMessage, 'commentsOf'>,
): Promise<Done> {
  const from = desk.list.getState().sessions.get(sessionId)
  const sent = await sendToNewSession(
    desk,
    client,
    { folder: from?.folder ?? '', isBeside: true, agent },
    { ...message, commentsOf: sessionId },
  )
  const to = desk.view.getState().sessionId
  if (sent.ok && from?.title === '' && to !== null) void leaveEmpty(desk, sessionId, to)
  return sent
}
