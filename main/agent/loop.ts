import { assertNever } from '../../shared/lib/assert-never.ts'
import { newId } from '../../shared/lib/ids.ts'
import { NO_USAGE, type ProviderId } from '../../shared/session/content.ts'
import type { DurableEvent, SessionConfigured } from '../../shared/session/events.ts'
import type { LoggedTurn, Turn } from '../../shared/session/turns.ts'
import { abortable } from './abortable.ts'
import { answerEvents, type AnswerFacts, brokenAnswerEvents } from './answer/answer-events.ts'
import { closeRound, TurnStopped } from './close-round.ts'
import { inputLimitOf, isFull, makeRoom, nextContext } from './compaction/make-room.ts'
import { runRound } from './dispatch/dispatch.ts'
import type { DispatchParts } from './dispatch/parts.ts'
import { type FinalAnswer, finalQuestion, isFinalAsked, withoutForm } from './answer/final-answer.ts'
import { picturesLeftOut } from './pictures/picture-refusals.ts'
import { OLDER_PICTURES_LEFT_OUT } from './pictures/picture-room.ts'
import type { Budget } from './ports/budget.ts'
import type { Clock } from './ports/clock.ts'
import type { Model, ModelOf, RequestWithRetries, ToolSet } from './ports/model.ts'
import type { PreCompact } from './ports/pre-compact.ts'
import type { ModelAnswer, ModelRequest } from './ports/provider.ts'
import { type Received, receiveAnswer } from './answer/receive-answer.ts'
import type { SessionRecord } from './record/record.ts'
import type { RequestContexts } from './answer/request-context.ts'
import { retriesOf, wordsIn } from './answer/retries.ts'
import { showsPictures } from './pictures/shown-pictures.ts'
import { afterLastAnswer, injectSteering } from './steering.ts'
import { answerEnd, loopsOn, WINDOW_FULL, windowFull, mayRunCalls, pausedAgain, refusedAgain, unexpected } from './turn-troubles.ts'

export interface TurnLimits {
  /** Rounds of calls for one request; 0: no limit (D-07, D-43). */
  readonly maxRounds: number
  /** Answers in the whole session; 0: no limit (T-15). */
  readonly maxTurns: number
  readonly detectLoops: boolean
  /** Percent of the context window at which the conversation is compacted (D-17: 92); 0: never. */
  readonly compactAt: number
}

export interface LoopParts {
  readonly record: SessionRecord
  readonly clock: Clock
  readonly contexts: RequestContexts
  readonly modelOf: ModelOf
  readonly request: RequestWithRetries
  readonly dispatch: Omit<DispatchParts, keyof ToolSet>
  /** With the same registry for the same tools, so that their list is not written anew for each request. */
  toolSetFor(config: SessionConfigured): ToolSet
  limits(): TurnLimits
  /** Somebody sits before it, who takes time to sign. Left out: nobody does. */
  readonly isWatched?: boolean
  /** Left out: nothing is limited. */
  readonly budget?: Budget
  /** What the session has to be told, asked when a request begins; the same is never told twice. */
  news?(record: SessionRecord): Promise<readonly DurableEvent[]>
  /** What the project's memory file says now: a compaction keeps it. Left out: there is none. */
  memory?(): Promise<string>
  /** Has a word before each compaction. Left out: nobody has. */
  readonly preCompact?: PreCompact
  /** What the session's approval mode means, for the model; it is told whenever that changes. Left out: nothing is told. */
  readonly approval?: { readonly mark: string; text(config: SessionConfigured): string }
  /** The form in which the answer to a request is handed in at last; left out: as it is. */
  readonly finalAnswer?: FinalAnswer
}

/** The turn is over, as the log says; null: it goes on. */
type Step = 'over' | null

/**
 * Runs a turn to its end, from wherever the log stands: in front of a request, or in the middle of a round (DESIGN §4). Whatever happens
 * is an event; it never rejects. When it resolves the turn is over, or, after `TurnStopped('closed')`, waits for a signature.
 */
