import { contentText } from '../../../shared/session/content.ts'
import type { HookRun } from '../../../shared/session/hooks.ts'
import { failure } from '../tool-output.ts'
import type { Verdict } from '../ports/policy.ts'
import type { ToolOutput } from '../ports/tool.ts'
import { recordHooks } from './turn-hooks.ts'
import type { SessionRecord } from '../record/record.ts'
import type { DispatchParts } from '../dispatch/parts.ts'
import type { Hooked, RoundCall } from '../dispatch/prepare.ts'

/** Runs the PreToolUse hooks of the calls, each once: what they said is in the log. Changed arguments are validated like the model's. */
export async function hookCalls(
  calls: readonly RoundCall[],
  record: SessionRecord,
  { hooks }: Pick<DispatchParts, 'hooks'>,
  signal: AbortSignal,
): Promise<void> {
  for (const call of calls) {
    if (!hooks?.waitFor('PreToolUse') || call.found.kind === 'ended') continue
    const { toolCallId, toolName } = call.part
    const earlier = record.memory().hooks.of(toolCallId)
    if (earlier.length > 0) takeAnswers(call, earlier)
    else {
      const args = record.call(toolCallId)?.args ?? {}
      const answer = await hooks.run({ event: 'PreToolUse', toolCallId, toolName, args }, { mode: record.state().config.mode, signal })
      recordHooks(record, answer)
      takeAnswers(call, answer.runs)
    }
  }
}

/** After a restart: takes what the hooks said before it, and runs none. */
export function recallHooks(calls: readonly RoundCall[], record: SessionRecord): void {
  for (const call of calls) if (call.found.kind === 'found') takeAnswers(call, record.memory().hooks.of(call.part.toolCallId))
}

function takeAnswers(call: RoundCall, runs: readonly HookRun[]): void {
  const said = (...outcomes: readonly HookRun['outcome'][]): HookRun | undefined => runs.find(({ outcome }) => outcomes.includes(outcome))
  const blocked = said('blocked')
  const asked = said('asked', 'failed')
  const allowed = said('allowed')
  const { found } = call
  if (found.kind === 'ended') return
  if (blocked) {
    call.found = {
      kind: 'ended',
      tool: found.tool,
      output: failure(`A hook blocked this call: ${blocked.says} Nothing was executed.`),
      isBlocked: true,
    }
    return
  }
  const decider = asked ?? allowed
  call.hooked = decider ? { decision: asked ? 'ask' : 'allow', reason: decider.says, by: decider.command } : null
  const { updatedInput } = runs.findLast((run) => run.updatedInput) ?? {}
  if (!updatedInput) return
  const valid = found.tool.validate(updatedInput)
  call.found = valid.ok
    ? { ...found, value: valid.value }
    : {
        kind: 'ended',
        tool: found.tool,
        output: failure(`A hook changed the arguments, and they are invalid: ${valid.failure} Nothing was executed.`),
        isBlocked: true,
      }
}

/** The verdict with what hooks want. `inFull`: the verdict under mode full, where only what always asks still asks. */
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
 * Runs the PermissionRequest hooks of calls that would ask, each once. An `allow` signs what mode full would not ask for; a denial ends the
 * call.
 */
export async function hookRequests(
  calls: readonly RoundCall[],
  record: SessionRecord,
  { hooks, policy }: Pick<DispatchParts, 'hooks' | 'policy'>,
  signal: AbortSignal,
): Promise<void> {
  if (!hooks?.waitFor('PermissionRequest')) return
  for (const call of calls) {
    const { preparation, part } = call
    const { toolCallId, toolName } = part
    if (call.isOver || call.wasRequestHooked || preparation?.kind !== 'step' || preparation.verdict.kind !== 'ask') continue
    if (record.call(toolCallId)?.approval) continue
    call.wasRequestHooked = true
    const args = record.call(toolCallId)?.args ?? {}
    const answer = await hooks.run({ event: 'PermissionRequest', toolCallId, toolName, args }, { mode: call.mode, signal })
    recordHooks(record, answer)
    if (answer.decision === 'deny')
      call.preparation = {
        kind: 'ended',
        outcome: 'barred',
        output: failure(`A hook refused this call: ${answer.reason} Nothing was executed.`),
      }
    else if (answer.decision === 'allow') {
      call.hooked = {
        decision: 'allow',
        reason: answer.reason,
        by: answer.runs.find(({ outcome }) => outcome === 'allowed')?.command ?? '',
      }
      const verdict = withHooks(preparation.verdict, call.hooked, () => policy.judge(preparation.effects, 'full'))
      if (verdict.kind !== 'deny') call.preparation = { ...preparation, verdict }
    }
  }
}

/** Runs the Notification hooks for requests that are new. Nothing waits for them. */
export function notifyHooks(count: number, record: SessionRecord, { hooks }: Pick<DispatchParts, 'hooks'>, signal: AbortSignal): void {
  if (count === 0 || !hooks?.waitFor('Notification')) return
  const message = count === 1 ? 'A step waits for your signature.' : `${count} steps wait for your signature.`
  const { mode } = record.state().config
  const told = hooks.run({ event: 'Notification', message, type: 'permission_prompt' }, { mode, signal })
  told.then(
    (answer) => recordHooks(record, answer),
    () => {},
  )
}

/** Runs the PostToolUse hooks of a call that succeeded. Returns what they say to the model; empty: nothing. */
export async function afterTool(
  { toolCallId, toolName }: RoundCall['part'],
  output: ToolOutput,
  record: SessionRecord,
  { hooks }: Pick<DispatchParts, 'hooks'>,
  signal: AbortSignal,
): Promise<string> {
  if (!hooks?.waitFor('PostToolUse') || output.isError || signal.aborted) return ''
  const args = record.call(toolCallId)?.args ?? {}
  const answer = await hooks.run(
    { event: 'PostToolUse', toolCallId, toolName, args, output: contentText(output.output) },
    { mode: record.state().config.mode, signal },
  )
  recordHooks(record, answer)
  const said = [answer.decision === 'deny' ? answer.reason : '', answer.context].filter((words) => words !== '')
  return said.length === 0 ? '' : `A hook says: ${said.join('\n')}`
}
