import { newId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { HookRun } from '../../../shared/session/hooks.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { HookAnswer, HookMoment, Hooks, HooksNow } from '../ports/hooks.ts'
import type { SessionRecord } from '../record/session-record.ts'

/** What a run of hooks is told about the session. `mode`: the one that counts for the call. */
export function nowOf(record: SessionRecord, signal: AbortSignal, mode?: ApprovalMode): HooksNow {
  return { mode: mode ?? record.state().config.mode, signal, turns: () => record.memory().transcript.all() }
}

/** Runs the hooks of a moment that is not about a call, and adds them to the log. Rejects with the signal's reason. */
export async function runAndRecord(record: SessionRecord, hooks: Hooks, moment: HookMoment, signal: AbortSignal): Promise<HookAnswer> {
  const answer = await hooks.run(moment, nowOf(record, signal))
  // The session may have ended meanwhile.
  signal.throwIfAborted()
  recordHooks(record, answer)
  return answer
}

/** Appends the runs to the log, and those that nothing waits for when they end. */
export function recordHooks(record: SessionRecord, { runs, later, title }: HookAnswer): void {
  const append = (some: readonly HookRun[]): void =>
    void (some.length > 0 && record.transact(() => some.map((run) => ({ kind: 'HOOK_RAN', ...run }))))
  append(runs)
  if (title !== '' && title !== record.state().title) record.append({ kind: 'SESSION_RENAMED', name: title })
  // The session may have been closed meanwhile.
  later?.then(append).catch(() => {})
}

/** Adds what hooks say to the model. */
export function tellContext(record: SessionRecord, context: string): void {
  if (context !== '') record.append(spoken(`Context from hooks:\n${context}`))
}

export const spoken = (text: string): DurableEvent => ({ kind: 'STEERING_INJECTED', inputId: newId('in'), text, by: 'loop' })