export async function runTurn(parts: LoopParts, signal: AbortSignal): Promise<void> {
  const { record } = parts
  try {
    await record.remember()
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
  if ((await finishRound(parts, signal)) === 'over') return 'over'
  if (record.memory().tally.hasAsked() && completed(parts, [], true) === 'over') return 'over'
  await tellNews(parts, signal)
  const looping = loopEnd(record, limits)
  if (looping) return end(record, [looping], 'limit')
  injectSteering(record, limits.detectLoops)
  const limit = limitReached(record, limits, parts.budget)
  if (!limit) return ask(parts, signal)
  // The form alone is missing: the answer that was given freely counts.
  return isHandInNext(parts) ? end(record, [], 'completed') : end(record, [limit], 'limit')
}

function isHandInNext({ record, finalAnswer }: LoopParts): boolean {
  const last = record.memory().transcript.all().at(-1)
  return finalAnswer !== undefined && last !== undefined && isFinalAsked(finalAnswer, [last])
}

async function tellNews({ record, news }: LoopParts, signal: AbortSignal): Promise<void> {
  if (!news || record.memory().transcript.turns().at(-1)?.kind !== 'user') return
  const [first, ...rest] = await abortable(news(record), signal)
  if (first) record.append(first, ...rest)
}

async function finishRound({ record, dispatch, toolSetFor }: LoopParts, signal: AbortSignal): Promise<Step> {
  const { transcript, tally } = record.memory()
  const round = transcript.openRound()
  if (!round) return null
  await runRound(record, { ...dispatch, ...toolSetFor(record.state().config) }, signal)
  const refused = round.calls.find(({ toolCallId }) => tally.refusals(toolCallId) >= MOST_REFUSALS)
  return refused ? end(record, [{ kind: 'ERROR', error: refusedAgain(refused.toolName) }], 'stopped') : null
}

/** Fault 36: the same call, refused this often since the person's message, ends the turn. */
const MOST_REFUSALS = 3

/** Rounds: a limit up to here ends a loop (fault 49) soon enough by itself, and says so in its own words. */
const NEAR_LIMIT = 50

/** Words of the person are given to the agent first: they may be what helps. */
function loopEnd(record: SessionRecord, { detectLoops, maxRounds }: TurnLimits): DurableEvent | null {
  if (!detectLoops || (maxRounds > 0 && maxRounds <= NEAR_LIMIT)) return null
  const warnings = record.memory().tally.outlivedWarnings()
  if (warnings === null) return null
  const isSteered = record.state().queue.some(({ delivery }) => delivery === 'steer')
  return isSteered ? null : { kind: 'ERROR', error: loopsOn(warnings) }
}

/** Before the request, never after the answer, so that no call stays without a result (T-08). */
function limitReached(record: SessionRecord, { maxRounds, maxTurns }: TurnLimits, budget: Budget | undefined): DurableEvent | null {
  const { tally } = record.memory()
  const overspent = budget?.overspent(record.state()) ?? null
  if (overspent) return { kind: 'TURN_LIMIT', ...overspent }
  if (maxRounds > 0 && tally.rounds() >= maxRounds) return { kind: 'TURN_LIMIT', reason: 'max_tool_rounds', limit: maxRounds }
  if (maxTurns > 0 && tally.answers() >= maxTurns) return { kind: 'TURN_LIMIT', reason: 'max_turns', limit: maxTurns }
  return null
}

async function ask(parts: LoopParts, signal: AbortSignal): Promise<Step> {
  const { record } = parts
  const { config } = record.state()
  const found = await abortable(parts.modelOf(config), signal)
  if (!found.ok) return end(record, [{ kind: 'ERROR', error: found.failure }], 'error')
  const model = found.value
  const { system, tools } = await abortable(parts.contexts.next(model, parts.toolSetFor(config).registry, config), signal)
  const asked = { model: config.model, system, tools, effort: config.effort }
  const shown = (logged: readonly LoggedTurn[]): readonly Turn[] => parts.contexts.shown(logged, config)
  tellUnseen(parts, model, config)
  tellWindow(record, model)
  const room = (why: 'threshold' | 'overflow'): ReturnType<typeof makeRoom> =>
    makeRoom({ ...parts, model, config, asked, shown, facts: factsOf(parts, model, config) }, why, signal)
  if (isFull(record, model, parts.limits().compactAt)) {
    const made = await room('threshold')
    if (typeof made === 'object')
      return failed(record, { kind: 'failure', failure: made.failure, partial: NOTHING }, factsOf(parts, model, config), signal)
    // The summary has cost something: limits are judged again before the request that it makes room for.
    if (made === 'compacted') return null
  }
  tellApproval(parts, system, config)
  goOnFromAnswer(record, config.provider)
  const shape = shapeNow(parts)
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
    if (!isCut || received.answer.parts.some(({ kind }) => kind === 'tool_call')) return taken(parts, received.answer, facts)
    record.append(...answerEvents(received.answer, facts))
    if ((await room('overflow')) === 'compacted') return null
    return end(record, [{ kind: 'ERROR', error: windowFull(config.model) }], 'limit')
  }
  const isOverflow = received.failure.code === 'context_length' && !signal.aborted && parts.limits().compactAt > 0
  // Once: what does not fit then is the person's to decide (D-16).
  if (isOverflow && !record.memory().tally.madeRoom() && (await room('overflow')) === 'compacted') return null
  if (received.failure.cause === 'pictures' && showsPictures(turns) && !signal.aborted) {
    record.append({ kind: 'WARNING', trouble: picturesLeftOut(config, received.failure.message) })
    return null
  }
  const formless = shape && !signal.aborted ? withoutForm(received.failure) : null
  if (formless) return end(record, [...brokenAnswerEvents(received.partial, facts), { kind: 'WARNING', trouble: formless }], 'completed')
  return failed(record, received, facts, signal)
}

