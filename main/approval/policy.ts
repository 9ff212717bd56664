import { assertNever } from '../../shared/lib/assert-never.ts'
import type { CommandEffect, Effect } from '../../shared/session/effects.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Policy, Verdict } from '../agent/ports/policy.ts'
import { type CommandJudgement, HARMLESS } from './command-judgement.ts'
import { reckonsWithUntold } from './arithmetic.ts'
import { commandParts } from './command-parts.ts'
import { withNotes } from './part-notes.ts'
import type { CommandPlace } from './operand-place.ts'
import { type Disk, reachedFiles } from './reached-files.ts'
import { comesBack, filesWritten, judgeCommand, MOST_CHARS } from './judge-command.ts'

export interface PolicyFacts {
  /** Real path of the workspace folder. */
  readonly root: string
  /** Null where there is none. */
  readonly home: string | null
  /** Absent: nothing is looked up, and only the words of a command count. */
  readonly disk?: Disk
}

/** What one effect amounts to; the strictest of a call decides: deny, then ask, then allow. */
type Opinion =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly reason: string; readonly destructive: boolean }
  | { readonly kind: 'deny'; readonly reason: string }

const ALLOW: Opinion = { kind: 'allow' }

/**
 * The five modes over effects (DESIGN §6, D-38, D-40). A call without effects (it reads inside the folder) always passes.
 * `plan` bars every effect but its own end; `ask` lets nothing else pass; `accept-edits` lets writes inside the folder pass; `auto` is the same until
 * commands can be understood or confined; `full` lets all inside the folder pass, and every command in whose words nothing else is found.
 * In every mode control files, what lies outside, requests of web tools and unknown effects are asked for, and what would ruin the
 * folder or the machine is barred. Of edits, reads and requests that is what they do. Of commands it is what their words say, and where
 * the files that they name as written really lie; a file that the words do not tell counts as outside, a program that they do not tell
 * as one that may do anything. What a program does by itself (a script, a build, a download, an upload) is not seen: in mode `full` a
 * command may use the network unasked, and no mode confines it.
 */
export function createPolicy(facts: PolicyFacts): Policy {
  return {
    judge(effects, mode) {
      const moves = movesIn(effects)
      return verdict(
        effects.map((effect) => opinion(effect, deedOf(effect, moves), mode, facts)),
        mode,
      )
    },
    look: (effects) => Promise.all(effects.map((effect) => looked(effect, facts))),
  }
}

const commandPlace = ({ cwd, way }: CommandEffect, { root, home }: PolicyFacts): CommandPlace => ({
  cwd,
  root,
  home,
  lasts: way === 'shell',
})

async function looked(effect: Effect, { root, home, disk }: PolicyFacts): Promise<Effect> {
  if (effect.kind !== 'command') return effect
  const place = commandPlace(effect, { root, home })
  const parts = withNotes(commandParts(effect.command), place)
  const shown = parts.length > 0 ? { ...effect, parts } : effect
  if (!disk) return shown
  const reaches = await reachedFiles(filesWritten(effect.command, place), root, disk)
  return reaches.length > 0 ? { ...shown, reaches } : shown
}

function verdict(opinions: readonly Opinion[], mode: ApprovalMode): Verdict {
  const barred = opinions.filter((each) => each.kind === 'deny')
  if (barred.length > 0) return { kind: 'deny', reason: sentences(barred.map((each) => each.reason)) }
  const asked = opinions.filter((each) => each.kind === 'ask')
  if (asked.length === 0) return { kind: 'allow', by: { kind: 'mode', mode } }
  return { kind: 'ask', reason: sentences(asked.map((each) => each.reason)), destructive: asked.some((each) => each.destructive) }
}

function sentences(reasons: readonly string[]): string {
  return [...new Set(reasons)].join(' ')
}

/** What both halves of a move are called, by the path of each. */
function movesIn(effects: readonly Effect[]): ReadonlyMap<string, string> {
  return new Map(
    effects.flatMap((effect) => {
      if (effect.kind !== 'write' || !effect.movedFrom) return []
      const deed = `the move of ${effect.movedFrom.shown} to ${effect.shown}`
      return [[effect.path, deed] as const, [effect.movedFrom.path, deed] as const]
    }),
  )
}

