import { afterTool } from '../hooks/call-hooks.ts'
import { failure, redacted, toolError, withWords } from '../tool-output.ts'
import type { Amended } from '../../../shared/session/amendment.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { CommandEffect, Effect } from '../../../shared/session/effects.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { CopyOutcome, NoCopy } from '../../../shared/session/events.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { ShellDetails } from '../../../shared/tools/shell.ts'
import type { ApplyOutcome, BashState, CopyChangeSet, CopyObstacle, CopyOptions, EndedCopy, LeftOut } from '../ports/command-copies.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { ToolOutput } from '../ports/tool.ts'
import { createCallSession } from '../record/call-session.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { callEnd, type EndedCall } from '../dispatch/call-end.ts'
import { type Refused, refusedAfterCopy } from '../dispatch/approve.ts'
import { ranCall } from '../dispatch/execute.ts'
import { type HostRequests, hostRequests } from './network-host-requests.ts'
import type { Copies, DispatchParts } from '../dispatch/dispatch-parts.ts'
import type { Commit, CopyRun, RoundCall } from '../dispatch/prepare.ts'
import { signedPart, storedAsJson, storedText } from './signed-part.ts'

type Ran = Required<Omit<EndedCall, 'part' | 'note' | 'replaced'>>
type CopyParts = DispatchParts & { readonly copies: Copies }

/**
 * Runs a command in a copy of the folder. A command that changed nothing there, or whose changes cannot be kept, has its end when this
 * resolves. Otherwise the log holds what it did, which is then judged as a step (`copyCommit`). Returns why it could not run in a copy;
 * null: it ran.
 */
export async function runInCopy(
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
    const run = { ...parts, env: tried.env, publish: record.publish, session, inCopy: true }
    return { copied: tried, ran: await ranCall(part, commit, run, signal) }
  }, hosts)
  await hosts.close()
  const reason = copied.failure()
  if (reason !== null && !signal.aborted) return { reason, mayConfine: true }
  const copy = copied.ended()
  try {
    if (copy === null || signal.aborted) {
      record.append(callEnd({ part, ...ran }, parts))
      return null
    }
    // Where nothing may run for real, the failure is the result.
    if (copy.unfit !== null && copy.changeSet.changes.length === 0 && mayRunForReal(effects[0], mode, parts))
      return {
        reason: copy.unfit,
        mayConfine: false,
        result: storedAsJson({ ...redacted(ran.output, parts.redactor), durationMs: ran.durationMs }, parts),
      }
    const { outcome, words } = await outcomeOf(copy, { effects, ran, hosts, drops: mode === 'plan' }, parts)
    const event = { kind: 'COPY_ENDED', toolCallId, ...outcome } as const
    if (outcome.changeSet) {
      call.bashAfter = copy.stateAfter
      record.append(event)
      return null
    }
    const about = isInBash(effects) ? await bashWords(outcome.dropped === null ? copy.stateAfter : null, parts) : []
    const hooked = await afterTool(part, ran.output, record, parts, signal)
    const said = hooked.words === '' ? [] : [hooked.words]
    record.append(event, callEnd({ part, ...ended(ran, outcome, [...words, ...about, ...said]), replaced: hooked.replaced }, parts))
  } catch (error) {
    // Changes that cannot be stored could be neither shown nor undone.
    const output = lost(ran.output, `Its changes were not kept. ${toolError(error)}`)
    record.append(callEnd({ part, ...ran, output, outcome: 'failed' }, parts))
  } finally {
    await copy?.drop()
  }
  return null
}

type Extras = Pick<CopyOptions, 'localPorts' | 'isFilled'>
type Tried = { readonly copied: ReturnType<typeof copyEnvironment>; readonly ran: Ran }

/** Runs the command, and again in a new copy as long as that has what the one before lacked and the person allows it. */
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
  if (secondTry === null || !(await hosts.onLocalPort(secondTry.port))) return null
  return { ...extras, localPorts: [...(extras.localPorts ?? []), secondTry.port] }
}

const isInBash = (effects: readonly Effect[]): boolean => effects.some((effect) => effect.kind === 'command' && effect.way === 'shell')

const BASH_AS_BEFORE = "The shell's folder, variables and functions are as they were before this command."

/** Carries the state of the session's bash over to its next command. Returns what the model must know about it. */
async function bashWords(after: BashState | null, { copies: { bash, commands }, env }: CopyParts): Promise<readonly string[]> {
  if (after === null) return [BASH_AS_BEFORE]
  const before = bash.state()?.folder ?? env.workingDirectory()
  // It may be one below home, of which each copy has its own.
  const isThere = (await env.stat(after.folder).catch(() => null))?.kind === 'folder' || (await commands.keeps(after.folder))
  bash.adopt(isThere ? after : { ...after, folder: before })
  return isThere ? [] : [`The folder ${after.folder} is gone with the copy, so the shell is in ${before}.`]
}

