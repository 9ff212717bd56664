import { assertNever } from '../../shared/lib/assert-never.ts'
import { bashSpec, shellSpec } from '../../shared/tools/built-in/shell.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'

export interface ApprovalFacts {
  /** Whether somebody can sign. */
  readonly attended: boolean
  /** The model's name for the tool that presents a plan; null if there is no such tool. */
  readonly presentPlan: string | null
  /** The result of `toolsInCopies`. */
  readonly inCopy: string | null
  /** Whether the session works in a layer in which its commands run. Default: it does not. */
  readonly isInLayer?: boolean
  /** True if no command runs for real in any mode. Default: some commands do. */
  readonly isSandboxRequired?: boolean
}

/**
 * Names of the tools that first run commands in a copy of the project, as in "shell and bash". Null if no copies can be made here or
 * there is no such tool.
 */
export function toolsInCopies(names: readonly string[], canCopy: boolean): string | null {
  const own = names.filter((name) => name === shellSpec.name || name === bashSpec.name)
  return canCopy && own.length > 0 ? own.join(' and ') : null
}

/** Whether the text of a mode depends on `inCopy`. */
export const speaksOfCopies = (mode: ApprovalMode, isSandboxRequired: boolean): boolean => mode !== 'full' || isSandboxRequired

/** Every approval text starts with this mark, so that it can be found in the conversation. */
export const APPROVAL_MARK = 'The approval mode is '

/**
 * Explains a mode to the model. The system prompt contains the text for the session's first mode. A later change is a message at the end
 * of the conversation, so that everything before it is unchanged and remains cached.
 */
export function approvalText(mode: ApprovalMode, facts: ApprovalFacts): string {
  const unattended = facts.attended || mode === 'plan' ? '' : ` ${NOBODY}`
  return `${APPROVAL_MARK}${mode}. ${meaning(mode, facts)}${unattended}`
}

const NOBODY =
  'Nobody is there to sign: a call that needs a signature is refused at once. Do what is possible without one, do not ask questions, and list in your final answer what the developer has to do by hand.'
const ALWAYS =
  'Files that control what runs or which instructions the agent gets, paths outside the project and web requests still wait for a signature.'

const IN_LAYER =
  "You work in a layer over the project, at the project's own path. The project itself changes only when the developer brings your work in. Edits, deletions and commands in the project happen without a signature. Commands run in the layer, also in the background, without network except for hosts that the user allows when a command asks for them. They can write nowhere else except in /tmp and the home folder, of which the layer has its own, and no other tool sees what they write there. Paths outside the project and web requests still wait for a signature."

function meaning(mode: ApprovalMode, facts: ApprovalFacts): string {
  const { inCopy } = facts
  if (facts.isInLayer)
    return mode === 'plan'
      ? `You can read and search in the project, and run commands. Commands that may change something run in a copy, and their changes are dropped. Every edit, command in the background and web request is denied${planning(facts)}`
      : IN_LAYER
  switch (mode) {
    case 'plan':
      return inCopy === null
        ? `You can read and search in the project. Every edit, command and web request is denied${planning(facts)}`
        : `You can read and search in the project, and run commands with ${inCopy}. ${copied(inCopy)} All changes are dropped. Every edit, other command and web request is denied${planning(facts)}`
    case 'ask':
      return inCopy === null
        ? 'Edits, commands and web requests wait for the developer to sign them. Only a command that is known to change nothing runs at once.'
        : `Edits and web requests wait for the developer to sign them, and so do the changes that commands make. ${signedChanges(inCopy, mode, facts)}`
    case 'accept-edits':
    case 'auto':
      return inCopy === null
        ? `Edits of files in the project happen without a signature. Deletions wait for one, and so do commands, except those that are known to change nothing. ${ALWAYS}`
        : `Edits of files in the project happen without a signature, and so do the changes that commands make in it. Deletions by other tools wait for one. ${ALWAYS} ${signedChanges(inCopy, mode, facts)}`
    case 'full':
      return `Edits, deletions and commands happen without a signature, so nobody stops a mistake: be careful with everything that cannot be undone. ${ALWAYS}${inCopy !== null && facts.isSandboxRequired ? ` ${copied(inCopy)} Commands in the background are confined to the project.` : ''}`
    default:
      return assertNever(mode, 'mode')
  }
}

const copied = (tools: string): string =>
  `Commands of ${tools} run in a copy of the project, without network except for hosts that the user allows when a command asks for them, and with everything else read-only; processes that they leave running are stopped. Their /tmp is kept from one command to the next, and no other tool sees it.`

function signedChanges(tools: string, mode: ApprovalMode, { isSandboxRequired = false }: ApprovalFacts): string {
  const background =
    mode === 'auto'
      ? 'run at once, confined to the project: they cannot write elsewhere, and reach only hosts that a rule of the user allows'
      : isSandboxRequired
        ? 'run confined to the project and wait for a signature'
        : 'run outside the copy and wait for a signature'
  return `${copied(tools)} Their output counts. A command that changes nothing needs no signature. Changes to the project are applied or refused after the command has ended. Files written elsewhere, except in /tmp, are lost. Commands in the background ${background}.`
}

function planning({ attended, presentPlan }: ApprovalFacts): string {
  if (presentPlan === null) return '.'
  if (!attended) return '. Nobody is there to agree to a plan, so give it as your final answer.'
  return ` until the developer agrees to a plan. Work out the plan, then present it with ${presentPlan}. If the task is only a question, answer it.`
}
