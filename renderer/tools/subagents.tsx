import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { textArgument } from '../../shared/tools/spec/call-line.ts'
import { subagentDetails, subagentLine, taskSpec } from '../../shared/tools/built-in/subagents.ts'
import { type AgentSummary, isAgent } from '../state/views/session-families.ts'

/** The words for a call to a subagent: the action, the subagent, and a short form of its task or message. */
export interface AgentWords {
  readonly verb: string
  readonly agent: string
  readonly about: string
}

/** `agentType` is the type of the call's subagent, or null if it is not known. */
export function agentWords(call: CallItem, agentType: string | null): AgentWords {
  const { verb, subjects, message = '' } = subagentLine(call, agentType ?? subagentDetails(call)?.agentType ?? null)
  return { verb, agent: subjects[0] ?? '', about: message }
}

/** The subagent that a call mentions or has started. Null if it is not known. */
export function agentOf(sessions: ReadonlyMap<SessionId, SessionSummary>, sessionId: SessionId, call: CallItem): AgentSummary | null {
  const named = subagentDetails(call)?.agentId ?? textArgument(call, 'agent_id')
  const agent = sessions.get(named as SessionId)
  if (agent && isAgent(agent)) return agent
  for (const one of sessions.values())
    if (isAgent(one) && one.parent.sessionId === sessionId && one.parent.toolCallId === call.toolCallId) return one
  return null
}

/** The subagent's answer. Empty if there is none yet. */
export function resultOf(call: CallItem): string {
  if (call.toolName === taskSpec.name || call.isError) return call.output
  return subagentDetails(call)?.report ?? ''
}
