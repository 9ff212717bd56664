import { SUMMARY } from '../../../shared/session/conversation-move.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { planMarkdown } from '../../../shared/workflow/work-plan.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import type { LoggedTurn, Turn } from '../../../shared/session/conversation-turns.ts'
import { abortable } from '../abortable.ts'
import { type AnswerFacts, usageEvent } from '../answer/events-from-answer.ts'
import type { Clock } from '../ports/clock.ts'
import type { Model, RequestWithRetries } from '../ports/model.ts'
import type { ModelRequest } from '../ports/provider.ts'
import type { ToolRegistry } from '../ports/tool.ts'
import { leftOutAfterRefusal } from '../answer/left-out-after-refusal.ts'
import { recordRetries } from '../answer/record-retries.ts'
import { afterCompaction, beforeCompaction, type LoopHooks } from '../hooks/turn-hooks.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { compact, type Compaction } from './compact.ts'
import { compactionForbidden } from '../turn-troubles.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { tokensOf } from '../../../shared/session/content.ts'

export interface RoomParts {
  readonly record: SessionRecord
  readonly clock: Clock
  readonly request: RequestWithRetries
  readonly model: Model
  readonly config: SessionConfigured
  readonly asked: Omit<ModelRequest, 'turns'>
  readonly registry: ToolRegistry
  readonly facts: AnswerFacts
  /** Returns these turns as they are sent to the service. */
  shown(turns: readonly LoggedTurn[]): readonly Turn[]
  /** Reads the project's memory file. If left out, there is no memory file. */
  memory?(): Promise<string>
  /** Whether a user can sign edits of the memory file. If so, a compaction may propose notes for it. Default: false. */
  readonly proposesNotes?: boolean
  readonly hooks?: LoopHooks | undefined
}

/** Number of context tokens of the next request: the service's last count plus an estimate of what was added since. */
export function nextContext(record: SessionRecord): number {
  const { tally, transcript } = record.memory()
  const turns = transcript.turns()
  const answered = turns.findLastIndex((turn: LoggedTurn) => turn.kind === 'assistant')
  return tally.context() + (tally.madeRoom() ? 0 : estimateTokens(turns.slice(answered + 1)))
}

/** Maximum number of tokens in a request. Null if unknown. */
export function inputLimitOf({ inputLimit, contextWindow }: Pick<Model, 'inputLimit' | 'contextWindow'>): number | null {
  return inputLimit ?? contextWindow
}

/**
 * Whether the next request would fill at least `percent` of the model's window or, if the user has undone a compaction, all of it. Always
 * false if nothing is known or assumed about the window.
 */
export function isFull(record: SessionRecord, model: Model, percent: number): boolean {
  const { tally } = record.memory()
  const limit = inputLimitOf(model)
  if (percent === 0 || limit === null || tally.madeRoom() || tally.mayNotCompact()) return false
  return nextContext(record) >= (limit * (tally.isUndone() ? 100 : percent)) / 100
}

/** `instructions`: what the user wants the summary to keep. Empty if nothing special. */
type Reason = { readonly why: 'threshold' | 'overflow' } | { readonly why: 'manual'; readonly instructions: string }

/**
 * Compacts the conversation, and records the compaction and the cost of the summary. If a hook forbids compacting, the ledger shows the
 * hook's reason.
 */
export async function makeRoom(parts: RoomParts, reason: Reason, signal: AbortSignal): Promise<Compaction['kind'] | 'forbidden' | Failed> {
  const { record, clock, facts } = parts
  const { tally } = record.memory()
  const { why, instructions } = { instructions: '', ...reason }
  // The user may ask again after a hook forbade a compaction.
  if (why !== 'manual' && tally.mayNotCompact()) return 'forbidden'
  const hooks = parts.hooks && { record, ...parts.hooks }
  const about = { trigger: why === 'manual' ? 'manual' : 'auto', instructions } as const
  const forbidden = hooks ? await abortable(beforeCompaction(hooks, about, signal), signal) : null
  if (forbidden !== null) {
    record.append({ kind: 'WARNING', trouble: compactionForbidden(forbidden, why) })
    return 'forbidden'
  }
  const memory = parts.memory ? await abortable(parts.memory(), signal) : ''
  record.publish({ kind: 'PROGRESS', waitingFor: SUMMARY, sinceMs: clock.now(), untilMs: null })
  const made = await compactWithoutRefused(parts, { why, instructions, memory }, signal)
  switch (made.kind) {
    case 'compacted':
      record.append(usageEvent(made.answer.usage, { ...facts, state: record.state() }), made.event)
      if (hooks) await abortable(afterCompaction(hooks, signal), signal)
      return 'compacted'
    case 'failed':
      return made
    case 'nothing':
      return 'nothing'
  }
}

interface Wish {
  readonly why: Reason['why']
  readonly instructions: string
  readonly memory: string
}

/** Asks for the summary, and again without what the service refused. Records the cost of requests that failed. */
async function compactWithoutRefused(parts: RoomParts, wish: Wish, signal: AbortSignal): Promise<Compaction> {
  const { record, request, model, config, registry, facts } = parts
  const { transcript, tools } = record.memory()
  for (;;) {
    const asked = { ...parts.asked, tools: tools.offered(parts.asked.tools, config) }
    const turns = transcript.turns()
    const made = await compact({
      ...wish,
      model,
      request,
      asked,
      signal,
      shown: parts.shown,
      turns,
      all: transcript.all(),
      tokens: nextContext(record),
      keep: signedPlan(record.state()),
      proposesNotes: parts.proposesNotes === true && record.state().config.mode !== 'plan',
      retries: recordRetries(record, model),
      onNotice: (trouble) => record.append({ kind: 'WARNING', trouble }),
    })
    if (made.kind !== 'failed') return made
    if (tokensOf(made.answer.usage) > 0) record.append(usageEvent(made.answer.usage, { ...facts, state: record.state() }))
    const sent = { turns: parts.shown(turns), tools: asked.tools, registry }
    const leftOut = signal.aborted ? null : leftOutAfterRefusal(made.failure, sent, config)
    if (!leftOut) return made
    record.append(leftOut)
  }
}

/** The plan in progress, with the ids of its steps and the user's condition. */
function signedPlan({ workflow }: SessionState): readonly string[] {
  if (workflow?.stage !== 'executing' || !workflow.approved) return []
  const { plan, condition } = workflow.approved
  return [`The plan that the developer signed:\n${planMarkdown(plan, condition)}`]
}

type Failed = Extract<Compaction, { kind: 'failed' }>
