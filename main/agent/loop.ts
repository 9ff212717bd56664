import { assertNever } from '../../shared/lib/assert-never.ts'
import { NO_USAGE } from '../../shared/session/content.ts'
import type { DurableEvent, SessionConfigured } from '../../shared/session/events.ts'
import type { LoggedTurn, Turn } from '../../shared/session/conversation-turns.ts'
import { abortable } from './abortable.ts'
import { answerEvents, type AnswerFacts, brokenAnswerEvents } from './answer/events-from-answer.ts'
import { TurnStopped } from './close-round.ts'
import { endOfStopped, type EndReason, turnEnd } from './session-commands.ts'
import { isFull, makeRoom } from './compaction/make-room.ts'
import { runRound } from './dispatch/dispatch.ts'
import type { DispatchParts } from './dispatch/dispatch-parts.ts'
import { type FinalAnswerForm, finalQuestion, isFinalAsked, isHandInNext, shapeNow, withoutForm } from './answer/final-answer-in-form.ts'
import { askForReview } from './answer/ask-for-review.ts'
import { leftOutAfterRefusal } from './answer/left-out-after-refusal.ts'
import type { Budget } from './ports/budget.ts'
import type { Clock } from './ports/clock.ts'
import type { Model, ModelOf, RequestWithRetries, ToolSet } from './ports/model.ts'
import type { ModelAnswer, ModelRequest } from './ports/provider.ts'
import { type Received, receiveAnswer } from './answer/receive-answer.ts'
import { unusableAnswer } from './answer/unusable-answer.ts'
import type { SessionRecord } from './record/session-record.ts'
import type { ToolRegistry } from './ports/tool.ts'
import type { WantedCompaction } from './record/turn-tally.ts'
import type { PromptAndTools } from './answer/prompt-and-tools.ts'
import { recordRetries, wordsIn } from './answer/record-retries.ts'
import { beforeMessage, beforeSteering, type BlockedMessage, goesOn, hasUncheckedSteering, type LoopHooks } from './hooks/turn-hooks.ts'
import { afterLastAnswer, injectSteering } from './steering.ts'
import { type ApprovalText, goOnFromAnswer, tellApprovalMode, tellPicturesLeftOut, tellWindowTrouble } from './notices-before-request.ts'
import {
  answerEnd,
  loopsOn,
  NOTHING_TO_COMPACT,
  WINDOW_FULL,
  windowFull,
  mayRunCalls,
  pausedAgain,
  refusedAgain,
  stoppedByHook,
  unexpected,
} from './turn-troubles.ts'

export interface TurnLimits {
  /** Maximum number of rounds of calls per request. 0 means no limit. */
  readonly maxRounds: number
  /** Maximum number of answers per session. 0 means no limit. */
  readonly maxTurns: number
  readonly detectLoops: boolean
  /** Percent of the context window at which the conversation is compacted. 0 means never. */
  readonly compactAt: number
}

export interface LoopParts {
  readonly record: SessionRecord
  readonly clock: Clock
  readonly contexts: PromptAndTools
  readonly modelOf: ModelOf
  readonly request: RequestWithRetries
  readonly dispatch: Omit<DispatchParts, keyof ToolSet>
  /** Returns the same registry as long as the tools do not change, so that their list is not serialized for each request. */
  toolSetFor(config: SessionConfigured): ToolSet
  limits(): TurnLimits
  /**
   * Called before each request. Begins in the background what the first command will need, so that it is ready when the model has answered.
   * If left out, the first command waits for it. `isFirst`: whether this is the first request after the user's message.
   */
  prepareCommands?(config: SessionConfigured, isFirst: boolean): void
  /** Called once for each turn, before anything else, and again when a turn goes on that another process began. If left out, nothing is done. */
  beforeTurn?(record: SessionRecord, signal: AbortSignal): Promise<unknown>
  /** Whether a user is watching and needs time to sign. Default: false. */
  readonly isWatched?: boolean
  /** If left out, there is no limit. */
  readonly budget?: Budget
  /**
   * Returns events to add before a request, about subagents that have ended and files that could not be used. Each of these is reported
   * once.
   */
  news?(record: SessionRecord): Promise<readonly DurableEvent[]>
  /** Reads the project's memory file, which a compaction keeps. If left out, there is no memory file. */
  memory?(): Promise<string>
  /** Whether a user can sign edits of the memory file. If so, a compaction may propose notes for it. Default: false. */
  readonly proposesNotes?: boolean
  /** Describes the approval mode to the model, and again after each change. If left out, the mode is not described. */
  readonly approval?: ApprovalText
  /** If left out, there are no hooks. */
  readonly hooks?: LoopHooks | undefined
  /** The form in which the final answer is requested. Default: free text. */
  readonly finalAnswer?: FinalAnswerForm
}

