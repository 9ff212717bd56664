import { byReader, modelOnly, type Reason, type ReasonText, reason } from '../reason.ts'
import { failure, failureWithAdvice, toolError } from '../tool-output.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { Amended } from '../../../shared/session/amendment.ts'
import type { CommandEffect, Effect } from '../../../shared/session/effects.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import { slashCommandSpec } from '../../../shared/tools/built-in/slash-command.ts'
import { otherNamesOf } from '../../../shared/tools/spec/tool-spec.ts'
import { parseArguments } from '../answer/parse-arguments.ts'
import { createSlices } from '../event-loop-slices.ts'
import { type Look, newLook } from '../one-look.ts'
import type { BashState } from '../ports/command-copies.ts'
import type { Verdict } from '../ports/policy.ts'
import type { Prepared, PrepareContext, Tool, ToolOutput, ToolRegistry } from '../ports/tool.ts'

/** A call that is being processed by dispatch. */
export interface RoundCall {
  readonly part: ToolCallPart
  found: FoundCall
  /** What the call's PreToolUse hooks want. Null if nothing. */
  hooked: Hooked | null
  /** Whether the call's PermissionRequest hooks have run. */
  wasRequestHooked: boolean
  /** Null if not prepared yet, because the call depends on what an earlier step does. */
  preparation: Preparation | null
  /** The mode under which the call was judged. */
  mode: ApprovalMode
  /** The bash state that the call passes on once the changes in its copy are applied. Null if no changes are waiting. */
  bashAfter: BashState | null
  /** Whether the call was prepared against the files on disk, not on top of earlier steps that have not run yet. */
  isFresh: boolean
  /** Whether the call has ended, or is running and will end on its own. */
  isOver: boolean
  /** How the call sees files on another machine. */
  readonly look: Look
}

/** A call with an existing tool and valid arguments, or the error that ends it. */
export type FoundCall =
  | { readonly kind: 'found'; readonly tool: Tool; readonly value: unknown }
  | { readonly kind: 'ended'; readonly tool: Tool | null; readonly output: ToolOutput; readonly isBlocked?: boolean }

/** A decision of hooks that the policy must consider. `by`: the command of the hook. */
export interface Hooked {
  readonly decision: 'ask' | 'allow'
  readonly reason: string
  readonly by: string
}

export type Commit = Extract<Prepared, { kind: 'ready' }>['commit']

/** The part of a request that the user signed. `words`: how that part differs from the proposal, for the model. */
export type SignedInPart = Amended & { readonly words: string }

/** What a call would do if it ran now. */
export type Preparation =
  | { readonly kind: 'ended'; readonly outcome: 'failed' | 'barred'; readonly output: ToolOutput }
  /** A command that runs in a copy first. The changes it makes in the copy are judged afterwards. */
  | { readonly kind: 'copy'; readonly effects: readonly [CommandEffect]; readonly commit: Commit }
  /** The call has no effects, so it may run at once. */
  | { readonly kind: 'read'; readonly commit: Commit }
  | {
      readonly kind: 'step'
      readonly effects: readonly Effect[]
      readonly hash: string
      readonly verdict: Exclude<Verdict, { kind: 'deny' }>
      readonly commit: Commit
      /** Commits only the part that was signed. If absent, the effects themselves say what has to be written. */
      readonly commitPart?: (signed: SignedInPart) => Commit
    }

export type Step = Extract<Preparation, { kind: 'step' }>
export type CopyRun = Extract<Preparation, { kind: 'copy' }>
export type Read = Extract<Preparation, { kind: 'read' }>

/** The log and the screen use the tool's own name, whatever name the model used. */
export function roundCall(part: ToolCallPart, stopReason: StopReason, registry: ToolRegistry): RoundCall {
  const found = findCall(part, stopReason, registry)
  const toolName = found.tool?.definition.name ?? part.toolName
  return {
    part: { ...part, toolName },
    found,
    preparation: null,
    hooked: null,
    wasRequestHooked: false,
    mode: 'ask',
    bashAfter: null,
    isFresh: false,
    isOver: false,
    look: newLook(),
  }
}

/** Models that were trained for another agent call its slash command tool even if there are no commands. */
const SLASH_COMMANDS: ReadonlySet<string> = new Set([slashCommandSpec.name, ...otherNamesOf(slashCommandSpec)])
const NO_SLASH_COMMANDS = ' There are no slash commands. Do the work with the tools.'

/** Looks up the tool and validates the arguments. Never throws: every failure ends the call. */
export function findCall(
  { toolName, argsText }: Pick<ToolCallPart, 'toolName' | 'argsText'>,
  stopReason: StopReason,
  registry: ToolRegistry,
): FoundCall {
  const ended = (tool: Tool | null, why: ReasonText, advice?: string): FoundCall => {
    return { kind: 'ended', tool, output: advice === undefined ? failure(why) : failureWithAdvice(why, advice) }
  }
  const parsed = parseArguments(argsText, stopReason)
  const invalid = modelOnly(`Invalid arguments for ${toolName}: `)
  const tool = registry.get(toolName, parsed.ok ? parsed.value : undefined)
  if (!tool) return ended(null, unknownTool(toolName), namesOf(registry))
  if (!parsed.ok) return ended(tool, reason`${invalid}${parsed.failure}`)
  try {
    const valid = tool.validate(parsed.value)
    if (valid.ok) return { kind: 'found', tool, value: valid.value }
    return ended(tool, reason`${invalid}${valid.failure}`, valid.advice)
  } catch (error) {
    return ended(tool, toolError(error))
  }
}

