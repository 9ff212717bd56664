import { failure, toolError, withWords } from '../tool-output.ts'
import { Buffer } from 'node:buffer'
import type { Effect } from '../../../shared/session/effects.ts'
import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import type { DurableEvent, LiveEvent, SeenFile, Signer } from '../../../shared/session/events.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import { hashOf } from '../blob-hash.ts'
import { stopOf } from '../close-round.ts'
import type { CallSession, RunContext, Spool, ToolOutput } from '../ports/tool.ts'
import type { ExecResult } from '../ports/execution-environment.ts'
import { failedInBackground } from '../failed-in-background.ts'
import type { SignedFile } from '../ports/command-copies.ts'
import type { EventLog } from '../ports/event-log.ts'
import { createCallSession } from '../record/call-session.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { StorageError } from '../storage-error.ts'
import { type CallEnd, callEnd, type EndedCall } from './call-end.ts'
import { afterTool } from '../hooks/call-hooks.ts'
import type { Capture, Captured, DispatchParts } from './dispatch-parts.ts'
import { type MidCallApprovals, midCallApprovals } from './mid-call-approvals.ts'
import type { Commit, RoundCall, Step } from './prepare.ts'

export interface SignedStep {
  readonly call: RoundCall
  readonly step: Step
  readonly by: Signer
  /** Whether the user signed the step knowing that the history is not being saved. */
  readonly unsaved: boolean
}

/**
 * Captures the files, records the intent, runs the tool, captures the files again, and records the result. In this order, the log already
 * says that an effect is possible when the effect happens. `unsaved`: the intent could not be stored and nothing was done. In all other
 * cases the call has ended.
 */
export async function executeStep(
  { call, step, by, unsaved }: SignedStep,
  record: SessionRecord,
  parts: DispatchParts,
  signal: AbortSignal,
): Promise<'done' | 'not_done' | 'unsaved'> {
  const { part } = call
  const { toolCallId } = part
  const captured = await captureBefore(call, step, record, parts)
  if (captured === null) return 'not_done'
  const intent = { kind: 'TOOL_EXECUTION_START', toolCallId, signedBy: by, effects: step.effects } as const
  try {
    if (unsaved) record.append(intent)
    else await record.appendOnDisk(intent)
  } catch (error) {
    captured.drop()
    if (error instanceof StorageError) return 'unsaved'
    throw error
  }
  call.isOver = true
  parts.copies?.commands.sign(step.effects.flatMap(signedFile))
  const trace = parts.traces.begin(toolCallId)
  const publish = (event: LiveEvent): void => {
    if (event.kind === 'TOOL_CALL_OUTPUT_DELTA') trace.wrote(event.tail)
    record.publish(event)
  }
  const background = runsInBackground(step.effects) ? backgroundEnd(toolCallId, captured, record, parts) : null
  const session = createCallSession(record, parts.blobs)
  const requests = midCallApprovals(part, record, parts, signal)
  const run = { ...parts, publish, session, record, requests, ...(background && { endedLater: background.ended }) }
  const end = await runCall(part, step.commit, run, signal)
  await requests.close()
  const hasStarted = background === null || end.outcome === 'done'
  const changed = hasStarted ? filesChanged(toolCallId, await captured.changes()) : null
  if (!hasStarted) captured.drop()
  if (changed) record.append(changed, end)
  else record.append(end)
  background?.callEnded(hasStarted)
  trace.dispose()
  return end.outcome === 'done' ? 'done' : 'not_done'
}

/**
 * Captures the bytes that the step would change. Null if they cannot be read or stored: without them the step could not be undone, so the
 * call fails.
 */
async function captureBefore(call: RoundCall, step: Step, record: SessionRecord, parts: DispatchParts): Promise<Capture | null> {
  try {
    return await parts.capture(step.effects)
  } catch (error) {
    call.isOver = true
    record.append(callEnd({ part: call.part, output: failure(toolError(error)), outcome: 'failed', durationMs: 0 }, parts))
    return null
  }
}

/** Signing a deletion approves no content, so a file that is later created with that name is still protected. */
function signedFile(effect: Effect): readonly SignedFile[] {
  if (effect.kind === 'write') return effect.control ? [{ path: effect.path, hash: effect.after }] : []
  if (effect.kind !== 'link' || !effect.control || effect.after === null) return []
  return [{ path: effect.path, hash: hashOf(Buffer.from(effect.after)) }]
}