/** `over`: the turn has ended in the log. Null if it continues. */
type Step = 'over' | null

/**
 * Runs a turn to its end, from wherever the log ends: before a request, or in the middle of a round. Everything that happens becomes an
 * event. Never rejects. When it resolves, the turn has ended or, after `TurnStopped('closed')`, waits for a signature.
 */
export async function runTurn(parts: LoopParts, signal: AbortSignal): Promise<void> {
  const { record } = parts
  try {
    await record.remember()
    if (parts.beforeTurn) await abortable(parts.beforeTurn(record, signal), signal)
    while ((await step(parts, signal)) === null);
  } catch (error) {
    if (signal.aborted) endStopped(record, signal)
    else end(record, [{ kind: 'ERROR', error: unexpected(error) }], 'error')
  }
}

async function step(parts: LoopParts, signal: AbortSignal): Promise<Step> {
  signal.throwIfAborted()
  const { record } = parts
  const limits = parts.limits()
  parts.prepareCommands?.(record.state().config, record.memory().tally.rounds() === 0)
  if ((await finishRound(parts, signal)) === 'over') return 'over'
  const wanted = record.memory().tally.wantedCompaction()
  // The request for the summary contains the new message, so the message's hooks run first.
  const blocked = wanted && !hasNewMessage(record.memory().transcript.all()) ? null : await checkMessage(parts, signal)
  if (blocked) return takeBack(record, blocked)
  if (wanted) return compactAsWanted(parts, wanted, signal)
  const stop = record.memory().hooks.stop()
  if (stop !== null) return end(record, [{ kind: 'ERROR', error: stoppedByHook(stop.words) }], 'stopped')
  await tellNews(parts, signal)
  const looping = loopEnd(record, limits)
  if (looping) return end(record, [looping], 'limit')
  await checkSteering(parts, signal)
  injectSteering(record, limits.detectLoops)
  const limit = limitReached(record, limits, parts.budget)
  if (!limit) return ask(parts, signal)
  // If only the answer in the requested form is missing, the free-text answer is used.
  return isHandInNext(parts.finalAnswer, record.memory().transcript.all()) ? end(record, [], 'completed') : end(record, [limit], 'limit')
}

async function checkMessage({ record, hooks }: LoopParts, signal: AbortSignal): Promise<BlockedMessage | null> {
  return hooks ? abortable(beforeMessage({ record, ...hooks }, signal), signal) : null
}

/** Messages that arrive while hooks run are checked too. */
async function checkSteering({ record, hooks }: LoopParts, signal: AbortSignal): Promise<void> {
  while (hooks && hasUncheckedSteering({ record, ...hooks })) await abortable(beforeSteering({ record, ...hooks }, signal), signal)
}

async function tellNews({ record, news }: LoopParts, signal: AbortSignal): Promise<void> {
  if (!news) return
  if (!hasNewMessage(record.memory().transcript.turns())) return
  const [first, ...rest] = await abortable(news(record), signal)
  if (first) record.append(first, ...rest)
}

/** Whether a user message follows the newest answer. Text that hooks added may come after that message. */
function hasNewMessage(turns: readonly LoggedTurn[]): boolean {
  return turns.slice(turns.findLastIndex(({ kind }) => kind === 'assistant') + 1).some(({ kind }) => kind === 'user')
}

