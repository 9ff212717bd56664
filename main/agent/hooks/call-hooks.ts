import { contentText } from '../../../shared/session/content.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { HookRun } from '../../../shared/session/hooks.ts'
import { failure } from '../tool-output.ts'
import type { Verdict } from '../ports/policy.ts'
import type { Tool, ToolOutput } from '../ports/tool.ts'
import { nowOf, recordHooks, tellContext } from './record-hooks.ts'
import type { SessionRecord } from '../record/session-record.ts'
import type { DispatchParts } from '../dispatch/dispatch-parts.ts'
import type { Hooked, RoundCall } from '../dispatch/prepare.ts'

/**
 * Runs the PreToolUse hooks of the calls. A hook whose answer is in the log does not run again. Arguments that a hook changed are validated
 * like those of the model.
 */
export async function hookCalls(
  calls: readonly RoundCall[],
  record: SessionRecord,
  { hooks }: Pick<DispatchParts, 'hooks'>,
  signal: AbortSignal,
): Promise<void> {
  for (const call of calls) {
    if (call.found.kind === 'ended' || endedByStop(call, call.found, record)) continue
    const { toolCallId, toolName } = call.part
    const earlier = record.memory().hooks.of(toolCallId)
    if (earlier.length > 0 || !hooks?.waitFor('PreToolUse')) takeAnswers(call, earlier, record)
    else {
      const args = argsOf(record, toolCallId, call.found.tool)
      const answer = await hooks.run({ event: 'PreToolUse', toolCallId, toolName, args }, nowOf(record, signal))
      recordHooks(record, answer)
      tellContext(record, answer.context)
      takeAnswers(call, answer.runs, record)
    }
  }
}

/** After a restart: uses the hooks' answers from before the restart, and runs no hooks. */
export function recallHooks(calls: readonly RoundCall[], record: SessionRecord): void {
  for (const call of calls)
    if (call.found.kind === 'found' && !endedByStop(call, call.found, record))
      takeAnswers(call, record.memory().hooks.of(call.part.toolCallId), record)
}

/** Ends a call if a hook ended the turn at an earlier call of the same answer, perhaps before a restart. */
function endedByStop(call: RoundCall, found: Found, record: SessionRecord): boolean {
  const { hooks, transcript } = record.memory()
  const stop = hooks.stop()
  if (stop === null || stop.before === null) return false
  const ids = transcript.openRound()?.calls.map(({ toolCallId }) => toolCallId) ?? []
  const from = ids.indexOf(stop.before)
  if (from === -1 || ids.indexOf(call.part.toolCallId) <= from) return false
  end(call, found, stoppedWords(stop.words))
  return true
}

/** The arguments to use, with the tool's own names: those of the last hook that changed them, or the model's if no hook changed them. */
function argsOf(record: SessionRecord, toolCallId: ToolCallId, tool: Tool | null): NonNullable<HookRun['updatedInput']> {
  const changed = record
    .memory()
    .hooks.of(toolCallId)
    .findLast(({ updatedInput }) => updatedInput)
  const input = changed?.updatedInput
  return input ? (tool?.canonicalArguments?.(input) ?? input) : (record.call(toolCallId)?.args ?? {})
}

/** Applies the answers of the call's PreToolUse hooks, then those of its PermissionRequest hooks. */
function takeAnswers(call: RoundCall, runs: readonly HookRun[], record: SessionRecord): void {
  const hasRun = record.call(call.part.toolCallId)?.copy?.outcome !== undefined
  for (const event of ['PreToolUse', 'PermissionRequest'] as const) {
    const of = runs.filter((run) => run.event === event)
    if (event === 'PermissionRequest' && of.length > 0) call.wasRequestHooked = true
    takeDecision(call, of, hasRun && event === 'PermissionRequest')
  }
}

/** `hasRun`: whether the call has already run in a copy, so that it is too late to change its arguments. */
function takeDecision(call: RoundCall, runs: readonly HookRun[], hasRun: boolean): void {
  const said = (...outcomes: readonly HookRun['outcome'][]): HookRun | undefined => runs.find(({ outcome }) => outcomes.includes(outcome))
  const { found } = call
  if (found.kind === 'ended' || runs.length === 0) return
  const blocked = said('blocked')
  if (blocked) return end(call, found, blockedWords(blocked, hasRun))
  const stopped = runs.find(({ stops }) => stops !== undefined)
  if (stopped?.stops !== undefined) return end(call, found, stoppedWords(stopped.stops, hasRun))
  const asked = said('asked', 'failed')
  const decider = asked ?? said('allowed')
  if (decider) call.hooked = { decision: asked ? 'ask' : 'allow', reason: decider.says, by: decider.command }
  const changed = runs.findLast(({ updatedInput }) => updatedInput)
  if (!changed?.updatedInput) return
  if (hasRun)
    call.hooked = {
      decision: 'ask',
      reason: 'The hook set new arguments, but the command has already run in its copy.',
      by: changed.command,
    }
  else takeInput(call, found, changed.updatedInput)
}

const blockedWords = ({ event, says }: Pick<HookRun, 'event' | 'says'>, hasRun: boolean): string =>
  `A hook ${event === 'PreToolUse' ? 'blocked' : 'refused'} this call: ${says} Nothing was ${hasRun ? 'applied' : 'executed'}.`

const stoppedWords = (stop: string, hasRun = false): string =>
  `${hasRun ? 'Its changes were not applied' : 'Not executed'}, because a hook ended the turn: ${stop}`

type Found = Extract<RoundCall['found'], { kind: 'found' }>

