import { ApprovalId, newId } from '../../../shared/lib/ids.ts'
import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { CommandEffect, Effect } from '../../../shared/session/effects.ts'
import type { ApprovalAnswer } from '../../../shared/session/events.ts'
import type { BlockedHost, HostOptions } from '../ports/command-copies.ts'
import type { SessionRecord } from '../record/record.ts'
import { judgedWhileUnsaved } from './approve.ts'
import type { DispatchParts } from './parts.ts'

/** How long a command waits for an answer about a host, ms. After that the host is refused, and the command goes on without it. */
const ANSWER_MS = 120_000

/** The requests for hosts that one command makes while it runs in its copy. */
export interface HostRequests {
  readonly onHost: NonNullable<HostOptions['onHost']>
  /** The hosts that were allowed so far, as `host:port`. */
  readonly allowed: readonly string[]
  /** Withdraws the open request. Call it when the command has ended. */
  close(): Promise<void>
}

/** Mode and rules decide about each host, or the person does. Only one request is open at a time. */
export function hostRequests(
  { toolCallId, toolName }: ToolCallPart,
  command: CommandEffect,
  record: SessionRecord,
  parts: DispatchParts,
  signal: AbortSignal,
): HostRequests {
  const over = new AbortController()
  const ends = AbortSignal.any([signal, over.signal])
  const allowed: string[] = []
  let last: Promise<unknown> = Promise.resolve()
  const decide = async ({ host, port }: BlockedHost): Promise<boolean> => {
    const effects: readonly Effect[] = [command, { kind: 'network', url: `${host}:${port}`, host }]
    for (;;) {
      if (ends.aborted) return false
      const { mode } = record.state().config
      const verdict = judgedWhileUnsaved(parts.policy.judge(effects, mode), record.trouble())
      if (verdict.kind !== 'ask') return verdict.kind === 'allow'
      const approvalId = ApprovalId.parse(newId('ap'))
      const { reason, destructive } = verdict
      const hash = parts.effectHash(effects)
      record.append({ kind: 'APPROVAL_REQUESTED', approvalId, toolCallId, toolName, effects, hash, reason, destructive })
      const answer = await answerTo(approvalId, mode)
      if (answer.kind === 'withdrawn') record.append({ kind: 'APPROVAL_ANSWERED', approvalId, toolCallId, answer })
      if (answer.kind !== 'withdrawn' || answer.why !== 'superseded') return answer.kind === 'signed'
    }
  }
  /** Superseded: the mode has changed, so the host is judged again. */
  const answerTo = async (approvalId: ApprovalId, mode: string): Promise<ApprovalAnswer> => {
    const found = (): ApprovalAnswer | null => {
      const approval = record.call(toolCallId)?.approval
      if (approval?.approvalId !== approvalId) return { kind: 'withdrawn', why: 'stopped' }
      return approval.answer ?? (record.state().config.mode === mode ? null : { kind: 'withdrawn', why: 'superseded' })
    }
    const done = new AbortController()
    const timeout = parts.clock.sleep(ANSWER_MS, AbortSignal.any([ends, done.signal])).then((): ApprovalAnswer => TIMED_OUT)
    try {
      return await Promise.race([record.until(found, AbortSignal.any([ends, done.signal])), timeout])
    } catch (error) {
      if (!ends.aborted) throw error
      return { kind: 'withdrawn', why: 'stopped' }
    } finally {
      done.abort('answered')
      await timeout.catch(() => {})
    }
  }
  return {
    onHost(asked) {
      const decided = last.then(() => decide(asked))
      last = decided.catch(() => {})
      return decided.then((may) => {
        if (may) allowed.push(`${asked.host}:${asked.port}`)
        return may
      })
    },
    get allowed() {
      return [...new Set(allowed)]
    },
    async close() {
      over.abort('ended')
      await last
    },
  }
}

const TIMED_OUT = { kind: 'withdrawn', why: 'timed_out' } as const
