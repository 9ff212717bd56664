import type { PermissionOption, RequestPermissionOutcome, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { RuleDraft } from '../../../shared/api/rules.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { isLayerWork } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { nextRules } from '../../../shared/rules/next-time-rules.ts'
import type { Question } from '../../../shared/workflow/question.ts'
import type { OpenedSession } from '../../sessions/opened-session.ts'
import { type Blobs, kindOf, locationsOf, proposedDiffs, titleOf, words } from './tool-call-content.ts'

type Given = Parameters<OpenedSession['answer']>[0]

/** A permission request to an editor, and what each answer means. */
export interface Permission {
  readonly toolCall: ToolCallUpdate
  readonly options: readonly PermissionOption[]
  /** The rules to add before the answer is given. Empty if it adds none. */
  rulesFor(outcome: RequestPermissionOutcome): readonly RuleDraft[]
  /** Null if nobody answered. */
  answerFor(outcome: RequestPermissionOutcome): Given['answer'] | null
}

export interface AskedCall {
  /** The id of the call for the editor. */
  readonly id: string
  readonly call: CallItem & { readonly approval: NonNullable<CallItem['approval']> }
  readonly sessionId: SessionId
  /** The folder of the session. */
  readonly cwd: string
  readonly blobs: Blobs
}

const SIGN = 'sign'
const ALWAYS = 'always'
const REFUSE = 'refuse'

/** A request for a signature, as an editor shows it: Sign, Always (a rule of the user's, for this command in this folder) or Refuse. */
export function permissionOf(asked: AskedCall): Permission {
  const { call, sessionId, cwd } = asked
  const question = onlyQuestion(call)
  if (question) return choiceOf(asked, question)
  const isPlan = call.effects.some(({ kind }) => kind === 'mode')
  const hasQuestions = call.effects.some(({ kind }) => kind === 'question')
  const rules = call.approval.destructive || isWorkToSign(call) ? [] : nextRules('project', call, { sessionId, folder: cwd }).rules
  const options: readonly PermissionOption[] = [
    ...(hasQuestions ? [] : [{ optionId: SIGN, kind: 'allow_once', name: isPlan ? 'Sign the plan' : 'Sign' } as const]),
    ...(rules.length > 0 ? [{ optionId: ALWAYS, kind: 'allow_always', name: 'Always, in this folder' } as const] : []),
    { optionId: REFUSE, kind: 'reject_once', name: hasQuestions ? 'Answer in the chat' : 'Refuse' },
  ]
  return {
    toolCall: shown(asked, []),
    options,
    rulesFor: (outcome) => (chosen(outcome) === ALWAYS ? rules : []),
    answerFor(outcome) {
      const option = chosen(outcome)
      if (option === SIGN || option === ALWAYS) return { kind: 'sign' }
      if (option === REFUSE) return { kind: 'refuse', note: hasQuestions ? IN_CHAT : null }
      return null
    },
  }
}

const IN_CHAT = 'The developer answers in the chat. Ask there, as text, and end the turn.'

const chosen = (outcome: RequestPermissionOutcome): string | null => (outcome.outcome === 'selected' ? outcome.optionId : null)

const isWorkToSign = ({ effects }: CallItem): boolean => effects.some((effect) => effect.kind === 'command' && isLayerWork(effect))

/** The question of a request with exactly one single-choice question. Null for any other request. */
function onlyQuestion({ effects }: CallItem): Question | null {
  const questions = effects.flatMap((effect) => (effect.kind === 'question' ? effect.questions : []))
  const [first] = questions
  return first && questions.length === 1 && !first.multiSelect && (first.options ?? []).length > 0 ? first : null
}

/** A question with options: each option is a button. */
function choiceOf(asked: AskedCall, question: Question): Permission {
  const labels = (question.options ?? []).map(({ label }) => label)
  const optionOf = (at: number): string => `option-${at}`
  return {
    toolCall: shown(asked, [question.question]),
    options: [
      ...labels.map((name, at) => ({ optionId: optionOf(at), kind: 'allow_once', name }) as const),
      { optionId: REFUSE, kind: 'reject_once', name: 'Answer in the chat' },
    ],
    rulesFor: () => [],
    answerFor(outcome) {
      const option = chosen(outcome)
      const label = labels.find((_, at) => optionOf(at) === option)
      if (label !== undefined) return { kind: 'sign', reply: { kind: 'answers', answers: [{ chosen: [label], text: '' }] } }
      return option === REFUSE ? { kind: 'refuse', note: IN_CHAT } : null
    },
  }
}

function shown({ id, call, cwd, blobs }: AskedCall, texts: readonly string[]): ToolCallUpdate {
  const { reason, destructive } = call.approval
  const notes = [reason, ...(destructive ? ['This cannot be undone.'] : [])].join(' ')
  return {
    toolCallId: id,
    title: titleOf(call),
    kind: kindOf(call),
    status: 'pending',
    locations: locationsOf(call, cwd),
    rawInput: call.args ?? {},
    content: [...texts.map(words), ...proposedDiffs(call.effects, blobs), words(notes)],
  }
}
