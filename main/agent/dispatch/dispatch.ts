import { contentText } from '../../../shared/session/content.ts'
import { failure, withWords } from '../tool-output.ts'
import type { Amended } from '../../../shared/session/amendment.ts'
import type { CopyOutcome, Trouble } from '../../../shared/session/events.ts'
import { type CommandEffect, type Effect, isLayerWork } from '../../../shared/session/effects.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { createCallSession } from '../record/call-session.ts'
import { createFileOverlay, type FileOverlay } from './file-overlay.ts'
import type { DispatchParts } from './dispatch-parts.ts'
import type { BlockedHost } from '../ports/command-copies.ts'
import type { PrepareContext, RunContext, ToolOutput } from '../ports/tool.ts'
import {
  type Commit,
  type CopyRun,
  type Judge,
  judged,
  type Preparation,
  prepareCall,
  type RoundCall,
  roundCall,
  type SignedInPart,
  type Step,
} from './prepare.ts'
import { judgedByPlan, planInForce, withUnplanned } from '../plan-deviations.ts'
import { createReadRunner, type ReadRunner } from './read-runner.ts'
import {
  askForSignatures,
  covers,
  denialOfLostSecret,
  hashWhileUnsaved,
  isForUnsaved,
  judgedWhileUnsaved,
  refusalText,
  refusedChanges,
  signatureFor,
  type Signed,
} from './signatures.ts'
import { confinedCommit } from '../copies/confined-commit.ts'
import { runCallInCopy } from '../copies/run-call-in-copy.ts'
import { commandInLayer } from '../copies/command-in-layer.ts'
import { hostEffect, hostRequests } from '../copies/host-requests.ts'
import { copyCommit, refusedCopy, refusedForReal, releaseCopy } from '../copies/copy-commit.ts'
import { layerStep } from '../copies/layer-changes.ts'
import { inLook } from '../one-look.ts'
import { executeStep } from './execute.ts'
import { callEnd } from './call-end.ts'
import { hookCalls, hookRequests, notifyHooks, recallHooks, withHooks } from '../hooks/call-hooks.ts'

/**
 * Runs the open calls of the newest answer, starting wherever the log left off. The stages of a call, in the order of this file:
 *
 * 1. `prepareCalls` prepares all open calls, each on top of the files that the steps before it would write (`file-overlay`). Calls without
 *    effects run at once and in parallel (`read-runner`). After a step, they wait for it, because results must be true when the model
 *    reads them. All signatures that are needed are requested in one transaction (`signatures`).
 * 2. `takeStep` waits for the first step's signature, then for the workspace's write lock.
 * 3. `runSigned` prepares the step again if it had to wait, checks that the signature still covers it, and runs it (`execute`).
 * 4. If a refusal, a failure or a command may have changed what the later calls would do, they are prepared again.
 *
 * Resolves when every call has ended. Rejects with the signal's reason.
 */
export async function runRound(record: SessionRecord, parts: DispatchParts, signal: AbortSignal): Promise<void> {
  const round = openRound(record, parts, signal)
  if (!round) return
  try {
    await hookCalls(round.calls, record, parts, signal)
    await prepareCalls(round)
    for (;;) {
      await round.reads.settled()
      signal.throwIfAborted()
      const call = round.calls.find((one) => !one.isOver)
      if (!call) return
      if (call.preparation?.kind === 'step') await takeStep(round, call, call.preparation)
      else if (call.preparation?.kind === 'copy') await takeCopy(round, call, call.preparation)
      else await prepareCalls(round)
    }
  } finally {
    await round.reads.settled()
  }
}

/**
 * After a restart: prepares the waiting calls again and updates their requests, so that a request stays open exactly as long as it still
 * describes what would be done. Executes nothing, not even reads.
 */
export async function refreshRequests(record: SessionRecord, parts: DispatchParts, signal: AbortSignal): Promise<void> {
  const round = openRound(record, parts, signal)
  if (!round) return
  recallHooks(round.calls, record)
  await prepareCalls(round, true)
}

