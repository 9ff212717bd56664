import type { ListedOtherAgents } from '../../../shared/agents/other-agents-api.ts'
import { useAnswer } from '../use-answer.ts'

/** Lists the third-party agents on mount and when `look` is called. `found` is null until the first answer. Without `isWanted`, nothing is asked. */
export function useOtherAgents(isWanted = true): { readonly found: ListedOtherAgents | null; readonly look: () => void } {
  const { value, again } = useAnswer(null, isWanted ? (client) => client.agents.list({}) : null)
  return { found: value, look: () => void again() }
}

/** The display name of a third-party agent. Null for Countersign's own agent, whose id is null. */
export function useAgentName(id: string | null): string | null {
  const { found } = useOtherAgents(id !== null)
  return id === null ? null : (found?.agents.find((agent) => agent.id === id)?.name ?? id)
}
