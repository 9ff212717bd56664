import { newId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { HookRun } from '../../../shared/session/hooks.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { addUsage } from '../../../shared/session/content.ts'
import { usageEvent } from '../answer/events-from-answer.ts'
import type { HookAnswer, HookCost, HookMoment, Hooks, HooksNow } from '../ports/hooks.ts'
import type { SessionRecord } from '../record/session-record.ts'

/** What hooks learn about the session. `mode`: the mode that applies to the call. */
export function nowOf(record: SessionRecord, signal: AbortSignal, mode?: ApprovalMode): HooksNow {
  const { config } = record.state()
  return { mode: mode ?? config.mode, model: config, signal, turns: () => record.memory().transcript.all() }
}

/** Runs the hooks of an event that does not concern a call, and adds the runs to the log. Rejects with the signal's reason. */
export async function runAndRecord(record: SessionRecord, hooks: Hooks, moment: HookMoment, signal: AbortSignal): Promise<HookAnswer> {
  const answer = await hooks.run(moment, nowOf(record, signal))
  // The session may have ended in the meantime.
  signal.throwIfAborted()
  recordHooks(record, answer)
  return answer
}

/** Appends the runs to the log. Runs that nothing waits for are appended when they end. */
export function recordHooks(record: SessionRecord, { runs, later, spent, title }: HookAnswer): void {
  if (spent.length > 0) record.transact(() => [costEvent(spent, record.state())])
  const append = (some: readonly HookRun[]): void =>
    void (some.length > 0 && record.transact(() => some.map((run) => ({ kind: 'HOOK_RAN', ...run }))))
  append(runs)
  if (title !== '' && title !== record.state().title) record.append({ kind: 'SESSION_RENAMED', name: title })
  // The session may have been closed in the meantime.
  later?.then(append).catch(() => {})
}

function costEvent(spent: readonly HookCost[], state: SessionState): DurableEvent {
  const { usage, costUsd } = spent.reduce((sum, one) => ({
    usage: addUsage(sum.usage, one.usage),
    costUsd: sum.costUsd === null || one.costUsd === null ? null : sum.costUsd + one.costUsd,
  }))
  return { ...usageEvent(usage, { state, model: { cost: () => costUsd } }), beside: true }
}

/** Adds text from hooks, which is meant for the model, to the conversation. */
export function tellContext(record: SessionRecord, context: string): void {
  if (context !== '') record.append(spoken(`Context from hooks:\n${context}`))
}

export const spoken = (text: string): DurableEvent => ({ kind: 'STEERING_INJECTED', inputId: newId('in'), text, by: 'loop' })
