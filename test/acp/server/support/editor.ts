import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk'
import { expect, onTestFinished } from 'vitest'

/** `withdrawn`: aborted when the agent no longer waits for the answer. */
export type Answer = (
  asked: RequestPermissionRequest,
  withdrawn: AbortSignal,
) => RequestPermissionResponse | Promise<RequestPermissionResponse>

/** Chooses the option of this kind. */
export const choose =
  (kind: 'allow_once' | 'allow_always' | 'reject_once'): Answer =>
  ({ options }) => {
    const option = options.find((one) => one.kind === kind)
    return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } }
  }

export interface Editor {
  readonly connection: ClientConnection
  readonly agent: ClientConnection['agent']
  /** All updates so far, of all sessions. */
  readonly updates: readonly SessionNotification[]
  readonly asked: readonly RequestPermissionRequest[]
  /** The updates of one kind. */
  ofKind<K extends SessionUpdate['sessionUpdate']>(kind: K): readonly Extract<SessionUpdate, { sessionUpdate: K }>[]
  /** The agent's text so far. */
  text(): string
  /** Resolves as soon as the condition is true. */
  until(fits: () => boolean): Promise<void>
  initialize(capabilities?: ClientCapabilities): ReturnType<ClientConnection['agent']['request']>
}

/** An editor that uses the client of the protocol's SDK. `answer` answers every request for permission. */
export function openEditor(stream: Stream, answer: Answer = choose('allow_once')): Editor {
  const updates: SessionNotification[] = []
  const asked: RequestPermissionRequest[] = []
  const connection = client({ name: 'test-editor' })
    .onNotification('session/update', ({ params }) => void updates.push(params))
    .onRequest('session/request_permission', ({ params, signal }) => {
      asked.push(params)
      return answer(params, signal)
    })
    .connect(stream)
  onTestFinished(() => connection.close())
  const { agent } = connection
  return {
    connection,
    agent,
    updates,
    asked,
    ofKind: <K extends SessionUpdate['sessionUpdate']>(kind: K) =>
      updates.flatMap(({ update }) => (update.sessionUpdate === kind ? [update as Extract<SessionUpdate, { sessionUpdate: K }>] : [])),
    text: () =>
      updates
        .map(({ update }) => (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : ''))
        .join(''),
    until: (fits) => expect.poll(fits, { timeout: 30_000 }).toBe(true),
    initialize: (clientCapabilities = {}) =>
      agent.request('initialize', { protocolVersion: 1, clientCapabilities, clientInfo: { name: 'test-editor', version: '1' } }),
  }
}