interface Round {
  readonly record: SessionRecord
  readonly parts: DispatchParts
  readonly signal: AbortSignal
  readonly calls: readonly RoundCall[]
  readonly reads: ReadRunner
}

function openRound(record: SessionRecord, parts: DispatchParts, signal: AbortSignal): Round | null {
  const open = record.memory().transcript.openRound()
  if (!open) return null
  const calls = open.calls.filter((part) => !open.isEnded(part.toolCallId)).map((part) => roundCall(part, open.stopReason, parts.registry))
  const session = createCallSession(record, parts.blobs)
  return { record, parts, signal, calls, reads: createReadRunner(record, { ...parts, publish: record.publish, session }, signal) }
}

async function prepareCalls(round: Round, isDry = false): Promise<void> {
  round.signal.throwIfAborted()
  const overlay = newOverlay(round)
  let isFirst = true
  for (const call of round.calls.filter((one) => !one.isOver)) {
    let preparation = await prepare(round, call, overlay)
    // The preparation may have failed only because an earlier read has not finished ("read the file first").
    if (isFirst && preparation.kind === 'ended' && round.reads.isRunning()) {
      await round.reads.settled()
      preparation = await prepare(round, call, overlay)
    }
    call.preparation = preparation
    call.isFresh = isFirst
    if (preparation.kind === 'step' || preparation.kind === 'copy') {
      isFirst = false
      overlay.add(preparation.effects)
    } else if (!isFirst || isDry) call.preparation = null
    else await runOrEnd(round, call, preparation)
  }
  const { record, parts, signal } = round
  const isChanged =
    !isDry && (await hookRequests(round.calls, record, parts, (call, effects) => judgeOf(round, call, overlay).judge(effects), signal))
  for (const call of round.calls)
    if (!call.isOver && call.preparation?.kind === 'ended' && call.wasRequestHooked) await runOrEnd(round, call, call.preparation)
  if (isChanged) return prepareCalls(round)
  notifyHooks(askForSignatures(record, round.calls, parts), record, parts, signal)
}

const newOverlay = ({ record, parts }: Round): FileOverlay =>
  createFileOverlay({ ...parts, seen: (path) => record.memory().seen.get(path), seenLines: (path) => record.memory().seen.lines(path) })

const prepare = (round: Round, call: RoundCall, files: FileOverlay): Promise<Preparation> =>
  inLook(call.look, () => prepareInLook(round, call, files))

async function prepareInLook(round: Round, call: RoundCall, files: FileOverlay): Promise<Preparation> {
  const { record, parts } = round
  const { copies } = parts
  // If this did not wait, each step would need a signature for running with unsaved history whenever another process briefly locks the
  // store.
  await record.settled()
  call.mode = record.state().config.mode
  const by = judgeOf(round, call, files)
  const outcome = record.call(call.part.toolCallId)?.copy?.outcome
  if (!outcome?.changeSet || !copies) return prepareCall(call.found, prepareContext(round, files), by)
  // A hook that ran before a restart has ended the call.
  if (call.found.kind === 'ended' && call.found.isBlocked) return { kind: 'ended', outcome: 'barred', output: call.found.output }
  const copied = { ...parts, copies }
  const { effects, commitOf } = (await layerStep(outcome, copied)) ?? {
    effects: outcome.effects,
    commitOf: (amended: SignedInPart | null) => copyCommit({ outcome, bashAfter: call.bashAfter }, copied, amended),
  }
  const planned = withUnplanned(effects, planInForce(record.state().workflow), parts.policy)
  const step = await judged(planned, commitOf(null), by, 'Nothing was applied.')
  return step.kind === 'step' ? { ...step, commitPart: commitOf } : step
}

function prepareContext({ record, parts, signal }: Round, files: FileOverlay): PrepareContext {
  const { env, limits, blobs, place } = parts
  return {
    env,
    files,
    signal,
    limits,
    place,
    keep: blobs.putInSlices,
    seen: files.seen,
    seenLines: files.seenLines,
    session: createCallSession(record, blobs),
    variables: record.memory().hooks.variables(),
  }
}