async function finishRound({ record, dispatch, toolSetFor }: LoopParts, signal: AbortSignal): Promise<Step> {
  const { transcript, tally } = record.memory()
  const round = transcript.openRound()
  if (!round) return null
  await runRound(record, { ...dispatch, ...toolSetFor(record.state().config) }, signal)
  // The user rejected the plan, and with it the request.
  if (record.state().workflow?.stage === 'cancelled') return end(record, [], 'stopped')
  const refused = round.calls.find(({ toolCallId }) => tally.refusals(toolCallId) >= MAX_REFUSALS)
  return refused ? end(record, [{ kind: 'ERROR', error: refusedAgain(refused.toolName) }], 'stopped') : null
}

/** How many times the user may refuse the same call before the turn ends. */
const MAX_REFUSALS = 3

/** If the round limit is at most this number, loops do not end the turn, because the limit does so soon enough. */
const NEAR_LIMIT = 50

/** The user's messages reach the agent first, because they may resolve the loop. */
function loopEnd(record: SessionRecord, { detectLoops, maxRounds }: TurnLimits): DurableEvent | null {
  if (!detectLoops || (maxRounds > 0 && maxRounds <= NEAR_LIMIT)) return null
  const warnings = record.memory().tally.outlivedWarnings()
  if (warnings === null) return null
  const isSteered = record.state().queue.some(({ delivery }) => delivery === 'steer')
  return isSteered ? null : { kind: 'ERROR', error: loopsOn(warnings) }
}

/** Checked before a request, never after an answer, so that every call gets a result. */
function limitReached(record: SessionRecord, { maxRounds, maxTurns }: TurnLimits, budget: Budget | undefined): DurableEvent | null {
  const { tally } = record.memory()
  const overspent = budget?.overspent(record.state()) ?? null
  if (overspent) return { kind: 'TURN_LIMIT', ...overspent }
  if (maxRounds > 0 && tally.rounds() >= maxRounds) return { kind: 'TURN_LIMIT', reason: 'max_tool_rounds', limit: maxRounds }
  if (maxTurns > 0 && tally.answers() >= maxTurns) return { kind: 'TURN_LIMIT', reason: 'max_turns', limit: maxTurns }
  return null
}

interface NextRequest {
  readonly model: Model
  readonly config: SessionConfigured
  /** The next request without its turns. */
  readonly asked: Omit<ModelRequest, 'turns'>
  readonly registry: ToolRegistry
  /** Returns these turns as they are sent to the service. */
  shown(turns: readonly LoggedTurn[]): readonly Turn[]
}

/** Everything that the next request needs. `over`: the configured model does not exist, so the turn has ended. */
async function nextRequest(parts: LoopParts, signal: AbortSignal): Promise<NextRequest | 'over'> {
  const { record } = parts
  const { config } = record.state()
  const found = await abortable(parts.modelOf(config), signal)
  if (!found.ok) return end(record, [{ kind: 'ERROR', error: found.failure }], 'error')
  const model = found.value
  const { registry } = parts.toolSetFor(config)
  const { system, tools } = await abortable(parts.contexts.next(model, registry, config, signal), signal)
  const asked = { model: config.model, system, tools, effort: config.effort }
  return { model, config, asked, registry, shown: (logged) => parts.contexts.shown(logged, config) }
}

/** Does the compaction that the user asked for. After it, the turn ends if the agent has nothing else to do. */
async function compactAsWanted(parts: LoopParts, { instructions, alone }: WantedCompaction, signal: AbortSignal): Promise<Step> {
  const { record } = parts
  const overspent = parts.budget?.overspent(record.state()) ?? null
  if (overspent) return end(record, [{ kind: 'TURN_LIMIT', ...overspent }], 'limit')
  const next = await nextRequest(parts, signal)
  if (next === 'over') return 'over'
  const { tally, transcript } = record.memory()
  const isAnswered = transcript.turns().at(-1)?.kind === 'assistant' && tally.pauses() === 0
  const facts = factsOf(parts, next.model, next.config)
  const made = await makeRoom({ ...parts, ...next, facts }, { why: 'manual', instructions }, signal)
  if (typeof made === 'object') return failed(record, { kind: 'failure', failure: made.failure, partial: NOTHING }, facts, signal)
  if (made === 'nothing') record.append({ kind: 'WARNING', trouble: NOTHING_TO_COMPACT })
  if (!alone && !isAnswered) return null
  await checkSteering(parts, signal)
  return completed(parts, [], '')
}