const runsInBackground = (effects: Step['effects']): boolean =>
  effects.some((effect) => effect.kind === 'command' && effect.way === 'background')

/** Null if nothing changed and the comparison was complete. */
function filesChanged(toolCallId: ToolCallId, { files, folders = [], unread, madeBy }: Captured): DurableEvent | null {
  const leftOut = madeBy?.compared?.leftOut ?? []
  if (files.length + folders.length + unread.length + leftOut.length === 0) return null
  const own = { files, ...(folders.length > 0 && { folders }) }
  return { kind: 'FILES_CHANGED', toolCallId, ...own, ...(unread.length > 0 && { unread }), ...(madeBy && { madeBy }) }
}

/** How long the comparison after a background command waits for a running step, in ms. */
const STEP_WAIT_MS = 2_000

/** Adds to the log what a background command has changed, once both its call and the command have ended. */
function backgroundEnd(toolCallId: ToolCallId, captured: Capture, record: SessionRecord, { exclusively }: DispatchParts) {
  const others: FileChange[] = []
  const subscription = record.subscribe(({ event }) => {
    const isOther = event.kind === 'ROLLED_BACK' || (event.kind === 'FILES_CHANGED' && event.toolCallId !== toolCallId)
    if (isOther) others.push(...event.files)
  })
  const call = Promise.withResolvers<boolean>()
  return {
    /** `hasStarted`: whether the command continues in the background. */
    callEnded: (hasStarted: boolean) => call.resolve(hasStarted),
    async ended(command: string, result: ExecResult): Promise<void> {
      const hasStarted = await call.promise
      const compare = (): Promise<Captured> => captured.afterBackground(others)
      // A running step may have changed files that are not in the log yet.
      const changed = hasStarted ? await exclusively(compare, AbortSignal.timeout(STEP_WAIT_MS)).catch(compare) : null
      subscription.dispose()
      if (changed === null) return
      // This is recorded even if nothing changed, because the call's end announced a comparison, which is now complete.
      const failed = failedInBackground(command, result)
      record.append({ kind: 'FILES_CHANGED', toolCallId, ...changed }, ...(failed ? [{ kind: 'WARNING', trouble: failed } as const] : []))
    },
  }
}

export interface RunParts extends DispatchParts {
  readonly record: SessionRecord
  readonly publish: EventLog['publish']
  readonly session: CallSession
  readonly inCopy?: boolean
  /** If absent, the call cannot make requests while it runs. */
  readonly requests?: MidCallApprovals
  readonly endedLater?: RunContext['endedLater']
}

/** Maximum number of characters of a running command's last lines, as `TOOL_CALL_OUTPUT_DELTA` promises. */
const MAX_TAIL_CHARS = 2000

/** Runs a prepared call and returns the event of its end. Never rejects: a tool that throws has failed. */
async function runCall(part: ToolCallPart, commit: Commit, parts: RunParts, signal: AbortSignal): Promise<CallEnd> {
  return endOfCall(part, await ranCall(part, commit, parts, signal), parts, signal)
}

/** How a call ended, before hooks add to it. */
export type RanCall = Required<Omit<EndedCall, 'part' | 'note' | 'replaced'>>

/** The event that ends a call, with what hooks say about its result. */
export async function endOfCall(part: ToolCallPart, ran: RanCall, parts: RunParts, signal: AbortSignal): Promise<CallEnd> {
  const { words, replaced } = await afterTool(part, ran.output, parts.record, parts, signal).catch(() => NOT_HOOKED)
  const { text, saw } = await folderDocuments(ran, parts)
  const output = words === '' ? ran.output : withWords(ran.output, words)
  return callEnd({ part, ...ran, output, saw: [...ran.saw, ...saw], note: text, replaced }, parts)
}

/** The instructions in the folders in which the call read or wrote files. */
async function folderDocuments(
  { saw, outcome }: Pick<EndedCall, 'outcome'> & { readonly saw: readonly SeenFile[] },
  { record, folderDocuments: documents }: RunParts,
): Promise<{ readonly text: string; readonly saw: readonly SeenFile[] }> {
  if (!documents || outcome !== 'done' || saw.length === 0) return NOTHING
  const { seen } = record.memory()
  const { config, compactions } = record.state()
  const own = new Map(saw.map(({ path, hash }) => [path, hash]))
  const isSeen = ({ path, hash }: SeenFile): boolean => (own.get(path) ?? seen.get(path)) === hash
  const paths = saw.map(({ path }) => path)
  const found = await documents.of(paths, { model: config, compactions: compactions.length, isSeen }).catch(() => NOTHING)
  return found.text === '' ? NOTHING : { ...found, text: `Instructions for the files in these folders:\n\n${found.text}` }
}