function mayRunForReal(command: CommandEffect, mode: ApprovalMode, { policy }: DispatchParts): boolean {
  return mode !== 'plan' && policy.sandboxFor(command, mode, { reason: null, mayConfine: false }) === null
}

/** The environment whose commands run in a copy: it keeps the copy of the last one. */
function copyEnvironment({ env, copies: { commands, bash } }: CopyParts, inBash: boolean, extras: CopyOptions) {
  let copy: EndedCopy | null = null
  let failure: string | null = null
  const execCommand: ExecutionEnvironment['execCommand'] = async (command, options) => {
    try {
      copy = await commands.run(command, { ...options, ...extras, ...(inBash && { state: { before: bash.state() } }) })
      // What it left in the background ended with the copy.
      const { leftRunning: _, ...result } = copy.result
      return result
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOCOPY') failure = error.message
      throw error
    }
  }
  return { env: { ...env, execCommand }, ended: (): EndedCopy | null => copy, failure: (): string | null => failure }
}

const printed = ({ stdout, stderr }: EndedCopy['result']): string => [stdout, stderr].filter((text) => text !== '').join('\n')

interface Copied {
  readonly effects: CopyRun['effects']
  readonly ran: Ran
  readonly hosts: Pick<HostRequests, 'allowed' | 'refusedPorts'>
  /** Mode plan keeps no changes. */
  readonly drops: boolean
}

/** `words`: what the model is told beside the output. */
async function outcomeOf(
  copy: EndedCopy,
  { effects: [command], ran, hosts, drops }: Copied,
  parts: CopyParts,
): Promise<{ readonly outcome: CopyOutcome; readonly words: readonly string[] }> {
  const { changes, leftOut } = copy.changeSet
  const keptSet = await copy.keep(parts.blobs.put)
  const [obstacle] = keptSet.obstacles
  const changed: readonly Effect[] = obstacle ? [] : await parts.copies.effectsOf(keptSet)
  const git = obstacle ? null : await parts.copies.gitChange(copy)
  const dropped = obstacle ? obstacleText(obstacle) : drops && changed.length > 0 ? 'Mode plan changes nothing.' : null
  const isKept = changes.length > 0 && dropped === null
  const changeSet = isKept ? storedAsJson(keptSet, parts) : null
  if (!isKept) await parts.copies.commands.release(keptSet)
  const blocked = [...copy.blocked.map(({ host, port }) => `${host}:${port}`), ...hosts.refusedPorts]
  const neverApplied = leftOutWords(leftOut)
  const words = [
    ...(blocked.length > 0
      ? [`It could not reach ${blocked.join(', ')}: commands have no network but the hosts that the user allows.`]
      : []),
    ...(copy.unfit === null ? [] : [`It failed because it ran in a copy: ${copy.unfit}`]),
    ...(neverApplied.length > 0 ? [`Never applied: ${neverApplied.join(', ')}.`] : []),
    ...copy.notes,
    ...(dropped === null ? [] : [`Its changes were not kept. ${dropped}`]),
    ...(dropped !== null && changed.length > 0 ? [`It would have changed ${namesOf(changed)}.`] : []),
  ]
  const output = redacted(ran.output, parts.redactor)
  const told = words.length === 0 ? output : withWords(output, words.join(' '))
  const outcome: CopyOutcome = {
    effects: [{ ...command, ...(changeSet && { changeSet: changeSet.hash }) }, ...changed],
    changeSet,
    result: isKept ? storedAsJson({ ...told, durationMs: ran.durationMs }, parts) : null,
    tail: printed(copy.result).trimEnd().slice(-2000),
    exitCode: copy.result.exitCode,
    durationMs: ran.durationMs ?? 0,
    blocked,
    ...(hosts.allowed.length > 0 && { reached: hosts.allowed }),
    leftOut: neverApplied,
    dropped,
    ...(copy.unfit !== null && { unfit: copy.unfit }),
    ...(copy.notes.length > 0 && { notes: copy.notes }),
    ...(git !== null && { git }),
  }
  return { outcome, words }
}

/** Special files by path; what no file keeps is named once for all. */
function leftOutWords(leftOut: CopyChangeSet['leftOut']): readonly string[] {
  const pathsOf = (wanted: LeftOut): string => listed(leftOut.flatMap(({ path, what }) => (what === wanted ? [path] : [])))
  const [links, attributes] = [pathsOf('hard-link'), pathsOf('attributes')]
  return [
    ...leftOut.flatMap(({ path, what }) => (what === 'hard-link' || what === 'attributes' ? [] : [`${path} (${what})`])),
    ...(links === '' ? [] : [`the hard links between ${links}`]),
    ...(attributes === '' ? [] : [`the extended attributes of ${attributes}`]),
  ]
}

