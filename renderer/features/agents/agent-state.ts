import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { lineOf, verbOf } from '../../../shared/tools/catalogue.ts'
import { lineText } from '../../../shared/tools/spec/call-line.ts'
import { taskSpec, waitSpec } from '../../../shared/tools/built-in/subagents.ts'
import { reachedLimit } from '../../state/views/session-families.ts'
import { titleOf } from '../../state/views/request-title.ts'
import { isBusy } from '../../state/stores/session-list.ts'

/** The state of a session in the tree of agents: working, waiting for the user, or ended, and how it ended. */
export type AgentState = 'needs' | 'working' | 'orphaned' | 'done' | 'stopped' | 'limit' | 'failed' | 'new'

export function agentStateOf(session: SessionSummary): AgentState {
  if (session.need !== null) return 'needs'
  if (isBusy(session)) return session.running ? 'working' : 'orphaned'
  switch (session.ended) {
    case 'completed':
      return 'done'
    case 'stopped':
      return 'stopped'
    case 'limit':
      return 'limit'
    case 'error':
    case 'interrupted':
      return 'failed'
    case null:
      return session.run === 'CLOSED' ? 'stopped' : 'new'
    default:
      return assertNever(session.ended, 'end')
  }
}

/** Whether the session is working or waiting for the user. */
export const isAtWork = (session: SessionSummary): boolean => ['needs', 'working'].includes(agentStateOf(session))

/** Returns in words how the session ended, or that it is at work or has not started. */
export function endWords(session: SessionSummary): string {
  switch (agentStateOf(session)) {
    case 'needs':
    case 'working':
      return 'at work'
    case 'orphaned':
      return 'its process ended; resume the parent session'
    case 'done':
      return 'done'
    case 'stopped':
      return session.run === 'CLOSED' ? 'closed' : 'stopped'
    case 'failed':
      return session.ended === 'interrupted' ? 'interrupted' : 'failed'
    case 'limit':
      return reachedLimit(session)
    case 'new':
      return 'not started'
  }
}

/** Returns the current activity of a session in a few words. */
export function doingOf(state: SessionState): string {
  const [pending] = pendingCalls(state)
  if (pending) return `waits for you: ${titleOf(pending)}`
  const running = state.items.findLast(
    (item): item is CallItem => item.kind === 'call' && (item.status === 'running' || item.tail !== null),
  )
  if (running) return callWords(running)
  const { live } = state
  if (live?.waitingFor?.retry) return `retries the request: ${live.waitingFor.retry.why}`
  if (live?.call) return `writes ${verbOf(live.call.toolName).toLowerCase()}`
  if (live && live.text !== '') return 'writes an answer'
  if (live && live.thinking !== '') return 'thinks'
  return live?.waitingFor ? `waits for ${live.waitingFor.what}` : 'working'
}

function callWords(call: CallItem): string {
  const type = call.args?.['agent_type']
  if (call.toolName === taskSpec.name || call.toolName === waitSpec.name)
    return typeof type === 'string' ? `waits for the ${type} agent` : 'waits for an agent'
  return lineText({ ...lineOf(call), rest: '' })
}

/** Returns a count such as "2 at work, 1 done, 1 stopped", in this order. Groups without agents are left out. */
export function countWords(sessions: readonly SessionSummary[]): string {
  const counts = Map.groupBy(sessions, (session) => GROUPS[agentStateOf(session)])
  return ['need you', 'at work', 'done', 'stopped', 'at their limit', 'failed']
    .flatMap((words) => {
      const count = counts.get(words)?.length ?? 0
      return count === 0 ? [] : [`${count} ${(count === 1 && ONE[words]) || words}`]
    })
    .join(', ')
}

const ONE: Readonly<Record<string, string>> = { 'need you': 'needs you', 'at their limit': 'at its limit' }

const GROUPS: Readonly<Record<AgentState, string>> = {
  needs: 'need you',
  working: 'at work',
  new: 'at work',
  orphaned: 'stopped',
  done: 'done',
  stopped: 'stopped',
  limit: 'at their limit',
  failed: 'failed',
}