const NOTHING = { text: '', saw: [] } as const
const NOT_HOOKED = { words: '', replaced: null }

/** Runs a prepared call, and returns how it ended, before the output is shortened or redacted. Never rejects. */
export async function ranCall(part: ToolCallPart, commit: Commit, parts: RunParts, signal: AbortSignal): Promise<RanCall> {
  const began = parts.clock.elapsed()
  const saw: SeenFile[] = []
  const over = new AbortController()
  const { output, threw } = await Promise.race([
    outputOf(commit, runContext(part, parts, saw, signal)),
    stopTimeout(parts, signal, over.signal),
  ])
  // `abort()` without a reason creates an exception with a stack trace, which takes 30 µs.
  over.abort('over')
  const durationMs = output.durationMs ?? Math.round(parts.clock.elapsed() - began)
  // A call that succeeded before the stop reached it counts as done.
  if (!signal.aborted || !output.isError) return { output, outcome: output.isError ? 'failed' : 'done', durationMs, saw }
  const { outcome, words } = stopOf(signal)
  return { output: withWords(threw ? failure('') : output, words), outcome, durationMs, saw }
}

function runContext({ toolCallId }: ToolCallPart, parts: RunParts, saw: SeenFile[], signal: AbortSignal): RunContext {
  return {
    env: parts.env,
    inCopy: parts.inCopy === true,
    signal,
    toolCallId,
    bytes: (blob) => parts.blobs.getInSlices(blob),
    session: parts.session,
    saw(path, content, lines) {
      const hash = typeof content === 'string' ? content : hashOf(content)
      saw.push({ path, hash, ...(lines && { lines }) })
      return hash
    },
    async ask(effect) {
      const answer = await parts.requests?.ask([effect], null)
      return answer?.kind === 'signed' || answer?.kind === 'refused' ? answer : null
    },
    compact: (instructions) => void parts.record.append({ kind: 'COMPACTION_REQUESTED', instructions, alone: false }),
    offer: (names) => parts.registry.offer(names),
    progress: (tail, bytes, waitsForInput = false) =>
      parts.publish({
        kind: 'TOOL_CALL_OUTPUT_DELTA',
        toolCallId,
        tail: parts.redactor.text(tail).slice(-MAX_TAIL_CHARS),
        bytes,
        ...(waitsForInput && { waitsForInput }),
      }),
    terminal: parts.terminal(toolCallId),
    ...(parts.endedLater && { endedLater: parts.endedLater }),
    openSpool: () => redactedSpool(parts),
  }
}

/** Long outputs are stored as they arrive, so they are redacted on the way. */
function redactedSpool({ openSpool, redactor }: Pick<DispatchParts, 'openSpool' | 'redactor'>): Spool {
  const spool = openSpool()
  const stream = redactor.stream((bytes) => spool.write(bytes))
  return {
    write: (bytes) => stream.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    end() {
      stream.end()
      return spool.end()
    },
  }
}

interface Outcome {
  readonly output: ToolOutput
  readonly threw: boolean
}

async function outputOf(commit: (run: RunContext) => Promise<ToolOutput>, run: RunContext): Promise<Outcome> {
  try {
    return { output: await commit(run), threw: false }
  } catch (error) {
    return { output: failure(toolError(error)), threw: true }
  }
}

/** How long a tool may take to end after a stop, in ms: a command gets 2 s before it is killed, plus time to read its last output. */
const STOP_TIMEOUT_MS = 5000

/** Ends the wait for a tool that ignores a stop. Never resolves after the call has ended. */
function stopTimeout({ clock }: RunParts, signal: AbortSignal, over: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const output = failure(`The tool did not end within ${STOP_TIMEOUT_MS} ms of being stopped; its outcome is unknown.`)
    const wait = (): void =>
      void clock
        .sleep(STOP_TIMEOUT_MS, over)
        .then(() => resolve({ output, threw: false }))
        .catch(() => {})
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true, signal: over })
  })
}
