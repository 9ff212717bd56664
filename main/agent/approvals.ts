import type { ApprovalId } from '../../shared/lib/ids.ts'
import type { AnswerOutcome } from '../../shared/api/approvals.ts'
import type { Amendment } from '../../shared/session/amendment.ts'
import type { ApprovalAnswer, DurableEvent } from '../../shared/session/events.ts'
import { type Effect, isLayerWork, mayConfine } from '../../shared/session/effects.ts'
import { answersFlaw } from '../../shared/workflow/question.ts'
import type { SignatureReply } from '../../shared/workflow/signature-reply.ts'
import { isOutsidePlan } from '../../shared/session/fold/outside-plan.ts'
import type { CallItem } from '../../shared/session/state.ts'
import { ANSWER_DELAY_MS } from '../../shared/session/answer-delay.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Amending } from './ports/amending.ts'
import type { Clock } from './ports/clock.ts'
import type { SessionRecord } from './record/session-record.ts'

export interface GivenAnswer {
  readonly approvalId: ApprovalId
  /** The hash of the request that was shown. The answer counts only for that request. */
  readonly hash: string
  /** `amendments`: what the user signs in place of the whole request, either a part of it or changed text. */
  readonly answer:
    | { readonly kind: 'sign'; readonly amendments?: readonly Amendment[] | undefined; readonly reply?: SignatureReply | undefined }
    /** `later`: amendments that refuse everything except what the user decides later. If absent, everything is refused. */
    | { readonly kind: 'refuse'; readonly note: string | null; readonly later?: readonly Amendment[] | undefined }
    /** For changes that a command made in its copy: discards the changes and asks the user whether to run the command for real. */
    | { readonly kind: 'run_for_real' }
    /** For a command that would run for real: asks the user again, this time about running it confined to the folder. */
    | { readonly kind: 'run_confined' }
  /**
   * Who answers. A `window` must have shown the request for 300 ms. A `terminal` is a user or a host
   * program that gave the answer. A `flag` stands for nobody: no answer was given, so the request is refused.
   */
  readonly from: 'window' | 'terminal' | 'flag'
}

export interface Approvals {
  /**
   * Reports that the whole request is visible on a screen of this process. The delay before it can be signed counts from the first report.
   */
  shown(approvalId: ApprovalId): { readonly armsInMs: number }
  /**
   * The first answer wins. An answer that is late, repeated, too early or mismatched changes nothing, and its outcome has the reason in
   * `why`.
   */
  answer(given: GivenAnswer): AnswerOutcome
  /** The same if the answer can be stored. Otherwise throws `StorageError`, and nothing has happened. */
  answerStored(given: GivenAnswer): AnswerOutcome
}