function opinion(effect: Effect, deed: string, mode: ApprovalMode, facts: PolicyFacts): Opinion {
  const judgement = effect.kind === 'command' ? judgeCommand(effect.command, commandPlace(effect, facts)) : HARMLESS
  if (judgement.ruins !== null) return { kind: 'deny', reason: `Blocked in every mode: the command would remove ${judgement.ruins}.` }
  if (mode === 'plan' && effect.kind !== 'mode') return { kind: 'deny', reason: `Blocked, because mode plan changes nothing: ${deed}.` }
  const reason = askOf(effect, deed, mode, judgement, facts)
  if (reason === null) return ALLOW
  const destructive = judgement.destructive || (effect.kind === 'command' && effect.destructive)
  return { kind: 'ask', reason: destructive ? `${reason} ${HOLD}` : reason, destructive }
}

const HOLD = 'It may delete data that cannot be restored. Hold to sign.'

/** Why this effect is asked for; null: it passes. */
function askOf(effect: Effect, deed: string, mode: ApprovalMode, judgement: CommandJudgement, facts: PolicyFacts): string | null {
  switch (effect.kind) {
    case 'write':
    case 'delete':
      return pathReason(effect) ?? (passes(effect.kind, mode) ? null : needsSignature(deed))
    case 'read':
      return pathReason(effect)
    case 'command':
      return commandReason(effect, judgement, facts) ?? (mode === 'full' ? null : needsSignature(deed))
    case 'network':
      return `It reaches ${effect.host} over the network.${effect.mentioned === false ? ' Nobody but the model named this address.' : ''}`
    case 'mode':
      return `After signing, the agent leaves mode plan and works in mode ${effect.to}.`
    case 'unknown':
      return 'Its effects cannot be shown in advance.'
    default:
      return assertNever(effect, 'effect')
  }
}

function commandReason(effect: CommandEffect, { beyond, control, destructive }: CommandJudgement, facts: PolicyFacts): string | null {
  if (effect.outside && !comesBack(effect.command, commandPlace(effect, facts))) return `It runs in ${effect.cwd}, outside the folder.`
  if (control !== null) return controlReason(`It writes ${control}, which`)
  const really = effect.reaches?.find((file) => file.control) ?? effect.reaches?.[0]
  if (really?.control) return controlReason(`It writes ${really.shown}, which`)
  if (really) return `It writes ${really.shown}, which lies outside the folder.`
  if (!beyond) return null
  if (effect.command.length > MOST_CHARS) return `It has ${effect.command.length} characters, too many to be checked.`
  if (!destructive && reckonsWithUntold(effect.command))
    return 'Its arithmetic uses command output or file content, which could run another command.'
  return destructive ? 'It may delete files outside the folder.' : 'It writes outside the folder, or to a path that cannot be determined.'
}

function controlReason(subject: string): string {
  return `${subject} controls what runs or what the agent is told, so it needs your signature in every mode.`
}

function pathReason(effect: Extract<Effect, { readonly path: string }>): string | null {
  if (effect.control && effect.kind !== 'read') return controlReason(effect.shown)
  return effect.outside ? `${effect.shown} lies outside the folder.` : null
}

function passes(kind: 'write' | 'delete', mode: ApprovalMode): boolean {
  switch (mode) {
    case 'plan':
    case 'ask':
      return false
    case 'accept-edits':
    case 'auto':
      return kind === 'write'
    case 'full':
      return true
    default:
      return assertNever(mode, 'mode')
  }
}

function needsSignature(deed: string): string {
  return `${deed} needs your signature.`.replace(/^./u, (first) => first.toUpperCase())
}

function deedOf(effect: Effect, moves: ReadonlyMap<string, string>): string {
  switch (effect.kind) {
    case 'write':
      return moves.get(effect.path) ?? (effect.before === null ? `the new file ${effect.shown}` : `a change to ${effect.shown}`)
    case 'delete':
      return moves.get(effect.path) ?? `the removal of ${effect.shown}`
    case 'command':
      return 'a command'
    case 'read':
      return `a look at ${effect.shown}, outside the folder`
    case 'network':
      return `a request to ${effect.host}`
    case 'mode':
      return 'the end of mode plan'
    case 'unknown':
      return 'a step whose effects cannot be shown'
    default:
      return assertNever(effect, 'effect')
  }
}
