import type { SessionId } from '../../../../shared/lib/ids.ts'
import { agentIn } from '../../../state/commands/actions.ts'
import { useOtherAgents } from '../../../state/agents/use-other-agents.ts'
import { useSession } from '../../../state/desk-context.ts'
import type { CompletionOption, CompletionTarget } from './completion-target.ts'

/** The installed third-party agents, for `@` at the start of the message. None in a session in which one of them works. */
export function useAgentOptions(sessionId: SessionId, completing: CompletionTarget | null): readonly CompletionOption[] {
  const hasAgent = useSession(sessionId, ({ config: { where } }) => agentIn(where) !== null || where?.kind === 'bring-in', true)
  const isWanted = !hasAgent && completing?.kind === 'path' && completing.from === 0
  const { found } = useOtherAgents(isWanted)
  if (!isWanted || found === null) return []
  const typed = completing.typed.toLowerCase()
  return found.agents
    .filter(({ id, name, file }) => file !== null && [id, name.toLowerCase()].some((one) => one.startsWith(typed)))
    .map(({ id, name }) => ({
      id: `agent:${id}`,
      used: `agent:${id}`,
      words: `@${id}`,
      about: `${name} works on this in a layer of its own`,
      origin: 'agent',
      text: `@${id} `,
    }))
}
