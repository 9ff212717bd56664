import type { SessionId } from '../../../shared/lib/ids.ts'
import { agentIn } from '../commands/actions.ts'
import { attemptRequest, report } from '../commands/attempt-request.ts'
import { useDesk, useSession } from '../desk-context.ts'
import { useAnswer } from '../use-answer.ts'

interface LogOfAgent {
  /** The log that the session's third-party agent keeps itself. Null if there is none, or for Countersign's own agent. */
  readonly path: string | null
  /** Opens it in the user's editor. */
  open(): void
}

/** Looks for the log again when a turn starts or ends. */
export function useAgentLog(sessionId: SessionId): LogOfAgent {
  const desk = useDesk()
  const agent = useSession(sessionId, (session) => agentIn(session.config.where), null)
  const run = useSession(sessionId, (session) => session.run, 'IDLE')
  const { value } = useAnswer(sessionId, agent === null ? null : (client) => client.agents.log({ sessionId }), [run])
  return {
    path: agent === null ? null : (value?.path ?? null),
    open: () =>
      void report(
        desk,
        attemptRequest(desk, 'The log was not opened', (client) => client.agents.openLog({ sessionId })),
      ),
  }
}
