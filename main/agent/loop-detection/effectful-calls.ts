import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { sendInputSpec, spawnAgentSpec, taskSpec } from '../../../shared/tools/built-in/subagents.ts'

/**
 * Tools that start or continue a subagent. A successful call of one counts as work, because the subagent's changes are in the subagent's
 * own log.
 */
const SUBAGENT_TOOLS: readonly string[] = [taskSpec, spawnAgentSpec, sendInputSpec].map(({ name }) => name)

/** Finds the calls that may have changed something, including commands, whose changes are unknown. */
export interface EffectfulCalls {
  /** Returns the call that had an effect according to this event. Null if there is none. */
  add(event: DurableEvent): ToolCallId | null
}

export function createEffectfulCalls(): EffectfulCalls {
  const begun = new Set<ToolCallId>()
  return {
    add(event) {
      if (event.kind === 'FILES_CHANGED') return event.toolCallId
      if (event.kind === 'TOOL_EXECUTION_START' && event.effects.some(changes)) begun.add(event.toolCallId)
      if (event.kind !== 'TOOL_CALL_END') return null
      const isWork = begun.delete(event.toolCallId) || SUBAGENT_TOOLS.includes(event.toolName)
      return isWork && event.outcome === 'done' ? event.toolCallId : null
    },
  }
}

function changes({ kind }: Effect): boolean {
  return kind !== 'read' && kind !== 'network'
}
