import type { AgentContext } from '@agentclientprotocol/sdk'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { App } from '../../compose/app.ts'
import type { FamilyRequest } from '../../subagents/subagent-requests.ts'
import { permissionOf } from './permission.ts'

export interface AskEditorParts {
  readonly app: App
  readonly client: AgentContext
  /** The session that the editor has open. */
  readonly sessionId: SessionId
  /** Its folder. */
  readonly cwd: string
  /** Aborted when the editor no longer takes part. Open requests stay open. */
  readonly signal: AbortSignal
}

/** Asks the editor to sign one request. `id`: the id of the call for the editor. Resolves to false if nobody answered. */
export type AskEditor = (request: FamilyRequest, id: string) => Promise<boolean>

export function createAskEditor({ app, client, sessionId, cwd, signal }: AskEditorParts): AskEditor {
  return async ({ session, call }, id) => {
    const { approvalId, hash } = call.approval
    const permission = permissionOf({ id, call, sessionId, cwd, blobs: app.store.blobs })
    const answered = new AbortController()
    const heard = session.record.subscribe(({ event }) => {
      if (event.kind === 'APPROVAL_ANSWERED' && event.approvalId === approvalId) answered.abort()
    })
    try {
      const { toolCall, options } = permission
      const { outcome } = await client.request(
        'session/request_permission',
        { sessionId, toolCall, options: [...options] },
        { cancellationSignal: answered.signal, stopWaitingOnCancel: true },
      )
      const answer = permission.answerFor(outcome)
      const rules = permission.rulesFor(outcome)
      if (rules.length > 0) app.rules.add(rules, 'you')
      if (answer) await session.answer({ approvalId, hash, answer, from: 'terminal' })
      return answer !== null
    } catch (error) {
      if (answered.signal.aborted || signal.aborted) return true
      const note = `The editor could not ask the developer: ${error instanceof Error ? error.message : String(error)}`
      await session.answer({ approvalId, hash, answer: { kind: 'refuse', note }, from: 'flag' })
      return true
    } finally {
      heard.dispose()
    }
  }
}