async function ask(parts: LoopParts, signal: AbortSignal): Promise<Step> {
  const { record } = parts
  const next = await nextRequest(parts, signal)
  if (next === 'over') return 'over'
  const { model, config, asked, registry, shown } = next
  tellPicturesLeftOut(parts, model, config)
  tellWindowTrouble(record, model)
  const room = (why: 'threshold' | 'overflow'): ReturnType<typeof makeRoom> =>
    makeRoom({ ...parts, ...next, facts: factsOf(parts, model, config) }, { why }, signal)
  if (isFull(record, model, parts.limits().compactAt)) {
    const made = await room('threshold')
    if (typeof made === 'object')
      return failed(record, { kind: 'failure', failure: made.failure, partial: NOTHING }, factsOf(parts, model, config), signal)
    // The summary cost something, so the limits are checked again before the next request.
    if (made === 'compacted') return null
  }
  await tellApprovalMode(parts, asked.system, config)
  goOnFromAnswer(record, config.provider)
  const shape = shapeNow(parts.finalAnswer, record.memory().transcript.all())
  const turns = shown(record.memory().transcript.turns())
  const pauseLikely = parts.isWatched === true && config.mode === 'ask'
  const received = await send(
    parts,
    model,
    { ...asked, turns, ...(pauseLikely && { pauseLikely }), ...(shape && { answerShape: shape }) },
    signal,
  )
  const facts = factsOf(parts, model, config)
  if (received.kind === 'finish') {
    const isCut = received.answer.endedWith === WINDOW_FULL && !record.memory().tally.mayNotCompact() && parts.limits().compactAt > 0
    if (!isCut || received.answer.parts.some(({ kind }) => kind === 'tool_call')) return taken(parts, received.answer, facts, signal)
    record.append(...answerEvents(received.answer, facts))
    if ((await room('overflow')) === 'compacted') return null
    return end(record, [{ kind: 'ERROR', error: windowFull(config.model) }], 'limit')
  }
  const isOverflow = received.failure.code === 'context_length' && !signal.aborted && parts.limits().compactAt > 0
  // This is tried only once. If the conversation still does not fit, the turn ends and the user decides what to do.
  if (isOverflow && !record.memory().tally.madeRoom() && (await room('overflow')) === 'compacted') return null
  const leftOut = signal.aborted ? null : leftOutAfterRefusal(received.failure, { turns, tools: asked.tools, registry }, config)
  if (leftOut) {
    record.append(leftOut)
    return null
  }
  const formless = shape && !signal.aborted ? withoutForm(received.failure) : null
  if (formless) return end(record, [...brokenAnswerEvents(received.partial, facts), { kind: 'WARNING', trouble: formless }], 'completed')
  return failed(record, received, facts, signal)
}

const NOTHING: ModelAnswer = { parts: [], stopReason: 'other', responseId: null, usage: NO_USAGE }

function send({ record, clock, request }: LoopParts, model: Model, asked: ModelRequest, signal: AbortSignal): Promise<Received> {
  record.publish({ kind: 'REQUEST_SENT', provider: model.provider.id, model: asked.model })
  const events = request(model.provider, asked, { signal, ...recordRetries(record, model) })
  const isBetweenAttempts = (): boolean => {
    const awaited = record.state().live?.waitingFor
    return awaited?.retry !== undefined && (awaited.untilMs ?? 0) > clock.now()
  }
  return receiveAnswer(events, asked.model, { log: record, clock, isBetweenAttempts })
}

function factsOf({ record, toolSetFor }: LoopParts, model: Model, config: SessionConfigured): AnswerFacts {
  const { tally, transcript } = record.memory()
  const canonicalCall: AnswerFacts['canonicalCall'] = (name, args) => {
    const tool = toolSetFor(config).registry.get(name, args)
    return { toolName: tool?.definition.name ?? name, args: args && (tool?.canonicalArguments?.(args) ?? args) }
  }
  return { config, state: record.state(), model, contextBefore: tally.context(), isKnownCall: transcript.isKnownCall, canonicalCall }
}

/** Maximum number of pauses in a row before the turn ends. */
const MAX_PAUSES = 10

