import { ApprovalId, newId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { SessionRecord } from '../record/record.ts'
import { covers } from './while-unsaved.ts'
import type { RoundCall } from './round-call.ts'
import { whyAnew } from './why-anew.ts'

/**
 * Brings the requests for signatures into line with what is prepared now, in one transaction: asks for what is not asked yet, takes back
 * what is no longer what would be done, and lets stand what still is (C10: an answer is bound to exactly this).
 */
export function askForSignatures(record: SessionRecord, calls: readonly RoundCall[]): void {
  // A call that has just ended by itself may still have its request standing.
  const pending = calls.filter((call) => !call.isOver || record.call(call.part.toolCallId)?.status === 'waiting')
  if (pending.some((call) => requestFor(record, call).length > 0))
    record.transact(() => pending.flatMap((call) => requestFor(record, call)))
}

function requestFor(record: SessionRecord, { part, preparation }: RoundCall): readonly DurableEvent[] {
  const { toolCallId, toolName } = part
  const item = record.call(toolCallId)
  // A refusal ends the call, whatever it would do by now.
  if (item?.status === 'refused') return []
  const isAsked = preparation?.kind === 'step' && preparation.verdict.kind === 'ask'
  const isOpen = item?.status === 'waiting' || item?.status === 'signed'
  if (isAsked && isOpen && item.approval && covers(item.approval.hash, preparation.hash)) return []
  const events: DurableEvent[] = []
  if (item?.status === 'waiting' && item.approval) {
    const { approvalId } = item.approval
    events.push({ kind: 'APPROVAL_ANSWERED', approvalId, toolCallId, answer: { kind: 'withdrawn', why: 'superseded' } })
  }
  if (preparation?.kind === 'step' && preparation.verdict.kind === 'ask') {
    const { effects, hash, verdict } = preparation
    const { destructive } = verdict
    const anew = whyAnew(item, effects)
    const reason = anew === null ? verdict.reason : `${anew} ${verdict.reason}`
    const approvalId = ApprovalId.parse(newId('ap'))
    events.push({ kind: 'APPROVAL_REQUESTED', approvalId, toolCallId, toolName, effects, hash, reason, destructive })
  }
  return events
}
