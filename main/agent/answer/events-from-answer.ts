import { freeId, type ToolCallId } from '../../../shared/lib/ids.ts'
import { addUsage, type ContentPart, tokensOf, type ToolCallPart, type Usage } from '../../../shared/session/content.ts'
import type { DurableEvent, SessionConfigured } from '../../../shared/session/events.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { type Arguments, parseArguments } from './parse-arguments.ts'
import { modelOnly, type Reason, reason } from '../reason.ts'
import type { Model } from '../ports/model.ts'
import type { ModelAnswer } from '../ports/provider.ts'
import { mayRunCalls } from '../turn-troubles.ts'

type Turn = Extract<DurableEvent, { kind: 'ASSISTANT_TURN' }>

export interface AnswerFacts {
  readonly config: SessionConfigured
  readonly state: SessionState
  readonly model: Model
  /** Number of context tokens after the previous answer. 0 for the first answer. */
  readonly contextBefore: number
  isKnownCall(toolCallId: string): boolean
  /** Returns a call with the tool's own names for the tool and its arguments, whatever names the model used. */
  canonicalCall(toolName: string, args: Arguments | null): { readonly toolName: string; readonly args: Arguments | null }
}

/** Percent of the context window at which a warning is recorded. */
const WARN_AT = 80

/**
 * The events of a complete answer, appended together: its parts, its cost, the start of each call, and the end of calls that will not
 * run.
 */
export function answerEvents(answer: ModelAnswer, facts: AnswerFacts): readonly [DurableEvent, ...DurableEvent[]] {
  const { parts, repeated } = withOwnIds(answer.parts, facts.isKnownCall)
  const calls = parts.filter((part) => part.kind === 'tool_call')
  const starts = calls.map((call): DurableEvent => {
    const { toolCallId, toolName } = call
    const args = parseArguments(call.argsText, answer.stopReason)
    return { kind: 'TOOL_CALL_START', toolCallId, ...facts.canonicalCall(toolName, args.ok ? args.value : null) }
  })
  return [
    turn({ ...answer, parts }, facts.config, true),
    usageEvent(answer.usage, facts),
    ...contextWarning(answer.usage, facts),
    ...starts,
    ...(mayRunCalls(answer.stopReason)
      ? calls.filter(({ toolCallId }) => repeated.has(toolCallId)).map((call) => notRun(call, TWIN))
      : calls.map((call) => notRun(call, NOT_WHOLE))),
  ]
}

/**
 * The events of an answer that broke off or could not be processed. The answer is stored and shown, but its calls are never executed and
 * it is not sent back to the model.
 */
export function brokenAnswerEvents(partial: ModelAnswer, facts: Omit<AnswerFacts, 'canonicalCall'>): readonly DurableEvent[] {
  const { parts } = withOwnIds(partial.parts, facts.isKnownCall)
  const spent = tokensOf(partial.usage) > 0
  return [
    ...(parts.length > 0 ? [turn({ ...partial, parts }, facts.config, false)] : []),
    ...(spent ? [usageEvent(partial.usage, facts)] : []),
  ]
}

function turn({ parts, stopReason, responseId, usage }: ModelAnswer, { provider, model }: SessionConfigured, complete: boolean): Turn {
  return { kind: 'ASSISTANT_TURN', provider, model, parts, stopReason, responseId, usage, complete }
}

/** The event with the cost of a request and the total cost so far. */
export function usageEvent(
  usage: Usage,
  { state, model }: { readonly state: Pick<SessionState, 'usage' | 'costUsd'>; readonly model: Pick<Model, 'cost'> },
): Extract<DurableEvent, { kind: 'USAGE' }> {
  const cost = model.cost(usage)
  const isFirst = state.costUsd === null && tokensOf(state.usage) === 0
  const before = isFirst ? 0 : state.costUsd
  return {
    kind: 'USAGE',
    turn: usage,
    total: addUsage(state.usage, usage),
    // A sum with an unknown part is unknown.
    costUsd: before === null || cost === null ? null : before + cost,
  }
}

function contextWarning(usage: Usage, { model, contextBefore }: AnswerFacts): readonly DurableEvent[] {
  const limit = model.inputLimit ?? model.contextWindow
  if (limit === null) return []
  const percent = (tokens: number): number => (tokens / limit) * 100
  const usagePercent = Math.round(percent(tokensOf(usage)))
  return usagePercent >= WARN_AT && percent(contextBefore) < WARN_AT ? [{ kind: 'CONTEXT_WARNING', usagePercent }] : []
}

/**
 * Replaces missing and repeated call ids, so that call ids are unique within a session. The same new ids are used in the parts that are
 * sent back to the model.
 */
function withOwnIds(parts: readonly ContentPart[], isKnown: (id: string) => boolean) {
  const taken = new Set<string>()
  const repeated = new Set<ToolCallId>()
  const own = (call: ToolCallPart): ToolCallPart => {
    const isTwin = taken.has(call.toolCallId)
    const toolCallId = freeId(call.toolCallId, (id) => taken.has(id) || isKnown(id))
    taken.add(toolCallId)
    if (isTwin) repeated.add(toolCallId)
    return toolCallId === call.toolCallId ? call : { ...call, toolCallId }
  }
  return { parts: parts.map((part) => (part.kind === 'tool_call' ? own(part) : part)), repeated }
}

const TWIN = reason`Two calls of this answer had the same id; the second was not executed. ${modelOnly('Send the second call again if it is still needed.')}`
const NOT_WHOLE = reason`Not executed: the service ended this answer before it was complete, or refused it. ${modelOnly('Send the call again if it is still needed.')}`

function notRun({ toolCallId, toolName }: ToolCallPart, why: Reason): DurableEvent {
  return {
    kind: 'TOOL_CALL_END',
    toolCallId,
    toolName,
    output: why.forPerson,
    outputBlob: null,
    modelText: why.forModel,
    isError: true,
    outcome: 'failed',
    durationMs: 0,
    details: null,
  }
}
