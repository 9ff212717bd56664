import { assertNever } from '../../shared/lib/assert-never.ts'
import { type CommandEffect, type Effect, runsApart } from '../../shared/session/effects.ts'
import type { Signer } from '../../shared/session/events.ts'
import { isGitRecord } from '../../shared/session/git-change.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Policy, Verdict } from '../agent/ports/policy.ts'
import type { FileView } from '../agent/ports/tool.ts'
import { executedFiles } from './executed-files.ts'
import { type Disk, reachedFiles } from './reached-files.ts'
import { programsInFolder } from './programs-in-folder.ts'
import { programsStartedByGit } from './programs-started-by-git.ts'
import { MODE_TABLE, sandboxFor } from './mode-table.ts'
import { commandOpinion, controlReason, isProvenReader, type Opinion } from './command-opinion.ts'
import { commandParts } from './command-line/command-parts.ts'
import { isDestructive, judgeCommand, needsMoreThanCopy } from './command-line/judge-command.ts'

export interface PolicyFacts {
  /**
   * Whether this is a layer over the folder. Its changes are judged later, before they are brought into the folder. Default: it is the
   * folder itself.
   */
  readonly isLayer?: boolean
  /** Whether commands run in that layer itself, which confines them. Default: they run in copies of it. */
  readonly runsInLayer?: boolean
  /** Real path of the workspace folder. */
  readonly root: string
  /** Null if there is none. */
  readonly home: string | null
  /** The platform as Node calls it. On Windows, commands are for a shell other than bash. If absent, it is not Windows. */
  readonly platform?: string
  /** Whether commands must not run for real. Default: they may. */
  readonly isSandboxRequired?: boolean
  /** If absent, nothing is looked up, and only the text of a command counts. */
  readonly disk?: Disk
  /** The PATH of commands. If absent, the programs of commands are not looked up. */
  readonly commandPath?: () => string | undefined
}

const ALLOW: Opinion = { kind: 'allow' }

/**
 * Judges effects in the five modes, using `MODE_TABLE` for what is inside the folder. A call without effects (it reads inside the folder)
 * always passes. Control files, paths outside, requests of web tools and unknown effects need a signature in every mode except `plan`,
 * which blocks them. Commands are judged by `commandOpinion`.
 */
export function createPolicy(facts: PolicyFacts): Policy {
  return {
    judge(effects, mode) {
      const moves = movesIn(effects)
      const isCopied = effects.some(ranApart)
      const staysInLayer = (effect: Effect): boolean => facts.isLayer === true && mode !== 'plan' && changesFolder(effect)
      return verdict(
        effects.map((effect) =>
          staysInLayer(effect)
            ? ALLOW
            : isCopied && effect.kind !== 'command'
              ? changeOpinion(effect, mode)
              : opinion(effect, deedOf(effect, moves), mode, facts),
        ),
        effects.some((effect) => staysInLayer(effect) || runsInLayer(effect)) ? { kind: 'layer' } : { kind: 'mode', mode },
      )
    },
    sandboxFor(command, mode, tried) {
      const usual = sandboxFor(command, { mode, tried, isRequired: facts.isSandboxRequired === true })
      if (!facts.runsInLayer) return usual
      return mode === 'plan' && usual === 'copy' && !isProvenReader(command, facts) ? 'copy' : 'layer'
    },
    look: (effects) => Promise.all(effects.map((effect) => withFacts(effect, facts))),
    withExecutedFiles: (effects, files) => Promise.all(effects.map((effect) => withExecuted(effect, facts, files))),
  }
}

async function withExecuted(effect: Effect, { disk, platform, ...place }: PolicyFacts, files: FileView): Promise<Effect> {
  if (effect.kind !== 'command' || runsApart(effect) || !disk || platform === 'win32') return effect
  const executes = await executedFiles(effect, place, disk, files)
  return executes.length > 0 ? { ...effect, executes } : effect
}

async function withFacts(effect: Effect, { root, home, disk, platform, commandPath }: PolicyFacts): Promise<Effect> {
  if (effect.kind !== 'command') return effect
  const judgement = platform === 'win32' ? null : judgeCommand(effect.command, { cwd: effect.cwd, root, home })
  const judged = { ...effect, destructive: effect.destructive || isDestructive(judgement) }
  if (judgement === null) return judged
  const parts = commandParts(effect.command, judgement)
  const noCopy = needsMoreThanCopy(judgement)
  const shown = { ...judged, ...(parts.length > 0 && { parts }), ...(noCopy !== null && { noCopy }) }
  if (!disk) return shown
  const path = judgement.reads ? commandPath?.() : undefined
  const [reaches, starts, programs] = await Promise.all([
    reachedFiles(judgement.files, root, disk),
    judgement.reads ? programsStartedByGit(judgement.line, disk) : [],
    path === undefined ? [] : programsInFolder(judgement.line, root, disk, path),
  ])
  return {
    ...shown,
    ...(reaches.length > 0 && { reaches }),
    ...(starts.length > 0 && { starts }),
    ...(programs.length > 0 && { programsInFolder: programs }),
  }
}

function verdict(opinions: readonly Opinion[], by: Signer): Verdict {
  const denied = opinions.filter((each) => each.kind === 'deny')
  if (denied.length > 0) return { kind: 'deny', reason: sentences(denied.map((each) => each.reason)) }
  const asked = opinions.filter((each) => each.kind === 'ask')
  if (asked.length === 0) return { kind: 'allow', by }
  const special = asked.filter(({ reason }) => reason !== PLAIN_CHANGES)
  const reason = sentences((special.length > 0 ? special : asked).map((each) => each.reason))
  return { kind: 'ask', reason, destructive: asked.some((each) => each.destructive) }
}

