import type { ApprovalId } from '../../shared/lib/ids.ts'
import type { AnswerOutcome } from '../../shared/api/approvals.ts'
import type { ApprovalAnswer, DurableEvent } from '../../shared/session/events.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { ARMED_AFTER_MS } from '../../shared/session/arming.ts'
import type { Clock } from './ports/clock.ts'
import type { SessionRecord } from './record/record.ts'

export interface GivenAnswer {
  readonly approvalId: ApprovalId
  /** The hash of the request that was shown; the answer counts only for that. */
  readonly hash: string
  readonly answer: { readonly kind: 'sign' } | { readonly kind: 'refuse'; readonly note: string | null }
  /**
   * Who answers. A `window` must have shown the request for 300 ms; a `terminal` has a person who typed the answer; a `flag` is an answer
   * given on the command line.
   */
  readonly from: 'window' | 'terminal' | 'flag'
}

export interface Approvals {
  /** Reports that the whole request is on a screen of this process; time counts from the first report. */
  shown(approvalId: ApprovalId): { readonly armsInMs: number }
  /** The first answer wins. A late, repeated, unarmed or mismatched answer changes nothing, and the outcome says why. */
  answer(given: GivenAnswer): AnswerOutcome
}

/** Works on any record, so a process that only follows a session can answer too. */
export function createApprovals(record: SessionRecord, clock: Pick<Clock, 'elapsed'>): Approvals {
  const shownAt = new Map<ApprovalId, number>()
  const armsIn = (approvalId: ApprovalId): number => {
    const since = shownAt.get(approvalId)
    return since === undefined ? ARMED_AFTER_MS : Math.max(0, Math.ceil(since + ARMED_AFTER_MS - clock.elapsed()))
  }
  const judge = (given: GivenAnswer): AnswerOutcome => {
    const { approvalId } = given
    const item = record.state().items.findLast((one): one is CallItem => one.kind === 'call' && one.approval?.approvalId === approvalId)
    if (!item?.approval) return ignored(fateOf(record, approvalId))
    if (item.approval.answer) return ignored(item.approval.answer.kind === 'withdrawn' ? 'withdrawn' : 'answered')
    if (item.approval.hash !== given.hash) return ignored('hash_differs')
    if (given.from === 'window' && armsIn(approvalId) > 0) return ignored('too_early')
    return { kind: 'accepted' }
  }
  return {
    shown(approvalId) {
      if (!shownAt.has(approvalId)) shownAt.set(approvalId, clock.elapsed())
      return { armsInMs: armsIn(approvalId) }
    },
    answer(given) {
      let outcome: AnswerOutcome = ignored('unknown')
      record.transact(() => {
        outcome = judge(given)
        return outcome.kind === 'accepted' ? [answered(record, given)] : []
      })
      if (outcome.kind === 'accepted') shownAt.delete(given.approvalId)
      return outcome
    },
  }
}

function answered(record: SessionRecord, { approvalId, answer, from }: GivenAnswer): DurableEvent {
  const item = record.state().items.findLast((one): one is CallItem => one.kind === 'call' && one.approval?.approvalId === approvalId)
  if (!item) throw new Error(`There is no request ${approvalId}.`)
  const by = from === 'flag' ? 'flag' : 'person'
  const said: ApprovalAnswer = answer.kind === 'sign' ? { kind: 'signed' } : { kind: 'refused', note: answer.note, by }
  return { kind: 'APPROVAL_ANSWERED', approvalId, toolCallId: item.toolCallId, answer: said }
}

/** Replaced requests, and those of ended calls, exist only in the log. */
function fateOf(record: SessionRecord, approvalId: ApprovalId): 'unknown' | 'answered' | 'withdrawn' {
  let fate: 'unknown' | 'answered' | 'withdrawn' = 'unknown'
  for (const { event } of record.read({ slimTo: Number.MAX_SAFE_INTEGER })) {
    if (event.kind === 'APPROVAL_REQUESTED' && event.approvalId === approvalId) fate = 'withdrawn'
    if (event.kind === 'APPROVAL_ANSWERED' && event.approvalId === approvalId && event.answer.kind !== 'withdrawn') fate = 'answered'
  }
  return fate
}

type Why = Extract<AnswerOutcome, { kind: 'ignored' }>['why']

const MESSAGES: Readonly<Record<Why, string>> = {
  unknown: 'There is no such request.',
  answered: 'It has been answered already; the first answer counts.',
  withdrawn: 'The request was withdrawn: the turn was stopped, or what it asked for has changed.',
  hash_differs: 'This is not what is asked for now; look at the request again.',
  too_early: 'The request has not been on the screen for long enough.',
  not_running_here: 'This session runs in another process.',
}

function ignored(why: Why): AnswerOutcome {
  return { kind: 'ignored', why, message: MESSAGES[why] }
}
