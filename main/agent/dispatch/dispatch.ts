import type { SessionRecord } from '../record/record.ts'
import { askForSignatures } from './ask.ts'
import { createCallSession } from './call-session.ts'
import { callEnd } from './call-end.ts'
import { commitStep } from './commit-step.ts'
import { errorOutput } from './find-call.ts'
import { createOverlay, type Overlay } from './overlay.ts'
import type { DispatchParts } from './parts.ts'
import { lostSecret } from './lost-secret.ts'
import { type Preparation, prepareCall } from './prepare-call.ts'
import { createReadRunner, type ReadRunner } from './read-runner.ts'
import { type RoundCall, roundCall } from './round-call.ts'
import { refusalText, signatureFor, type Signed } from './signature-of.ts'
import { covers, hashWhileUnsaved, isForUnsaved, judgedWhileUnsaved } from './while-unsaved.ts'

type Step = Extract<Preparation, { kind: 'step' }>

/**
 * Carries out what is open of the newest answer's calls (DESIGN §3), entering wherever the log left off. All of them are prepared together,
 * the later ones over an overlay of the earlier, and the signatures that they need are asked for in one transaction. Calls without effects
 * run at once, at the same time; one that follows a step waits for it, since its result must be true when the model reads it. Steps are
 * committed in call order under the workspace's write lock; what a refusal, a failure or a changed file makes untrue of the later ones is
 * prepared and asked anew. Resolves when every call has its end; rejects with the signal's reason.
 */
export async function runRound(record: SessionRecord, parts: DispatchParts, signal: AbortSignal): Promise<void> {
  const round = openRound(record, parts, signal)
  if (!round) return
  try {
    await plan(round)
    for (;;) {
      await round.reads.settled()
      signal.throwIfAborted()
      const call = round.calls.find((one) => !one.isOver)
      if (!call) return
      if (call.preparation?.kind === 'step') await takeStep(round, call, call.preparation)
      else await plan(round)
    }
  } finally {
    await round.reads.settled()
  }
}

/**
 * Prepares anew what waits for a signature, and touches nothing: after a restart a request stands as long as it is still exactly what
 * would be done. Calls that only read are left alone too.
 */
export async function refreshRequests(record: SessionRecord, parts: DispatchParts, signal: AbortSignal): Promise<void> {
  const round = openRound(record, parts, signal)
  if (round) await plan(round, true)
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
  return {
    record,
    parts,
    signal,
    calls,
    reads: createReadRunner(record, { ...parts, publish: record.publish, session: createCallSession(record, parts.blobs) }, signal),
  }
}

const newOverlay = ({ record, parts }: Round): Overlay =>
  createOverlay({ ...parts, seen: (path) => record.memory().seen.get(path), seenLines: (path) => record.memory().seen.lines(path) })

function prepare({ record, parts, signal }: Round, call: RoundCall, files: Overlay): Promise<Preparation> {
  const { env, limits, blobs, policy, place } = parts
  const session = createCallSession(record, blobs)
  const context = { env, files, signal, limits, place, keep: blobs.put, seen: files.seen, seenLines: files.seenLines, session }
  const trouble = record.trouble()
  const { mode } = record.state().config
  call.mode = mode
  return prepareCall(call.found, context, {
    look: policy.look,
    judge: (effects) => lostSecret(effects, parts) ?? judgedWhileUnsaved(policy.judge(effects, mode), trouble),
    effectHash: (effects) => hashWhileUnsaved(parts.effectHash(effects), trouble),
  })
}

async function plan(round: Round, isDry = false): Promise<void> {
  round.signal.throwIfAborted()
  const overlay = newOverlay(round)
  let isFirst = true
  for (const call of round.calls.filter((one) => !one.isOver)) {
    let preparation = await prepare(round, call, overlay)
    // It may only fail because a read before it is still on its way ("read the file first").
    if (isFirst && preparation.kind === 'ended' && round.reads.isRunning()) {
      await round.reads.settled()
      preparation = await prepare(round, call, overlay)
    }
    call.preparation = preparation
    call.isFresh = isFirst
    if (preparation.kind === 'step') {
      isFirst = false
      overlay.add(preparation.effects)
    } else if (!isFirst || isDry) call.preparation = null
    else runOrEnd(round, call, preparation)
  }
  askForSignatures(round.record, round.calls)
}

function runOrEnd({ reads, parts }: Round, call: RoundCall, preparation: Exclude<Preparation, { kind: 'step' }>): void {
  const { part } = call
  call.isOver = true
  if (preparation.kind === 'read') reads.start(part, preparation.commit)
  else reads.ended(callEnd({ part, output: preparation.output, outcome: preparation.outcome, durationMs: 0 }, parts))
}

async function takeStep(round: Round, call: RoundCall, step: Step): Promise<void> {
  const { record, parts, signal } = round
  const signature = await signatureFor(record, call, step, signal)
  if (signature.kind === 'refused') {
    call.isOver = true
    record.append(callEnd({ part: call.part, output: errorOutput(refusalText(signature)), outcome: 'refused', durationMs: 0 }, parts))
  }
  const isAsPlanned =
    signature.kind === 'signed' &&
    (await parts.exclusively((hasWaited) => carryOut(round, call, step, { ...signature, hasWaited }), signal))
  if (!isAsPlanned) await plan(round)
}

/** Whether what was prepared on top of this step still holds. */
async function carryOut(
  round: Round,
  call: RoundCall,
  step: Step,
  { by, hash, waited, hasWaited }: Signed & { readonly hasWaited: boolean },
): Promise<boolean> {
  const { record, parts, signal } = round
  // Whoever waited, for a signature or for the folder, is prepared and judged by what holds now; so is a step of a mode that was left.
  const stands = call.isFresh && !waited && !hasWaited && call.mode === record.state().config.mode
  const now = stands ? step : await prepare(round, call, newOverlay(round))
  if (now.kind !== 'step' || !(hash === null ? now.verdict.kind === 'allow' : covers(hash, now.hash))) {
    if (now.kind === 'ended') runOrEnd(round, call, now)
    return false
  }
  const unsaved = hash !== null && isForUnsaved(hash)
  const went = await commitStep({ call, step: now, by, unsaved }, record, parts, signal)
  return went === 'done' && !mayHaveMoved(now)
}

/** What comes after it may be another thing now: a lasting shell stands elsewhere, a file is no longer as it was prepared. */
function mayHaveMoved({ effects }: Step): boolean {
  return effects.some(({ kind }) => kind === 'command' || kind === 'unknown')
}