/** Works with the record of any session, so a process that only follows the session can answer requests too. */
export function createApprovals(record: SessionRecord, clock: Pick<Clock, 'elapsed'>, amending: Pick<Amending, 'amend'>): Approvals {
  const shownAt = new Map<ApprovalId, number>()
  const armsIn = (approvalId: ApprovalId): number => {
    const since = shownAt.get(approvalId)
    return since === undefined ? ANSWER_DELAY_MS : Math.max(0, Math.ceil(since + ANSWER_DELAY_MS - clock.elapsed()))
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
  const answerIn = (transact: SessionRecord['transact'], given: GivenAnswer): AnswerOutcome => {
    let outcome: AnswerOutcome = ignored('unknown')
    transact(() => {
      outcome = judge(given)
      if (outcome.kind !== 'accepted') return []
      const events = answered(record, given, amending)
      if (!events.ok) outcome = ignored('cannot_amend', events.failure)
      return events.ok ? events.value : []
    })
    if (outcome.kind === 'accepted') shownAt.delete(given.approvalId)
    return outcome
  }
  return {
    shown(approvalId) {
      if (!shownAt.has(approvalId)) shownAt.set(approvalId, clock.elapsed())
      return { armsInMs: armsIn(approvalId) }
    },
    answer: (given) => answerIn(record.transact, given),
    answerStored: (given) => answerIn(record.transactStored, given),
  }
}

function answered(
  record: SessionRecord,
  { approvalId, answer, from }: GivenAnswer,
  { amend }: Pick<Amending, 'amend'>,
): Result<readonly DurableEvent[], string> {
  const item = record.state().items.findLast((one): one is CallItem => one.kind === 'call' && one.approval?.approvalId === approvalId)
  if (!item) throw new Error(`There is no request ${approvalId}.`)
  const by = from === 'flag' ? 'flag' : 'person'
  const { toolCallId } = item
  const event = (said: ApprovalAnswer, ...more: readonly DurableEvent[]): Result<readonly DurableEvent[], string> =>
    ok([{ kind: 'APPROVAL_ANSWERED', approvalId, toolCallId, answer: said }, ...more])
  if (answer.kind === 'refuse') {
    const { note, later = [] } = answer
    const rest = later.length === 0 ? null : amend(item.effects, later)
    if (rest && !rest.ok) return failed(rest.failure)
    return event({ kind: 'refused', note, by, ...(rest && { later: rest.value.files.filter((file) => file.later) }) })
  }
  if (answer.kind === 'run_for_real') {
    const [first] = item.effects
    const outcome = first?.kind === 'command' && !isLayerWork(first) ? item.copy?.outcome : null
    if (!outcome?.changeSet) return failed('This request does not contain changes that a command made.')
    const asked = { kind: 'COPY_FAILED', toolCallId, reason: null, mayConfine: false } as const
    return event({ kind: 'withdrawn', why: 'for_real' }, { ...asked, ...(outcome.result && { result: outcome.result }) })
  }
  if (answer.kind === 'run_confined') {
    if (!mayConfine(item.effects))
      return failed(
        'This command cannot be confined: only a command that would run for real, outside the session’s persistent bash, can be.',
      )
    const asked = { kind: 'COPY_FAILED', toolCallId, reason: null, mayConfine: true, isConfined: true } as const
    return event({ kind: 'withdrawn', why: 'confined' }, { ...asked, ...(item.noCopy?.result && { result: item.noCopy.result }) })
  }
  const flaw = replyFlaw(item.effects, answer.reply)
  if (flaw !== null) return failed(flaw)
  const { reply } = answer
  if (!answer.amendments || answer.amendments.length === 0) return event({ kind: 'signed', ...(reply && { reply }) })
  const amended = amend(item.effects, answer.amendments)
  return amended.ok ? event({ kind: 'signed', amended: amended.value, ...(reply && { reply }) }) : failed(amended.failure)
}

/** Why the request cannot be signed with this reply, as a sentence. Null if it can. */
function replyFlaw(effects: readonly Effect[], reply: SignatureReply | undefined): string | null {
  const asked = effects.find((effect) => effect.kind === 'question')
  // An MCP server's request to open a page has no questions.
  if (asked?.questions.length === 0 && !reply) return null
  if (asked) return reply?.kind === 'answers' ? answersFlaw(asked.questions, reply.answers) : 'The questions need answers.'
  if (effects.some((effect) => effect.kind === 'mode' && effect.document)) {
    if (reply && reply.kind !== 'plan') return 'This request is about a plan.'
    return reply && new Set(reply.plan.steps.map(({ id }) => id)).size < reply.plan.steps.length ? 'Two steps have the same id.' : null
  }
  if (reply?.kind === 'add_to_plan') return isOutsidePlan(effects) ? null : 'This request does nothing outside the plan.'
  return reply === undefined ? null : 'This request does not ask for answers.'
}

/** The state no longer contains requests that were replaced or whose call has ended, so this searches the log. */
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
  answered: 'The request has been answered already; the first answer is used.',
  withdrawn: 'The request was withdrawn: the turn was stopped, or what it asked for has changed.',
  hash_differs: 'The request has changed since it was shown; look at it again.',
  too_early: 'The request has not been on the screen for long enough.',
  not_running_here: 'This session runs in another process.',
  cannot_amend: 'This request cannot be signed with those changes.',
}

function ignored(why: Why, message: string = MESSAGES[why]): AnswerOutcome {
  return { kind: 'ignored', why, message }
}
