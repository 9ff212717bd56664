import { assertNever } from '../../shared/lib/assert-never.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'

export interface ApprovalFacts {
  /** False: nobody can sign. */
  readonly attended: boolean
  /** The model's name for the tool that presents a plan; null: there is none. */
  readonly presentPlan: string | null
}

/** The start of each of these texts, to find them in a conversation. */
export const APPROVAL_MARK = 'The approval mode is '

/**
 * Explains a mode to the model. The system prompt has the text for the session's first mode. A later change is a message at the end of the
 * conversation, so that everything before it stays the same and cached.
 */
export function approvalText(mode: ApprovalMode, facts: ApprovalFacts): string {
  const unattended = facts.attended || mode === 'plan' ? '' : ` ${NOBODY}`
  return `${APPROVAL_MARK}${mode}. ${meaning(mode, facts)}${unattended}`
}

const NOBODY =
  'Nobody is there to sign: a call that needs a signature is refused at once. Do what is possible without one, do not ask questions, and list in your final answer what the developer has to do by hand.'
const ALWAYS =
  'Files that control what runs or what the agent is told, paths outside the project and web requests still wait for a signature.'

function meaning(mode: ApprovalMode, facts: ApprovalFacts): string {
  switch (mode) {
    case 'plan':
      return `You can read and search in the project. Every edit, command and web request is denied${planning(facts)}`
    case 'ask':
      return 'Edits, commands and web requests wait for the developer to sign them.'
    case 'accept-edits':
    case 'auto':
      return `Edits of files in the project happen without a signature. Deletions and commands wait for one. ${ALWAYS}`
    case 'full':
      return `Edits, deletions and commands happen without a signature, so nobody stops a mistake: be careful with everything that cannot be undone. ${ALWAYS}`
    default:
      return assertNever(mode, 'mode')
  }
}

function planning({ attended, presentPlan }: ApprovalFacts): string {
  if (presentPlan === null) return '.'
  if (!attended) return '. Nobody is there to agree to a plan, so give it as your final answer.'
  return ` until the developer agrees to a plan. Work out the plan, then present it with ${presentPlan}. If the task is only a question, answer it.`
}