function sentences(reasons: readonly string[]): string {
  return [...new Set(reasons)].join(' ')
}

/** The description of each move, stored under both its old and its new path. */
function movesIn(effects: readonly Effect[]): ReadonlyMap<string, string> {
  return new Map(
    effects.flatMap((effect) => {
      if (effect.kind !== 'write' || !effect.movedFrom) return []
      const deed = `the move of ${effect.movedFrom.shown} to ${effect.shown}`
      return [[effect.path, deed] as const, [effect.movedFrom.path, deed] as const]
    }),
  )
}

const runsInLayer = (effect: Effect): boolean => effect.kind === 'command' && effect.sandbox === 'layer'

/** Whether the effect changes files inside the folder. */
const changesFolder = (effect: Effect): boolean => 'path' in effect && effect.kind !== 'read' && !effect.outside

const PLAIN_CHANGES = 'Its changes need your signature.'

const ranApart = (effect: Effect): boolean => effect.kind === 'command' && runsApart(effect)

/**
 * The opinion about a change that a command made in its copy, or about a host that a command in a copy wants to reach. Deletions are
 * treated like other changes, because the old bytes are kept.
 */
function changeOpinion(effect: Effect, mode: ApprovalMode): Opinion {
  if (effect.kind === 'network') return { kind: 'ask', reason: `The command wants to reach ${effect.host}.`, destructive: false }
  if ('shown' in effect && isGitRecord(effect.shown))
    return { kind: 'ask', reason: 'This step changes the repository, which needs your signature in every mode.', destructive: false }
  const reason = 'path' in effect ? pathReason(effect) : null
  if (reason !== null) return { kind: 'ask', reason, destructive: false }
  if (effect.kind === 'write' && effect.conflict)
    return {
      kind: 'ask',
      reason: `Someone else changed the same lines of ${effect.shown}. Choose whose lines to keep.`,
      destructive: false,
    }
  return MODE_TABLE[mode].copied === 'allow' ? ALLOW : { kind: 'ask', reason: PLAIN_CHANGES, destructive: false }
}

function opinion(effect: Effect, deed: string, mode: ApprovalMode, facts: PolicyFacts): Opinion {
  if (effect.kind === 'command') return commandOpinion(effect, mode, facts)
  if (mode === 'plan' && effect.kind !== 'mode' && effect.kind !== 'question' && effect.kind !== 'review')
    return { kind: 'deny', reason: `Blocked in plan mode, which allows no changes: ${deed}.` }
  const reason = askOf(effect, deed, mode)
  return reason === null ? ALLOW : { kind: 'ask', reason, destructive: false }
}

/** Why this effect needs a signature. Null if it passes. */
function askOf(effect: Exclude<Effect, CommandEffect>, deed: string, mode: ApprovalMode): string | null {
  switch (effect.kind) {
    case 'write':
    case 'delete':
      return pathReason(effect) ?? (passes(effect.kind, mode) ? null : needsSignature(deed))
    case 'permissions':
    case 'link':
    case 'folder':
      return pathReason(effect) ?? (passes('write', mode) ? null : needsSignature(deed))
    case 'read':
      return pathReason(effect) ?? (mode === 'full' ? null : `${effect.shown} may hold secrets, so reading it needs your signature.`)
    case 'network':
      return `This step reaches ${effect.host} over the network.${effect.mentioned === false ? ' Only the model mentioned this address.' : ''}`
    case 'mode':
      return `If you sign, the agent leaves plan mode and works in ${effect.to} mode.`
    case 'question':
      return effect.from ? `The MCP server ${effect.from.server} asks you something.` : 'The agent asks you something.'
    case 'review':
      return 'Staged review: the agent continues after you review this step.'
    case 'unknown':
      return effect.tool
        ? `${effect.summary} What it does cannot be shown in advance.`
        : 'The effects of this step cannot be shown in advance.'
    default:
      return assertNever(effect, 'effect')
  }
}

function pathReason(effect: Extract<Effect, { readonly path: string }>): string | null {
  if (effect.control && effect.kind !== 'read') return controlReason(effect.shown)
  return effect.outside ? `${effect.shown} is outside the folder.` : null
}

function passes(kind: 'write' | 'delete', mode: ApprovalMode): boolean {
  const { edits, deletions } = MODE_TABLE[mode]
  return (kind === 'write' ? edits : deletions) === 'allow'
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
    case 'permissions':
      return `new permissions of ${effect.shown}`
    case 'link':
      return `the link ${effect.shown}`
    case 'folder':
      return effect.change === 'created' ? `the new folder ${effect.shown}` : `the removal of ${effect.shown}`
    case 'command':
      return 'a command'
    case 'read':
      return `a look at ${effect.shown}, ${effect.outside ? 'outside the folder' : 'which may hold secrets'}`
    case 'network':
      return `a request to ${effect.host}`
    case 'mode':
      return 'the end of plan mode'
    case 'question':
      return 'a question'
    case 'review':
      return 'a review'
    case 'unknown':
      return effect.tool ? `a call of ${effect.tool.name}` : 'a step whose effects cannot be shown'
    default:
      return assertNever(effect, 'effect')
  }
}
