import { Buffer } from 'node:buffer'
import type { Amended } from '../../../shared/session/amendment.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { BlobRef, CopyOutcome } from '../../../shared/session/events.ts'
import type { ApplyOutcome, BashState, CopyObstacle, CopyOptions, EndedCopy, HostOptions } from '../ports/command-copies.ts'
import type { ExecResult, ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { RunBash, ToolOutput } from '../ports/tool.ts'
import { createCallSession } from '../record/call-session.ts'
import type { SessionRecord } from '../record/record.ts'
import { callEnd, type EndedCall, redacted } from './call-end.ts'
import { ranCall, withWords } from './execute.ts'
import { hostRequests } from './host-requests.ts'
import type { Copies, DispatchParts } from './parts.ts'
import { type Commit, type CopyRun, errorOutput, type RoundCall, toolError } from './prepare.ts'
import { signedPart } from './signed-part.ts'

type Ran = Required<Omit<EndedCall, 'part'>>
type CopyParts = DispatchParts & { readonly copies: Copies }

/**
 * Runs a command in a copy of the folder. A command that changed nothing there, or whose changes cannot be kept, has its end when this
 * resolves. Otherwise the log holds what it did, which is then judged as a step (`copyCommit`). Returns why it could not run in a copy;
 * null: it ran.
 */
export async function runInCopy(
  { part, mode }: RoundCall,
  { effects, commit }: CopyRun,
  record: SessionRecord,
  parts: CopyParts,
  signal: AbortSignal,
): Promise<string | null> {
  const { toolCallId } = part
  record.append({ kind: 'COPY_STARTED', toolCallId, effects })
  const hosts = hostRequests(part, effects[0], record, parts, signal)
  const copied = copyEnvironment(toolCallId, parts, hosts.onHost)
  const session = createCallSession(record, parts.blobs)
  const ran = await ranCall(part, commit, { ...parts, ...copied.run, publish: record.publish, session }, signal)
  await hosts.close()
  if (copied.failure() !== null && !signal.aborted) return copied.failure()
  const copy = copied.ended()
  try {
    if (copy === null || signal.aborted) {
      record.append(callEnd({ part, ...ran }, parts))
      return null
    }
    const { outcome, words } = await outcomeOf(copy, { effects, ran, reached: hosts.allowed, drops: mode === 'plan' }, parts)
    const event = { kind: 'COPY_ENDED', toolCallId, ...outcome } as const
    if (outcome.dropped !== null) parts.copies.bash.undo(toolCallId)
    if (outcome.changeSet) record.append(event)
    else record.append(event, callEnd({ part, ...ended(ran, outcome, words) }, parts))
  } catch (error) {
    // What cannot be kept could neither be shown nor undone.
    const output = { ...withWords(ran.output, `Its changes were not kept. ${toolError(error)}`), isError: true }
    record.append(callEnd({ part, ...ran, output, outcome: 'failed' }, parts))
  } finally {
    await copy?.drop()
  }
  return null
}

/** The environment and the bash whose commands run in a copy: it keeps the copy of the last one. */
function copyEnvironment(toolCallId: ToolCallId, { env, copies: { commands, bash } }: CopyParts, onHost: HostOptions['onHost'] & {}) {
  let copy: EndedCopy | null = null
  let failure: string | null = null
  const runIn = async (command: string, options?: CopyOptions): Promise<EndedCopy> => {
    try {
      copy = await commands.run(command, { ...options, onHost })
      return copy
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOCOPY') failure = error.message
      throw error
    }
  }
  const execCommand: ExecutionEnvironment['execCommand'] = async (command, options) => resultOf(await runIn(command, options))
  const bashInCopy: RunBash = async (command, options) => {
    const isFresh = bash.isFresh()
    const ended = await runIn(command, { ...options, state: { before: movedTo(options.workingDir, bash.state()) } })
    const { stateAfter } = ended
    bash.ended(toolCallId, stateAfter)
    return { ...resultOf(ended), shellEnded: stateAfter === null, isFresh, folder: stateAfter?.folder ?? options.workingDir }
  }
  return { run: { env: { ...env, execCommand }, bashInCopy }, ended: (): EndedCopy | null => copy, failure: (): string | null => failure }
}

/** What it left in the background has ended with the copy. */
function resultOf({ result }: EndedCopy): ExecResult {
  const { leftRunning: _, ...rest } = result
  return rest
}

function movedTo(folder: string, state: BashState | null): BashState | null {
  if (state === null || state.folder === folder) return state
  return { folder, script: `${state.script}builtin cd -- '${folder.replaceAll("'", String.raw`'\''`)}'\n` }
}

const printed = ({ stdout, stderr }: EndedCopy['result']): string => [stdout, stderr].filter((text) => text !== '').join('\n')

interface Copied {
  readonly effects: CopyRun['effects']
  readonly ran: Ran
  readonly reached: readonly string[]
  /** Mode plan keeps no changes. */
  readonly drops: boolean
}

/** `words`: what the model is told beside the output. */
async function outcomeOf(
  copy: EndedCopy,
  { effects: [command], ran, reached, drops }: Copied,
  parts: CopyParts,
): Promise<{ readonly outcome: CopyOutcome; readonly words: readonly string[] }> {
  const { changes, leftOut } = copy.changeSet
  const keptSet = await copy.keep(parts.blobs.put)
  const [obstacle] = keptSet.obstacles
  const changed: readonly Effect[] = obstacle ? [] : await parts.copies.effectsOf(keptSet)
  const dropped = obstacle ? obstacleText(obstacle) : drops && changed.length > 0 ? 'Mode plan changes nothing.' : null
  const isKept = changes.length > 0 && dropped === null
  const changeSet = isKept ? kept(keptSet, parts) : null
  const blocked = copy.blocked.map(({ host, port }) => `${host}:${port}`)
  const neverApplied = leftOut.map(({ path, what }) => `${path} (${what})`)
  const words = [
    ...(blocked.length > 0
      ? [`It could not reach ${blocked.join(', ')}: commands have no network but the hosts that the user allows.`]
      : []),
    ...(neverApplied.length > 0 ? [`Never applied: ${neverApplied.join(', ')}.`] : []),
    ...(dropped === null ? [] : [`Its changes were not kept. ${dropped}`]),
    ...(dropped !== null && changed.length > 0 ? [`It would have changed ${namesOf(changed)}.`] : []),
  ]
  const output = redacted(ran.output, parts.redactor)
  const told = words.length === 0 ? output : withWords(output, words.join(' '))
  const outcome: CopyOutcome = {
    effects: [{ ...command, ...(changeSet && { changeSet: changeSet.hash }) }, ...changed],
    changeSet,
    result: isKept ? kept({ ...told, durationMs: ran.durationMs }, parts) : null,
    tail: printed(copy.result).trimEnd().slice(-2000),
    exitCode: copy.result.exitCode,
    durationMs: ran.durationMs ?? 0,
    blocked,
    ...(reached.length > 0 && { reached }),
    leftOut: neverApplied,
    dropped,
  }
  return { outcome, words }
}

function ended(ran: Ran, { dropped, effects }: CopyOutcome, words: readonly string[]): Ran {
  if (words.length === 0) return ran
  const isLost = dropped !== null && effects.length <= 1
  const output = { ...withWords(ran.output, words.join(' ')), isError: ran.output.isError || isLost }
  return { ...ran, output, outcome: output.isError ? 'failed' : ran.outcome }
}

function kept(value: unknown, { blobs }: Pick<DispatchParts, 'blobs'>): BlobRef {
  const bytes = Buffer.from(JSON.stringify(value))
  return { hash: blobs.put(bytes), bytes: bytes.length }
}

/** The step of a command that has run in a copy: to apply what it changed there. `amended`: what the person signed of it. */
export function copyCommit({ result, changeSet }: CopyOutcome, parts: CopyParts, amended: Amended | null = null): Commit {
  return async (run) => {
    if (!result || !changeSet) throw new Error('This command has nothing to apply.')
    const { commands, bash } = parts.copies
    const signed = signedPart(await commands.parseKept(stored(changeSet, parts)), amended)
    const applied = await commands.apply(signed.changeSet, (hash) => run.bytes(hash), signed.only)
    const output = JSON.parse(stored(result, parts)) as ToolOutput
    if (applied.kind === 'applied') return output
    bash.undo(run.toolCallId)
    return notApplied(output, applied)
  }
}

const stored = ({ hash }: BlobRef, { blobs }: Pick<DispatchParts, 'blobs'>): string => Buffer.from(blobs.get(hash)).toString()

function notApplied(result: ToolOutput, { reason, notUndone }: Extract<ApplyOutcome, { kind: 'refused' }>): ToolOutput {
  const words = notUndone
    ? `${reason} ${notUndone.what} ${notUndone.kept}`
    : `${reason} Run the command again if its changes are still needed.`
  return { ...withWords(result, words), isError: true }
}

/** What the model reads when the person refuses the changes of a command that ran in a copy. */
export function refusedCopy({ result }: CopyOutcome, { blobs }: Pick<DispatchParts, 'blobs'>, words: string): ToolOutput {
  if (result === null) return errorOutput(words)
  return { ...withWords(JSON.parse(stored(result, { blobs })) as ToolOutput, words), isError: true }
}

/** At most so many paths in a sentence. */
const MAX_NAMES = 20

function namesOf(effects: readonly Effect[]): string {
  const names = effects.flatMap((effect) => ('shown' in effect ? [effect.shown] : []))
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
    case 'long-path':
      return 'A path is longer than 4,096 bytes.'
    case 'too-many-files':
      return `It changed more than ${obstacle.limit.toLocaleString('en-US')} files.`
    case 'too-many-bytes':
      return `It wrote more than ${Math.round(obstacle.limit / 1024 ** 2)} MB.`
    case 'stopped':
      return obstacle.reason
  }
}