/** How a call's effects are judged now: by the policy, the hooks, the signed plan, and whether the history is being saved. */
function judgeOf(round: Round, call: RoundCall, files: FileOverlay): Judge {
  const { record, parts } = round
  const { policy, copies, inLayer } = parts
  const { mode } = call
  const trouble = record.trouble()
  const mayReach = (host: BlockedHost): boolean => policy.judge([hostEffect(host)], record.state().config.mode).kind === 'allow'
  const warn = (shown: Trouble): void => void record.append({ kind: 'WARNING', trouble: shown })
  return {
    look: (effects) => lookedAt(effects, round, call),
    judge: async (effects) => {
      const denied = await denialOfLostSecret(effects, parts)
      if (denied) return denied
      const hooked = withHooks(policy.judge(effects, mode), call.hooked, () => policy.judge(effects, 'full'))
      return judgedWhileUnsaved(judgedByPlan(hooked, effects, record.state()), trouble)
    },
    effectHash: (effects) => hashWhileUnsaved(parts.effectHash(effects), trouble),
    withExecutedFiles: (effects) => policy.withExecutedFiles(effects, files),
    sandboxFor: async (command) => {
      const sandbox = policy.sandboxFor(command, mode, record.call(call.part.toolCallId)?.noCopy ?? null)
      // In a layer, only plan mode uses copies. A machine that can make layers can make copies too.
      if (sandbox === 'layer' || (sandbox === 'copy' && inLayer)) return sandbox
      return copies && sandbox && (await copies.commands.support()).kind === 'present' ? sandbox : null
    },
    ...(copies && {
      confine: (commit: Commit) => confinedCommit(commit, { sessionId: record.sessionId, copies, mayReach, warn }),
      keeps: (folder: string) => copies.commands.keeps(folder),
    }),
    ...(inLayer && {
      inLayer: (commit: Commit, command: CommandEffect) =>
        commandInLayer(commit, command, {
          inLayer,
          mayReach,
          requests: () => hostRequests(call.part, command, record, parts, round.signal),
        }),
    }),
  }
}

/** Returns the effects with facts from the disk, and the reason why a command cannot run in a copy. */
async function lookedAt(effects: readonly Effect[], { record, parts }: Round, { part, mode }: RoundCall): Promise<readonly Effect[]> {
  const looked = await parts.policy.look(effects)
  const tried = record.call(part.toolCallId)?.noCopy?.reason
  const mayCopy = mode !== 'full' && looked.some(({ kind }) => kind === 'command')
  const support = mayCopy ? await parts.copies?.commands.support() : undefined
  const approved = planInForce(record.state().workflow)
  return withUnplanned(looked, approved, parts.policy).map((effect) => {
    if (effect.kind !== 'command') return effect
    const { noCopy: byWords, ...command } = effect
    const noCopy = support?.kind === 'present' ? (tried ?? byWords) : undefined
    return { ...command, ...(noCopy !== undefined && { noCopy }) }
  })
}

/** Runs without the write lock, because nothing that a command does in a copy is real. */
async function takeCopy(round: Round, call: RoundCall, copy: CopyRun): Promise<void> {
  const { record, parts, signal } = round
  const { copies } = parts
  if (!copies || call.mode !== record.state().config.mode) return prepareCalls(round)
  const failure = await inLook(call.look, () => runCallInCopy(call, copy, record, { ...parts, copies }, signal))
  const outcome = record.call(call.part.toolCallId)?.copy?.outcome
  if (failure !== null) record.append({ kind: 'COPY_FAILED', toolCallId: call.part.toolCallId, ...failure })
  call.isOver = failure === null && !outcome?.changeSet
  await prepareCalls(round)
}

/** Runs a call without effects, and ends a call that cannot run. */
async function runOrEnd(
  { reads, parts, record }: Round,
  call: RoundCall,
  preparation: Exclude<Preparation, { kind: 'step' | 'copy' }>,
): Promise<void> {
  const { part } = call
  call.isOver = true
  if (preparation.kind === 'read')
    inLook(call.look, () =>
      reads.start(part, preparation.commit, () => {
        call.isOver = false
        call.preparation = null
      }),
    )
  else {
    const copied = record.call(part.toolCallId)?.copy?.outcome
    const { outcome, output: given } = preparation
    const output = copied ? refusedCopy(copied, parts, contentText(given.output)) : given
    reads.ended(callEnd({ part, output, outcome, durationMs: 0 }, parts))
    if (copied) await releaseCopy(copied, parts).catch(() => {})
  }
}

