import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { Effect } from '../../../shared/session/effects.ts'

/** What these change stands in a log of its own. */
const LENT: readonly string[] = ['task', 'spawn_agent', 'send_input']

/** Finds the calls after which something may be another than before: commands too, of which nobody knows what they wrote. */
export interface RealWork {
  /** The call of which this event says so; null: of none. */
  add(event: DurableEvent): ToolCallId | null
}

export function createRealWork(): RealWork {
  const begun = new Set<ToolCallId>()
  return {
    add(event) {
      if (event.kind === 'FILES_CHANGED') return event.toolCallId
      if (event.kind === 'TOOL_EXECUTION_START' && event.effects.some(changes)) begun.add(event.toolCallId)
      if (event.kind !== 'TOOL_CALL_END') return null
      const isWork = begun.delete(event.toolCallId) || LENT.includes(event.toolName)
      return isWork && event.outcome === 'done' ? event.toolCallId : null
    },
  }
}

function changes({ kind }: Effect): boolean {
  return kind !== 'read' && kind !== 'network'
}
