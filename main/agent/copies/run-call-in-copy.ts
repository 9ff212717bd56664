import type { CommandEffect } from '../../../shared/session/effects.ts'
import type { CopyOutcome, NoCopy } from '../../../shared/session/events.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import { callEnd } from '../dispatch/call-end.ts'
import { type RanCall, ranCall } from '../dispatch/execute.ts'
import type { DispatchParts } from '../dispatch/dispatch-parts.ts'
import type { CopyRun, RoundCall } from '../dispatch/prepare.ts'
import { afterTool } from '../hooks/call-hooks.ts'
import type { CopyOptions, EndedCopy } from '../ports/command-copies.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import { createCallSession } from '../record/call-session.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { redacted, toolError, withWords } from '../tool-output.ts'
import { outcomeOf } from './copy-outcome.ts'
import { type HostRequests, hostRequests } from './host-requests.ts'
import { bashWords, type CopyParts, isInBash, lost, storedAsJson } from './copy-commit.ts'

/**
 * Runs a command in a copy of the folder. If the command changed nothing in the copy, or if its changes cannot be kept, the call has
 * ended when this resolves. Otherwise the log contains what the command did, and its changes are then judged as a step (`copyCommit`).
 * Returns why the command could not run in a copy, or null if it ran.
 */
export async function runCallInCopy(
  call: RoundCall,
  { effects, commit }: CopyRun,
  record: SessionRecord,
  parts: CopyParts,
  signal: AbortSignal,
): Promise<NoCopy | null> {
  const { part, mode } = call
  const { toolCallId } = part
  record.append({ kind: 'COPY_STARTED', toolCallId, effects })
  const hosts = hostRequests(part, effects[0], record, parts, signal)
  const { copied, ran } = await untilNoOtherTry(async (extras) => {
    const tried = copyEnvironment(parts, isInBash(effects), { onHost: hosts.onHost, ...extras })
    const session = createCallSession(record, parts.blobs)
    const run = { ...parts, record, env: tried.env, publish: record.publish, session, inCopy: true }
    return { copied: tried, ran: await ranCall(part, commit, run, signal) }
  }, hosts)
  await hosts.close()
  const reason = copied.failure()
  if (reason !== null && !signal.aborted) return { reason, mayConfine: true }
  const copy = copied.ended()
  try {
    if (signal.aborted) record.append(callEnd({ part, ...ran, output: withWords(ran.output, STOPPED_IN_COPY) }, parts))
    else if (copy === null) record.append(callEnd({ part, ...ran }, parts))
    // If the command may not run for real, its failure in the copy is the call's result.
    else if (
      copy.unfit !== null &&
      (copy.changeSet.changes.length === 0 || copy.isHalf === true) &&
      mayRunForReal(effects[0], mode, parts)
    ) {
      const result = storedAsJson({ ...redacted(ran.output, parts.redactor), durationMs: ran.durationMs }, parts)
      return { reason: copy.unfit, mayConfine: false, result }
    } else await recordOutcome({ call, effects, copy, ran, hosts }, record, parts, signal)
  } catch (error) {
    // Changes that cannot be stored cannot be shown or undone later.
    const output = lost(ran.output, `Its changes were not kept. ${toolError(error)}`)
    record.append(callEnd({ part, ...ran, output, outcome: 'failed' }, parts))
  } finally {
    await copy?.drop()
  }
  return null
}

const STOPPED_IN_COPY = 'It ran in a copy of the folder, and none of its changes were applied.'

interface RanCopy {
  readonly call: RoundCall
  readonly effects: CopyRun['effects']
  readonly copy: EndedCopy
  readonly ran: RanCall
  readonly hosts: HostRequests
}

/** Records what a command did in its copy. Ends the call if nothing is to be signed. */
async function recordOutcome(
  { call, effects, copy, ran, hosts }: RanCopy,
  record: SessionRecord,
  parts: CopyParts,
  signal: AbortSignal,
): Promise<void> {
  const { part } = call
  const { outcome, words } = await outcomeOf(copy, { effects, ran, hosts, drops: call.mode === 'plan' }, parts)
  const event = { kind: 'COPY_ENDED', toolCallId: part.toolCallId, ...outcome } as const
  if (outcome.changeSet) {
    call.bashAfter = copy.stateAfter
    record.append(event)
    return
  }
  const aboutBash = isInBash(effects) ? await bashWords(outcome.dropped === null ? copy.stateAfter : null, parts) : []
  const hooked = await afterTool(part, ran.output, record, parts, signal)
  const all = [...words, ...aboutBash, ...(hooked.words === '' ? [] : [hooked.words])]
  record.append(event, callEnd({ part, ...withNotes(ran, outcome, all), replaced: hooked.replaced }, parts))
}

type Extras = Pick<CopyOptions, 'localPorts' | 'isFilled' | 'hasHardLinks'>
type Tried = { readonly copied: ReturnType<typeof copyEnvironment>; readonly ran: RanCall }

/**
 * Runs the command, and reruns it as long as a new copy can provide what the last copy lacked. If that is access to a local port, the
 * access must be allowed first.
 */
async function untilNoOtherTry(once: (extras: Extras) => Promise<Tried>, hosts: HostRequests): Promise<Tried> {
  for (let extras: Extras = {}; ;) {
    const tried = await once(extras)
    const ended = tried.copied.ended()
    const next = ended && (await nextTry(ended, extras, hosts))
    if (!next) return tried
    await ended.drop()
    extras = next
  }
}

async function nextTry({ secondTry }: EndedCopy, extras: Extras, hosts: HostRequests): Promise<Extras | null> {
  if (secondTry?.kind === 'filled') return { ...extras, isFilled: true }
  if (secondTry?.kind === 'without-hard-links') return { ...extras, hasHardLinks: false }
  if (secondTry === null || !(await hosts.onLocalPort(secondTry.port))) return null
  return { ...extras, localPorts: [...(extras.localPorts ?? []), secondTry.port] }
}

function mayRunForReal(command: CommandEffect, mode: ApprovalMode, { policy }: DispatchParts): boolean {
  return mode !== 'plan' && policy.sandboxFor(command, mode, { reason: null, mayConfine: false }) === null
}

/** An environment that runs its command in a copy and keeps the copy of the last command. */
function copyEnvironment({ env, copies: { commands, bash } }: CopyParts, inBash: boolean, extras: CopyOptions) {
  let copy: EndedCopy | null = null
  let failure: string | null = null
  const execCommand: ExecutionEnvironment['execCommand'] = async (command, options) => {
    try {
      copy = await commands.run(command, { ...options, ...extras, ...(inBash && { state: { before: bash.state() } }) })
      // Whatever the command left running in the background ended with the copy.
      const { leftRunning: _, ...result } = copy.result
      return result
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOCOPY') failure = error.message
      throw error
    }
  }
  return { env: { ...env, execCommand }, ended: (): EndedCopy | null => copy, failure: (): string | null => failure }
}

function withNotes(ran: RanCall, { dropped, effects }: CopyOutcome, words: readonly string[]): RanCall {
  if (words.length === 0) return ran
  const isLost = dropped !== null && effects.length <= 1
  const output = { ...withWords(ran.output, words.join(' ')), isError: ran.output.isError || isLost }
  return { ...ran, output, outcome: output.isError ? 'failed' : ran.outcome }
}