async function takeStep(round: Round, call: RoundCall, step: Step): Promise<void> {
  const { record, parts, signal } = round
  const signature = await signatureFor(record, call, step, signal)
  if (signature.kind === 'refused') {
    call.isOver = true
    const item = record.call(call.part.toolCallId)
    const outcome = item?.copy?.outcome
    const output = outcome
      ? refusedCopy(outcome, parts, refusedChanges(signature))
      : (refusedForReal(item, parts, signature) ?? failure(refusalText(signature, step.effects)))
    record.append(callEnd({ part: call.part, output, outcome: 'refused', durationMs: 0 }, parts))
    if (outcome) await releaseCopy(outcome, parts).catch(() => {})
  }
  const areOthersValid =
    signature.kind === 'signed' &&
    (await parts.exclusively((hasWaited) => runSigned(round, call, step, { ...signature, hasWaited }), signal))
  if (!areOthersValid) await prepareCalls(round)
}

/** Runs a step that is signed or allowed. Returns whether the calls that were prepared on top of it are still valid. */
async function runSigned(
  round: Round,
  call: RoundCall,
  step: Step,
  { by, hash, amended, reply, hasWaited }: Signed & { readonly hasWaited: boolean },
): Promise<boolean> {
  const { record, parts, signal } = round
  // A step is prepared and judged again after a signature, after a wait for the lock, and after a change of mode.
  const isCurrent = call.isFresh && hash === null && !hasWaited && call.mode === record.state().config.mode
  const now = isCurrent ? step : await prepare(round, call, newOverlay(round))
  if (now.kind !== 'step' || !(hash === null ? now.verdict.kind === 'allow' : covers(hash, now.hash))) {
    if (now.kind === 'ended') await runOrEnd(round, call, now)
    return false
  }
  const unsaved = hash !== null && isForUnsaved(hash)
  const answered = reply === null ? now : { ...now, commit: (run: RunContext) => now.commit({ ...run, reply }) }
  const asSigned = amended === null ? answered : amendedStep(now, amended, parts)
  const result = await inLook(call.look, () => executeStep({ call, step: asSigned, by, unsaved }, record, parts, signal))
  return result === 'done' && amended === null && !hasUnknownEffects(now) && !hasLayerChanges(round)
}

/**
 * Whether an open call has the changes of a layer. These are compared with the current folder, and a request about them shows the
 * differences.
 */
function hasLayerChanges({ calls, record }: Round): boolean {
  const isOpen = ({ isOver }: RoundCall): boolean => !isOver
  return calls.filter(isOpen).some(({ part }) => {
    const outcome = record.call(part.toolCallId)?.copy?.outcome
    return outcome ? isOfLayer(outcome) : false
  })
}

/** Returns the step with the file contents that the user signed in place of the proposed contents. */
function amendedStep(step: Step, amended: Amended, parts: DispatchParts): Step {
  const { effects, hash } = amended
  if (parts.effectHash(effects) !== hash) throw new Error('The signed effects do not match their hash.')
  const words = parts.amending.words(step.effects, amended)
  const commit: Commit =
    step.commitPart?.({ ...amended, words }) ?? (async (run) => withResult(await parts.amending.commit(effects, run), words))
  return { ...step, effects, hash, commit }
}

const isOfLayer = ({ effects: [first] }: CopyOutcome): boolean => first?.kind === 'command' && isLayerWork(first)

const withResult = (output: ToolOutput, words: string): ToolOutput => (output.isError ? output : withWords(output, words))

/** A command may have moved the session's shell to another folder, or changed a file that a later call was prepared on. */
function hasUnknownEffects({ effects }: Step): boolean {
  return effects.some(
    (effect) => (effect.kind === 'command' && (effect.sandbox !== 'copy' || effect.way === 'shell')) || effect.kind === 'unknown',
  )
}