function end(call: RoundCall, { tool }: Found, words: string): void {
  call.found = { kind: 'ended', tool, output: failure(words), isBlocked: true }
}

/** Replaces the call's arguments. The new arguments are validated like those of the model. */
function takeInput(call: RoundCall, found: Found, input: NonNullable<HookRun['updatedInput']>): void {
  const valid = found.tool.validate(input)
  if (valid.ok) call.found = { ...found, value: valid.value }
  else {
    const words = [valid.failure, valid.advice].filter((part) => part !== undefined).join(' ')
    end(call, found, `A hook changed the arguments, and the new arguments are invalid: ${words} Nothing was executed.`)
  }
}

/**
 * Combines the verdict with the decision of the hooks. `inFull`: the verdict in full mode, which asks only about what always needs a
 * signature.
 */
export function withHooks(verdict: Verdict, hooked: Hooked | null, inFull: () => Verdict): Verdict {
  if (hooked === null || verdict.kind === 'deny') return verdict
  if (hooked.decision === 'ask')
    return {
      kind: 'ask',
      reason: `The hook “${hooked.by}” asks: ${hooked.reason}`,
      destructive: verdict.kind === 'ask' && verdict.destructive,
    }
  if (verdict.kind === 'allow' || verdict.destructive) return verdict
  return inFull().kind === 'allow' ? { kind: 'allow', by: { kind: 'hook', command: hooked.by } } : verdict
}

/**
 * Runs the PermissionRequest hooks of calls that need a signature, each hook once. `judge` judges a step again, with the hooks' answers. An
 * `allow` signs only what full mode would allow without asking. A denial ends the call. Returns true if hooks have changed arguments, so
 * that the calls must be prepared and judged again.
 */
export async function hookRequests(
  calls: readonly RoundCall[],
  record: SessionRecord,
  { hooks }: Pick<DispatchParts, 'hooks'>,
  judge: (call: RoundCall, effects: readonly Effect[]) => Promise<Verdict>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!hooks?.waitFor('PermissionRequest')) return false
  let isChanged = false
  for (const call of calls) {
    const { preparation, part, found } = call
    const { toolCallId, toolName } = part
    if (call.isOver || call.wasRequestHooked || preparation?.kind !== 'step' || preparation.verdict.kind !== 'ask') continue
    if (record.call(toolCallId)?.approval || found.kind === 'ended') continue
    const args = argsOf(record, toolCallId, found.tool)
    const answer = await hooks.run({ event: 'PermissionRequest', toolCallId, toolName, args }, nowOf(record, signal, call.mode))
    recordHooks(record, answer)
    takeAnswers(call, record.memory().hooks.of(toolCallId), record)
    call.wasRequestHooked = true
    const hasRun = record.call(toolCallId)?.copy?.outcome !== undefined
    const stopped = answer.stop === null ? null : stoppedWords(answer.stop, hasRun)
    const barred = answer.decision === 'deny' ? blockedWords({ event: 'PermissionRequest', says: answer.reason }, hasRun) : stopped
    if (barred !== null) {
      call.preparation = { kind: 'ended', outcome: 'barred', output: failure(barred) }
      continue
    }
    if (answer.updatedInput !== null) isChanged = true
    else if (answer.decision === 'allow') {
      const verdict = await judge(call, preparation.effects)
      if (verdict.kind !== 'deny') call.preparation = { ...preparation, verdict }
    }
  }
  return isChanged
}

/** Runs the Notification hooks for requests that are new. Nothing waits for them. */
export function notifyHooks(
  asked: readonly { readonly effects: readonly Effect[] }[],
  record: SessionRecord,
  { hooks }: Pick<DispatchParts, 'hooks'>,
  signal: AbortSignal,
): void {
  if (!hooks?.waitFor('Notification')) return
  const questions = asked.filter(({ effects }) => effects.some(({ kind }) => kind === 'question'))
  const steps = asked.length - questions.length
  const notify = (message: string, type: string): void => {
    const notified = hooks.run({ event: 'Notification', message, type }, nowOf(record, signal))
    notified.then((answer) => recordHooks(record, answer)).catch(() => {})
  }
  if (steps > 0) notify(steps === 1 ? 'A step waits for your signature.' : `${steps} steps wait for your signature.`, 'permission_prompt')
  if (questions.length > 0) notify('The agent has a question.', 'elicitation_dialog')
}

/**
 * What PostToolUse hooks say about a result. `replaced`: what the model gets in place of the result. Null if the model gets the result.
 */
export interface AfterTool {
  readonly words: string
  readonly replaced: string | null
}

const NOTHING_SAID: AfterTool = { words: '', replaced: null }

/** Runs the PostToolUse hooks of a call that succeeded. */
export async function afterTool(
  { toolCallId, toolName }: RoundCall['part'],
  output: ToolOutput,
  record: SessionRecord,
  { hooks, registry }: Pick<DispatchParts, 'hooks' | 'registry'>,
  signal: AbortSignal,
): Promise<AfterTool> {
  if (!hooks?.waitFor('PostToolUse') || output.isError || signal.aborted) return NOTHING_SAID
  const args = argsOf(record, toolCallId, registry.get(toolName))
  const answer = await hooks.run(
    { event: 'PostToolUse', toolCallId, toolName, args, output: contentText(output.output) },
    nowOf(record, signal),
  )
  recordHooks(record, answer)
  const said = [answer.decision === 'deny' ? answer.reason : '', answer.context].filter((words) => words !== '')
  return { words: said.length === 0 ? '' : `A hook says: ${said.join('\n')}`, replaced: answer.updatedOutput }
}