/** The prompt keeps its bytes for the whole session, so a mode that it does not describe is described at the end of the conversation. */
function tellApproval({ record, approval }: LoopParts, system: string, config: SessionConfigured): void {
  if (!approval) return
  const text = approval.text(config)
  const said = record
    .memory()
    .transcript.turns()
    .findLast((turn) => isToldBy(approval.mark, turn))
  if (said ? said.content === text : system.includes(text)) return
  record.append({ kind: 'STEERING_INJECTED', inputId: newId('in'), text, by: 'loop' })
}

function isToldBy(mark: string, turn: LoggedTurn): turn is Extract<LoggedTurn, { kind: 'steering' }> {
  return turn.kind === 'steering' && turn.by === 'loop' && typeof turn.content === 'string' && turn.content.startsWith(mark)
}

/** Older pictures make room, and a model of which it is known that it takes none is not sent any; the person hears of it before it answers. */
function tellUnseen({ record, contexts }: LoopParts, { takesPictures }: Model, config: SessionConfigured): void {
  if (record.memory().pictures.areTooMany()) record.append({ kind: 'WARNING', trouble: OLDER_PICTURES_LEFT_OUT })
  if (takesPictures !== false || !showsPictures(contexts.shown(record.memory().transcript.turns(), config))) return
  record.append({ kind: 'WARNING', trouble: picturesLeftOut(config, 'it takes none.') })
}

/** Once for each model; of a limit that is only assumed when half of it is full. */
function tellWindow(record: SessionRecord, { windowTrouble: trouble, ...model }: Model): void {
  if (!trouble || record.memory().warnings.has(trouble)) return
  const limit = inputLimitOf(model) ?? Infinity
  if (trouble.code === 'window_assumed' && nextContext(record) < limit / 2) return
  record.append({ kind: 'WARNING', trouble })
}

/** The form in which the next answer must come; undefined: it is free. */
function shapeNow({ record, finalAnswer }: LoopParts): ModelRequest['answerShape'] {
  return finalAnswer && isFinalAsked(finalAnswer, record.memory().transcript.all()) ? finalAnswer.shape : undefined
}

