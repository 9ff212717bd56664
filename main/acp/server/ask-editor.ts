import type { AgentContext } from '@agentclientprotocol/sdk'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
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
  /** Aborted when the editor has disconnected or closed the session. Open requests stay open. */
  readonly signal: AbortSignal
  /** Shows a sentence in the editor. */
  say(text: string): Promise<void>
}

/**
 * `answered`: the request is decided or was withdrawn, and its call goes on. `nobody`: the editor gave no answer. `ignored`: its answer
 * changed nothing, and the editor has been told why.
 */
type EditorAnswer = 'answered' | 'nobody' | 'ignored'

/**
 * Asks the editor to sign one request. `id`: the id of the call for the editor. When `cancelled` aborts, the editor's dialog is closed, and
 * the request stays open.
 */
export type AskEditor = (request: FamilyRequest, id: string, cancelled?: AbortSignal) => Promise<EditorAnswer>

export function createAskEditor({ app, client, sessionId, cwd, signal, say }: AskEditorParts): AskEditor {
  return async ({ session, call }, id, cancelled) => {
    const { approvalId, hash } = call.approval
    const permission = permissionOf({ id, call, sessionId, cwd, blobs: app.store.blobs })
    const over = new AbortController()
    const isPending = (): boolean =>
      pendingCalls(session.record.state()).some(({ approval }) => approval?.approvalId === approvalId && !approval.answer)
    // A request can also end without an answer: when its call ends, or when a new request replaces it.
    const heard = session.record.subscribe(() => {
      if (!isPending()) over.abort()
    })
    const give = async (given: Pick<Parameters<FamilyRequest['session']['answer']>[0], 'answer' | 'from'>): Promise<EditorAnswer> => {
      const outcome = await session.answer({ approvalId, hash, ...given })
      if (outcome.kind === 'accepted') return 'answered'
      await say(outcome.message)
      return 'ignored'
    }
    const cancellationSignal = cancelled ? AbortSignal.any([over.signal, cancelled]) : over.signal
    try {
      cancellationSignal.throwIfAborted()
      const { toolCall, options } = permission
      const { outcome } = await client.request(
        'session/request_permission',
        { sessionId, toolCall, options: [...options] },
        { cancellationSignal, stopWaitingOnCancel: true },
      )
      const answer = permission.answerFor(outcome)
      if (answer === null) return 'nobody'
      const rules = permission.rulesFor(outcome)
      if (rules.length > 0) app.rules.add(rules, 'you')
      return await give({ answer, from: 'terminal' })
    } catch (error) {
      if (over.signal.aborted || signal.aborted) return 'answered'
      if (cancelled?.aborted) return 'nobody'
      const note = `The editor could not ask the developer: ${error instanceof Error ? error.message : String(error)}`
      return await give({ answer: { kind: 'refuse', note }, from: 'flag' })
    } finally {
      heard.dispose()
    }
  }
}
