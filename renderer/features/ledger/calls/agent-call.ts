import type { SessionSummary } from '../../../../shared/api/sessions.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { JsonValue } from '../../../../shared/session/content.ts'
import { titleOfRequest } from '../../../../shared/session/session-title.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import type { SubagentDetails } from '../../../../shared/tools/subagents.ts'
import { type AgentSummary, isAgent } from '../../../state/views/families.ts'

const AGENT_TOOLS: ReadonlySet<string> = new Set(['task', 'spawn_agent', 'send_input', 'wait', 'close_agent'])

/** A step by which a session deals with a subagent. */
export const isAgentCall = ({ toolName }: CallItem): boolean => AGENT_TOOLS.has(toolName)

/** Those of them that send one. */
export const LENDS: ReadonlySet<string> = new Set(['task', 'spawn_agent'])

/** The words of such a step: what is done, with which agent, and what about: a task or message in a few words. */
export interface AgentWords {
  readonly verb: string
  readonly agent: string
  readonly about: string
}

export function agentWords(call: CallItem, agent: AgentSummary | null): AgentWords {
  const text = (name: string): string => textOf(call.args?.[name])
  const asked = text('agent_type') || (call.toolName === 'spawn_agent' ? 'code' : '')
  const kind = agent?.parent.agentType ?? detailsOf(call)?.agentType ?? asked
  const name = kind === '' ? 'an agent' : LENDS.has(call.toolName) ? article(`${kind} agent`) : `the ${kind} agent`
  return {
    verb: VERBS[call.toolName] ?? call.toolName,
    agent: name,
    about: titleOfRequest({ text: text('description') || text('prompt') || text('task') || text('message') }),
  }
}

const VERBS: Readonly<Record<string, string>> = {
  task: 'Start',
  spawn_agent: 'Start',
  send_input: 'Tell',
  wait: 'Wait for',
  close_agent: 'Close',
}

/** Which subagent a step is about: it says so itself, or the subagent says which step made it. */
export function agentOf(sessions: ReadonlyMap<SessionId, SessionSummary>, sessionId: SessionId, call: CallItem): AgentSummary | null {
  const named = detailsOf(call)?.agentId ?? textOf(call.args?.['agent_id'])
  const agent = sessions.get(named as SessionId)
  if (agent && isAgent(agent)) return agent
  for (const one of sessions.values())
    if (isAgent(one) && one.parent.sessionId === sessionId && one.parent.toolCallId === call.toolCallId) return one
  return null
}

/** What the subagent said: as it is, or out of the answer that a step about it has got. */
export function resultOf(call: CallItem): string {
  if (call.toolName === 'task' || call.isError) return call.output
  try {
    const told: unknown = JSON.parse(call.output)
    const output: unknown = typeof told === 'object' && told !== null && 'output' in told ? told.output : ''
    return typeof output === 'string' ? output : ''
  } catch {
    return call.output
  }
}

export function detailsOf({ details }: CallItem): SubagentDetails | null {
  const isOne = typeof details === 'object' && details !== null && 'agentId' in details
  return isOne ? (details as unknown as SubagentDetails) : null
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

const article = (words: string): string => `${/^[aeiou]/iu.test(words) ? 'an' : 'a'} ${words}`
