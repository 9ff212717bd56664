import { hash } from 'node:crypto'
import { sendInputSpec, spawnAgentSpec, taskSpec } from '../../../shared/tools/subagents.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { stableSummary } from './stable-output.ts'
import type { CallSignature } from './loop-detection.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'

type CallEnded = Extract<DurableEvent, { kind: 'TOOL_CALL_END' }>

/** Tells whether a call returned something else than the last time: then repeating it is not a loop. */
export interface ResultChanges {
  add(event: CallEnded, signature: CallSignature): boolean
  forget(): void
}

export function createResultChanges(): ResultChanges {
  const newest = new Map<CallSignature, string>()
  return {
    add(event, signature) {
      const before = newest.get(signature)
      const now = resultOf(event)
      newest.set(signature, now)
      return before !== undefined && before !== now
    },
    forget: () => newest.clear(),
  }
}

/** For a polling call, the time on a clock may be all that changes; for a failure, the time makes no difference. */
function resultOf({ outcome, output, outputBlob, modelText }: CallEnded): string {
  const words = stableSummary(output, outcome === 'done' ? 'kept' : 'left out')
  // Different pictures can have the same text.
  const shown = typeof modelText === 'string' ? null : modelText
  return hash('sha1', JSON.stringify([outcome, words, outputBlob?.hash ?? null, shown]), 'base64')
}

/** What a subagent changes is in its own log. */
const SUBAGENT_TOOLS: readonly string[] = [taskSpec, spawnAgentSpec, sendInputSpec].map(({ name }) => name)

/** Finds the calls that may have changed something, including commands, whose changes are unknown. */
export interface EffectfulCalls {
  /** The call that this event shows to have had an effect; null: none. */
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