/** Appends the answer, its cost and the start of its calls together, and the end of the turn if the answer ends it. */
async function taken(parts: LoopParts, answer: ModelAnswer, facts: AnswerFacts, signal: AbortSignal): Promise<Step> {
  const { record } = parts
  const { tally, transcript } = record.memory()
  let events: ReturnType<typeof answerEvents>
  try {
    events = answerEvents(answer, facts)
  } catch (error) {
    return end(record, [...brokenAnswerEvents(answer, facts), { kind: 'ERROR', error: unexpected(error) }], 'error')
  }
  if (mayRunCalls(answer.stopReason) && answer.parts.some((part) => part.kind === 'tool_call')) {
    record.append(...events)
    return null
  }
  const ending = answerEnd(answer.stopReason, answer.endedWith)
  switch (ending.kind) {
    case 'broken':
      return end(record, [...events, { kind: 'ERROR', error: ending.trouble }], ending.reason)
    case 'paused':
      if (tally.pauses() >= MAX_PAUSES) return end(record, [...events, { kind: 'ERROR', error: pausedAgain(MAX_PAUSES) }], 'limit')
      record.append(...events)
      return null
    case 'natural': {
      const unusable = unusableAnswer(answer, facts, transcript.all(), tally.pauses() > 0)
      if (unusable?.trouble) return end(record, [...unusable.events, { kind: 'ERROR', error: unusable.trouble }], 'error')
      if (unusable) {
        record.transact(() => unusable.events)
        return null
      }
      if (!parts.hooks) return completed(parts, events, wordsOf(answer))
      record.append(...events)
      if (await goesOn({ record, ...parts.hooks }, wordsOf(answer), signal)) return null
      await checkSteering(parts, signal)
      return completed(parts, [], wordsOf(answer))
    }
    default:
      return assertNever(ending, 'end of an answer')
  }
}

const wordsOf = ({ parts }: ModelAnswer): string => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')

/** A message that a hook blocked is removed from the conversation, so that no later request contains it. */
function takeBack(record: SessionRecord, { trouble, seq }: BlockedMessage): 'over' {
  const { todos, compactions, wholeWanted, context } = record.state()
  end(record, [{ kind: 'ERROR', error: trouble }], 'stopped')
  record.append({ kind: 'CONVERSATION_MOVED', to: seq - 1, todos, compactions, wholeWanted, context })
  return 'over'
}

/** The agent has finished. `events`: events to append first. `words`: its last answer. */
function completed({ record, finalAnswer }: LoopParts, events: readonly DurableEvent[], words: string): Step {
  record.transact(() => {
    const turns = record.memory().transcript.all()
    const after = afterLastAnswer(record.state())
    if (!after.some(({ kind }) => kind === 'PROCESSING_END')) return [...events, ...after]
    const isFinal = !finalAnswer || isFinalAsked(finalAnswer, turns)
    return [...events, ...(isFinal ? askForReview(record.state(), turns, words, after) : [finalQuestion(finalAnswer)])]
  })
  return record.state().run === 'IDLE' ? 'over' : null
}

type Failure = Extract<Received, { kind: 'failure' }>

function failed(record: SessionRecord, { failure, partial }: Failure, facts: AnswerFacts, signal: AbortSignal): Step {
  const kept = brokenAnswerEvents(partial, facts)
  if (!signal.aborted) return end(record, [...kept, { kind: 'ERROR', error: facts.model.trouble(failure, wordsIn(partial)) }], 'error')
  const [first, ...rest] = kept
  if (first) record.append(first, ...rest)
  throw signal.reason
}

function end(record: SessionRecord, events: readonly DurableEvent[], reason: EndReason): 'over' {
  const [first, ...rest] = [...events, ...turnEnd(record.state(), reason)]
  if (first) record.append(first, ...rest)
  return 'over'
}

/**
 * If the user stops the turn, the open calls end. If only the session closes, requests for signatures stay open, and everything else
 * waits until the session is resumed.
 */
function endStopped(record: SessionRecord, signal: AbortSignal): void {
  const stopped = signal.reason instanceof TurnStopped ? signal.reason : new TurnStopped('stopped')
  if (stopped.why === 'stopped') record.append(...endOfStopped(record.state(), stopped.withdrawn))
  else if (record.state().run === 'PROCESSING') end(record, [], 'interrupted')
}