function unknownTool(name: string): Reason {
  const noCommands = SLASH_COMMANDS.has(name) ? NO_SLASH_COMMANDS : ''
  return byReader(`Unknown tool: ${name}.${noCommands}`, 'The agent called a tool that does not exist.')
}

function namesOf(registry: ToolRegistry): string {
  const names = registry.definitions().map(({ name }) => name)
  return names.length > 0 ? `Available tools: ${names.join(', ')}.` : 'There are no tools.'
}

export interface Judge {
  /** The policy's `look`. If left out, effects are judged as the tool states them. */
  look?(effects: readonly Effect[]): Promise<readonly Effect[]>
  judge(effects: readonly Effect[]): Promise<Verdict>
  effectHash(effects: readonly Effect[]): string
  /** The policy's `withExecutedFiles`. If left out, a signature for a command does not depend on files. */
  withExecutedFiles?(effects: readonly Effect[]): Promise<readonly Effect[]>
  /**
   * How a command runs: first in a copy, confined, or in the session's layer. Null if it runs as the user would run it. `confine` and
   * `inLayer` wrap the command's commit so that it runs that way.
   */
  sandboxFor?(command: CommandEffect): Promise<CommandEffect['sandbox'] | null>
  confine?(commit: Commit): Commit
  inLayer?(commit: Commit, command: CommandEffect): Commit
  /** Whether commands in copies find this folder, although it does not exist on the machine. */
  keeps?(folder: string): Promise<boolean>
}

/** Prepares a call without changing anything on disk. Rejects only with the signal's reason. Any other error ends the call. */
export async function prepareCall(found: FoundCall, context: PrepareContext, by: Judge): Promise<Preparation> {
  const { look } = by
  if (found.kind === 'ended') return { kind: 'ended', outcome: found.isBlocked ? 'barred' : 'failed', output: found.output }
  const prepared = await preparedBy(found, context)
  if (prepared.kind === 'rejected') return { kind: 'ended', outcome: 'failed', output: prepared.output }
  const lost = await lostFolder(prepared.effects, context)
  if (lost !== null) return { kind: 'ended', outcome: 'failed', output: failure(lost) }
  const commit: Commit = (run) => prepared.commit(run)
  if (prepared.effects.length === 0) return { kind: 'read', commit }
  const effects = (await look?.(prepared.effects)) ?? prepared.effects
  const [command, ...others] = effects
  const sandbox = command?.kind === 'command' && others.length === 0 ? await by.sandboxFor?.(command) : null
  if (command?.kind !== 'command' || !sandbox) return judged(effects, commit, by)
  const limited = { ...command, sandbox }
  if (sandbox === 'confined') return judged([limited], by.confine?.(commit) ?? commit, by)
  if (sandbox === 'layer') return judged([limited], by.inLayer?.(commit, limited) ?? commit, by)
  if (command.way === 'shell' && (await context.env.stat(command.cwd)) === null && !(await by.keeps?.(command.cwd))) {
    const gone = `The command was not run: the folder ${command.cwd} no longer exists. Pass a working_dir that exists.`
    return { kind: 'ended', outcome: 'failed', output: failure(gone) }
  }
  const blocked = await judged([limited], commit, by)
  return blocked.kind === 'ended' ? blocked : { kind: 'copy', effects: [limited], commit }
}

/**
 * Judges the effects. Returns the step, or the end of the call if the step is not allowed. `untouched`: what the model then reads about what
 * happened.
 */
export async function judged(
  effects: readonly Effect[],
  commit: Commit,
  by: Judge,
  untouched = 'Nothing was executed.',
): Promise<Preparation> {
  // With thousands of effects, each of these steps takes some 10 ms.
  const slice = createSlices()
  const verdict = await by.judge(effects)
  await slice()
  switch (verdict.kind) {
    case 'deny': {
      const why = verdict.advice === undefined ? verdict.reason : reason`${verdict.reason} ${modelOnly(verdict.advice)}`
      return { kind: 'ended', outcome: 'barred', output: failure(reason`${why} ${untouched}`) }
    }
    case 'allow':
    case 'ask': {
      const toSign = verdict.kind === 'ask' ? ((await by.withExecutedFiles?.(effects)) ?? effects) : effects
      const hash = by.effectHash(toSign)
      await slice()
      return { kind: 'step', effects: toSign, hash, verdict, commit }
    }
    default:
      return assertNever(verdict, 'verdict')
  }
}

async function preparedBy({ tool, value }: Extract<FoundCall, { kind: 'found' }>, context: PrepareContext): Promise<Prepared> {
  try {
    return await tool.prepare(value, context)
  } catch (error) {
    context.signal.throwIfAborted()
    return rejected(failure(toolError(error)))
  }
}

/**
 * A command whose folder is gone fails here, before anyone signs it. A command in a persistent shell fails only if the project folder is
 * gone.
 */
async function lostFolder(effects: readonly Effect[], { env }: PrepareContext): Promise<string | null> {
  for (const effect of effects) {
    if (effect.kind !== 'command') continue
    try {
      if ((await env.stat(effect.cwd)) === null && effect.way !== 'shell')
        return `The command was not run: the folder ${effect.cwd} does not exist. Run it in a folder that exists.`
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ESTALE') return `The command was not run. ${error.message}`
    }
  }
  return null
}

const rejected = (output: ToolOutput): Prepared => ({ kind: 'rejected', output })