function ended(ran: Ran, { dropped, effects }: CopyOutcome, words: readonly string[]): Ran {
  if (words.length === 0) return ran
  const isLost = dropped !== null && effects.length <= 1
  const output = { ...withWords(ran.output, words.join(' ')), isError: ran.output.isError || isLost }
  return { ...ran, output, outcome: output.isError ? 'failed' : ran.outcome }
}

/** A command that has run in a copy, and what its bash carries over once its changes are applied. */
interface RanInCopy {
  readonly outcome: CopyOutcome
  /** Null: nothing, or the app was restarted while the changes waited for an answer. */
  readonly bashAfter: BashState | null
}

/** The step of a command that has run in a copy: to apply what it changed there. `amended`: what the person signed of it. */
export function copyCommit({ outcome, bashAfter }: RanInCopy, parts: CopyParts, amended: Amended | null = null): Commit {
  return async (run) => {
    const { result, changeSet, effects } = outcome
    if (!result || !changeSet) throw new Error('This command has nothing to apply.')
    const { commands } = parts.copies
    const signed = signedPart(await commands.parseKept(storedText(changeSet, parts)), amended)
    const applied = await commands.apply(signed.changeSet, (hash) => run.bytes(hash), signed.only)
    const output = JSON.parse(storedText(result, parts)) as ToolOutput
    if (applied.kind !== 'applied') return notApplied(output, applied)
    const words = isInBash(effects) ? await bashWords(bashAfter, parts) : []
    return words.length === 0 ? output : withWords(output, words.join(' '))
  }
}

/** The result of a call whose changes could not be applied. */
export function notApplied(result: ToolOutput, { reason, notUndone }: Extract<ApplyOutcome, { kind: 'refused' }>): ToolOutput {
  const words = notUndone
    ? `${reason} ${notUndone.what} ${notUndone.kept}`
    : `${reason} Run the command again if its changes are still needed.`
  return lost(result, words)
}

/** The result of a command whose changes are lost, with the reason for the model and for the person. */
function lost(result: ToolOutput, words: string): ToolOutput {
  const details = ShellDetails.safeParse(result.details)
  return { ...withWords(result, words), isError: true, ...(details.success && { details: asJson({ ...details.data, notApplied: words }) }) }
}

const asJson = (details: ShellDetails): JsonValue => JSON.parse(JSON.stringify(details)) as JsonValue

/** What the model reads when the person refuses the changes of a command that ran in a copy. */
export function refusedCopy({ result, effects }: CopyOutcome, { blobs }: Pick<DispatchParts, 'blobs'>, words: string): ToolOutput {
  if (result === null) return failure(words)
  const all = isInBash(effects) ? `${words} ${BASH_AS_BEFORE}` : words
  return { ...withWords(JSON.parse(storedText(result, { blobs })) as ToolOutput, all), isError: true }
}

/** The same when the person does not let it run for real after it has failed in a copy. Null: it did not run in one. */
export function refusedForReal(item: CallItem | null, { blobs }: Pick<DispatchParts, 'blobs'>, refused: Refused): ToolOutput | null {
  const { result, reason = null } = item?.noCopy ?? {}
  if (!result) return null
  const words = refusedAfterCopy(refused, reason)
  return { ...withWords(JSON.parse(storedText(result, { blobs })) as ToolOutput, words), isError: true }
}

/** Removes what waited for an answer besides the blobs. */
export async function releaseCopy({ changeSet }: CopyOutcome, { blobs, copies }: Pick<DispatchParts, 'blobs' | 'copies'>): Promise<void> {
  if (changeSet && copies) await copies.commands.release(await copies.commands.parseKept(storedText(changeSet, { blobs })))
}

/** At most so many paths in a sentence. */
const MAX_NAMES = 20

function namesOf(effects: readonly Effect[]): string {
  return listed(effects.flatMap((effect) => ('shown' in effect ? [effect.shown] : [])))
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES
  return rest > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${rest} more` : names.join(', ')
}

function obstacleText(obstacle: CopyObstacle): string {
  switch (obstacle.kind) {
    case 'changed-meanwhile':
      return `${obstacle.path || 'The folder'} has changed since the command began. Run it again.`
    case 'unreadable-file':
      return `${obstacle.path} cannot be read, so it cannot be compared with what the command saw.`
    case 'unreadable-name':
      return `The name of ${obstacle.path} is not valid UTF-8, so it cannot be shown.`
    case 'unreadable-link':
      return `The target of the link ${obstacle.path} is not valid UTF-8, so it cannot be shown or put back.`
    case 'long-path':
      return 'A path is longer than 4,096 bytes.'
    case 'too-many-files':
      return `It changed more than ${obstacle.limit.toLocaleString('en-US')} files.`
    case 'too-many-bytes':
      return `It wrote more than ${Math.round(obstacle.limit / 1024 ** 2)} MB.`
    case 'blocked':
      return `It would remove ${obstacle.what}, which is blocked in every mode.`
    case 'stopped':
      return obstacle.reason
  }
}
