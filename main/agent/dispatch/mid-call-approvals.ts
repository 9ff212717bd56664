import { ApprovalId, newId } from '../../../shared/lib/ids.ts'
import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { ApprovalAnswer } from '../../../shared/session/events.ts'
import { notifyHooks } from '../hooks/call-hooks.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { StorageError } from '../storage-error.ts'
import { judgedWhileUnsaved } from './signatures.ts'
import type { DispatchParts } from './dispatch-parts.ts'

/** Requests that a call makes while it runs. */
export interface MidCallApprovals {
  /**
   * The mode and the rules allow or deny the effects, or leave the decision to the user. Requests are opened one at a time, in order.
   * `waitMs`: how long to wait for an answer. Null means as long as the call runs.
   */
  ask(effects: readonly Effect[], waitMs: number | null): Promise<MidCallAnswer>
  /** Withdraws the open request. Call it when the call has ended. */
  close(): Promise<void>
}

type MidCallAnswer = ApprovalAnswer | { readonly kind: 'allowed' } | { readonly kind: 'denied' }

export function midCallApprovals(
  { toolCallId, toolName }: ToolCallPart,
  record: SessionRecord,
  parts: DispatchParts,
  signal: AbortSignal,
): MidCallApprovals {
  const over = new AbortController()
  const ends = AbortSignal.any([signal, over.signal])
  let last: Promise<unknown> = Promise.resolve()
  const decide = async (effects: readonly Effect[], waitMs: number | null): Promise<MidCallAnswer> => {
    for (;;) {
      await record.settled()
      if (ends.aborted) return STOPPED
      const { mode } = record.state().config
      const verdict = judgedWhileUnsaved(parts.policy.judge(effects, mode), record.trouble())
      if (verdict.kind !== 'ask') return { kind: verdict.kind === 'allow' ? 'allowed' : 'denied' }
      const approvalId = ApprovalId.parse(newId('ap'))
      const { reason, destructive } = verdict
      const hash = parts.effectHash(effects)
      record.append({ kind: 'APPROVAL_REQUESTED', approvalId, toolCallId, toolName, effects, hash, reason, destructive })
      notifyHooks([{ effects }], record, parts, signal)
      const answer = await answerTo(approvalId, mode, waitMs)
      if (answer.kind === 'withdrawn') record.append({ kind: 'APPROVAL_ANSWERED', approvalId, toolCallId, answer })
      if (answer.kind === 'signed' && !(await isSaved())) continue
      if (answer.kind !== 'withdrawn' || answer.why !== 'superseded') return answer
    }
  }
  /** Whether the signature is on the disk. If it cannot be saved, the user is asked again, and the new request says so. */
  const isSaved = (): Promise<boolean> =>
    record.onDisk().then(
      () => true,
      (error: unknown) => {
        if (error instanceof StorageError) return false
        throw error
      },
    )
  /** `superseded` means that the mode has changed and the request is judged again. */
  const answerTo = async (approvalId: ApprovalId, mode: string, waitMs: number | null): Promise<ApprovalAnswer> => {
    const found = (): ApprovalAnswer | null => {
      const approval = record.call(toolCallId)?.approval
      if (approval?.approvalId !== approvalId) return STOPPED
      return approval.answer ?? (record.state().config.mode === mode ? null : { kind: 'withdrawn', why: 'superseded' })
    }
    const done = new AbortController()
    const until = AbortSignal.any([ends, done.signal])
    const timeout = waitMs === null ? null : parts.clock.sleep(waitMs, until).then((): ApprovalAnswer => TIMED_OUT)
    try {
      return await Promise.race([record.until(found, until), ...(timeout ? [timeout] : [])])
    } catch (error) {
      if (!ends.aborted) throw error
      return STOPPED
    } finally {
      done.abort('answered')
      await timeout?.catch(() => {})
    }
  }
  return {
    ask(effects, waitMs) {
      const decided = last.then(() => decide(effects, waitMs))
      last = decided.catch(() => {})
      return decided
    },
    async close() {
      over.abort('ended')
      await last
    },
  }
}

const STOPPED = { kind: 'withdrawn', why: 'stopped' } as const
const TIMED_OUT = { kind: 'withdrawn', why: 'timed_out' } as const