const NOTHING: ModelAnswer = { parts: [], stopReason: 'other', responseId: null, usage: NO_USAGE }

/**
 * A turn that is resumed behind an answer without calls needs a word of the user's role: a conversation never ends with the model's. A service
 * that paused is asked again with just what it wrote (D-44).
 */
function goOnFromAnswer(record: SessionRecord, provider: ProviderId): void {
  const { transcript, tally } = record.memory()
  const last = transcript.turns().at(-1)
  if (last?.kind !== 'assistant' || (tally.pauses() > 0 && last.provider === provider)) return
  record.append({ kind: 'STEERING_INJECTED', inputId: newId('in'), text: 'Go on.', by: 'loop' })
}

function send({ record, clock, request }: LoopParts, model: Model, asked: ModelRequest, signal: AbortSignal): Promise<Received> {
  record.publish({ kind: 'REQUEST_SENT', provider: model.provider.id, model: asked.model })
  const events = request(model.provider, asked, { signal, ...retriesOf(record, model) })
  const isBetweenAttempts = (): boolean => {
    const awaited = record.state().live?.waitingFor
    return awaited?.retry !== undefined && (awaited.untilMs ?? 0) > clock.now()
  }
  return receiveAnswer(events, asked.model, { log: record, clock, isBetweenAttempts })
}

function factsOf({ record, toolSetFor }: LoopParts, model: Model, config: SessionConfigured): AnswerFacts {
  const { tally, transcript } = record.memory()
  const ownCall: AnswerFacts['ownCall'] = (name, args) => {
    const tool = toolSetFor(config).registry.get(name, args)
    return { toolName: tool?.definition.name ?? name, args: args && (tool?.ownArguments?.(args) ?? args) }
  }
  return { config, state: record.state(), model, contextBefore: tally.context(), isKnownCall: transcript.isKnownCall, ownCall }
}

/** Fault 48: a service that pauses has an end too. */
const MOST_PAUSES = 10

/** One append for the answer, its cost and the start of its calls; the end of the turn goes with it where it is one. */
function taken(parts: LoopParts, answer: ModelAnswer, facts: AnswerFacts): Step {
  const { record } = parts
  const { tally } = record.memory()
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
      if (tally.pauses() >= MOST_PAUSES) return end(record, [...events, { kind: 'ERROR', error: pausedAgain(MOST_PAUSES) }], 'limit')
      record.append(...events)
      return null
    case 'natural':
      return completed(parts, events)
    default:
      return assertNever(ending, 'end of an answer')
  }
}

/** The agent has finished, or `asks` the person something. `events`: what the log needs first. */
function completed({ record, finalAnswer }: LoopParts, events: readonly DurableEvent[], asks = false): Step {
  record.transact(() => {
    const after = afterLastAnswer(record.state(), asks)
    const isDone = after.some(({ kind }) => kind === 'PROCESSING_END')
    const isFinal = !finalAnswer || isFinalAsked(finalAnswer, record.memory().transcript.all())
    return [...events, ...(isDone && !isFinal ? [finalQuestion(finalAnswer)] : after)]
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

type EndReason = Extract<DurableEvent, { kind: 'PROCESSING_END' }>['reason']

function end(record: SessionRecord, events: readonly DurableEvent[], reason: EndReason): 'over' {
  const [first, ...rest] = [...events, { kind: 'PROCESSING_END', reason } as const]
  if (first) record.append(first, ...rest)
  return 'over'
}

/**
 * The person's stop ends what is open. When only the session closes, what waits for a signature goes on waiting (DESIGN §3: pausing
 * overnight is nothing special), and anything else waits for Resume.
 */
function endStopped(record: SessionRecord, signal: AbortSignal): void {
  const closes = signal.reason instanceof TurnStopped && signal.reason.why === 'closed'
  if (!closes) end(record, closeRound(record.state(), 'stop'), 'stopped')
  else if (record.state().run === 'PROCESSING') end(record, [], 'interrupted')
}
