import type { CommandEffect } from '../../shared/session/effects.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Finding } from './command-line/findings.ts'
import { type CommandJudgement, comesBack, isDestructive, judgeCommand } from './command-line/judge-command.ts'
import { MODE_TABLE } from './mode-table.ts'
import { MAX_JUDGED_CHARS } from './command-line/read-command-line.ts'

/** The opinion about one effect. A call gets the strictest opinion of its effects: deny, then ask, then allow. */
export type Opinion =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly reason: string; readonly destructive: boolean }
  | { readonly kind: 'deny'; readonly reason: string }

interface Facts {
  readonly root: string
  readonly home: string | null
  readonly platform?: string
  readonly isSandboxRequired?: boolean
  readonly isLayer?: boolean
}

const ALLOW: Opinion = { kind: 'allow' }
const HOLD = 'The command may delete data that cannot be restored. Hold to sign.'
const NEITHER = 'no command may run for real, and this command can run neither in a copy of the folder nor confined to the folder.'
const NOT_FOR_REAL = `Blocked: with --sandbox require, ${NEITHER}`
const NOT_FOR_REAL_IN_LAYER = `Blocked: in a layer over the project, ${NEITHER}`
const MAY_CHANGE_THE_LAYER = 'Blocked in plan mode: this session works in a layer, in which commands run, and this command may change it.'
const STAYS_OUT = 'If it runs confined, it cannot change existing control files, and new control files are moved out of the folder.'
const NEEDS_SIGNATURE = 'No rule allows this command yet.'

/**
 * Judges a command by its text. In modes that ask about commands, a command with the user's rights passes only if it is proven to only
 * read. In `full`, it passes unless its words contain a place outside the folder or a control file that it may change, a setting that
 * decides what runs later, or something irrecoverable. What a program does internally is not visible in the text. Removals that no
 * signature allows are blocked in every mode. A confined command passes in `auto`, unless its words contain a control file or something
 * that the command deletes. If a sandbox is required, no command runs for real, whatever the mode.
 */
export function commandOpinion(effect: CommandEffect, mode: ApprovalMode, facts: Facts): Opinion {
  const { root, home, platform } = facts
  const judgement = platform === 'win32' ? null : judgeCommand(effect.command, { cwd: effect.cwd, root, home })
  const removing = judgement?.findings.find(({ kind }) => kind === 'removes')
  if (removing) return { kind: 'deny', reason: `Blocked in every mode: the command would remove ${removing.what}.` }
  // Running in a copy is harmless, because the changes are judged separately.
  if (effect.sandbox === 'copy') return ALLOW
  // Its changes stay in the layer, and are judged when they are brought in.
  if (effect.sandbox === 'layer')
    return mode !== 'plan' || onlyReads(effect, judgement) ? ALLOW : { kind: 'deny', reason: MAY_CHANGE_THE_LAYER }
  if (facts.isSandboxRequired && !effect.sandbox) return { kind: 'deny', reason: facts.isLayer ? NOT_FOR_REAL_IN_LAYER : NOT_FOR_REAL }
  const answer = MODE_TABLE[mode][effect.sandbox ?? 'open']
  if (answer === 'deny') return { kind: 'deny', reason: 'Blocked in plan mode, in which commands run only in a copy of the folder.' }
  const destroys = judgement?.findings.some(({ kind }) => kind === 'destroys') === true
  const controlled = judgement && controlFileOf(effect, judgement)
  if (effect.sandbox === 'confined' && answer === 'allow' && !destroys && !controlled) return ALLOW
  const destructive = effect.destructive || isDestructive(judgement)
  const reason = judgement === null ? notUnderstood(effect, platform) : reasonOf(effect, judgement, root, mode)
  if (reason === null && (MODE_TABLE[mode].open === 'allow' || onlyReads(effect, judgement))) return ALLOW
  const sentences = [
    ...(reason !== null ? [reason] : destructive ? [] : [NEEDS_SIGNATURE]),
    ...(controlled && effect.sandbox === 'confined' ? [STAYS_OUT] : []),
    ...(destructive ? [HOLD] : []),
  ]
  return { kind: 'ask', reason: sentences.join(' '), destructive }
}

/** Whether the text of the command proves that it only reads. */
export function isProvenReader(effect: CommandEffect, { root, home, platform }: Facts): boolean {
  return platform !== 'win32' && onlyReads(effect, judgeCommand(effect.command, { cwd: effect.cwd, root, home }))
}

const onlyReads = ({ way, env }: CommandEffect, judgement: CommandJudgement | null): boolean =>
  judgement?.reads === true && way !== 'background' && Object.keys(env).length === 0

function notUnderstood({ command }: CommandEffect, platform: string | undefined): string {
  if (platform === 'win32') return 'Commands for this shell cannot be checked.'
  if (command.length > MAX_JUDGED_CHARS) return `The command has ${command.length} characters, which is too many to check.`
  return 'The command alone does not show which programs it runs.'
}

/** Why the command needs a signature in every mode. Null if there is no reason. */
function reasonOf(effect: CommandEffect, judgement: CommandJudgement, root: string, mode: ApprovalMode): string | null {
  if (effect.outside && !comesBack(judgement, root)) return `The command runs in ${effect.cwd}, outside the folder.`
  const find = (kind: Finding['kind']): Finding | undefined => judgement.findings.find((each) => each.kind === kind)
  const named = find('control')
  const steered = named ? undefined : find('steers')
  if (steered) return controlReason(`The command sets ${steered.what}, which`)
  const written = controlFileOf(effect, judgement)
  if (written !== undefined) return controlReason(`The command may write ${written}, which`)
  const [really] = effect.reaches?.filter(({ isRead }) => mode !== 'full' || !isRead) ?? []
  if (really) return `The command reaches ${really.shown}, which is outside the folder or contains secrets.`
  const [program] = mode === 'full' ? [] : (effect.starts ?? [])
  if (program !== undefined) return `git may start a program that is set in ${program}.`
  const [planted] = mode === 'full' ? [] : (effect.programsInFolder ?? [])
  if (planted !== undefined) return `PATH finds ${planted} first, which is in the folder, so the agent may have written it.`
  const outside = find('outside')
  if (outside && find('destroys')) return 'The command may delete files outside the folder.'
  if (outside)
    return outside.what === ''
      ? 'The command writes to a path that cannot be determined.'
      : `The command may change ${outside.what}, which is outside the folder.`
  return judgement.findings.some(({ kind, what }) => kind === 'destroys' && what === '') ? NEEDS_SIGNATURE : null
}

/** A control file that the command's words contain, or that the command reaches through a link. Undefined if there is none. */
const controlFileOf = ({ reaches }: CommandEffect, { findings }: CommandJudgement): string | undefined =>
  findings.find(({ kind }) => kind === 'control')?.what ?? reaches?.find(({ control }) => control)?.shown

export function controlReason(subject: string): string {
  return `${subject} controls what runs or which instructions the agent gets, so it needs your signature in every mode.`
}
