import type { Done } from '../../shared/api/sessions.ts'
import { newId } from '../../shared/lib/ids.ts'
import type { Answering, DurableEvent, SessionConfigured, Trouble } from '../../shared/session/events.ts'
import { type ForTurn, messageAlone, type PersonMessage } from '../../shared/session/person-message.ts'
import { isIdle } from '../../shared/session/fold/run-state.ts'
import { cleanName } from '../../shared/session/session-title.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { asTodo } from '../../shared/workflow/work-plan.ts'
import { closeRound } from './close-round.ts'
import type { SessionRecord } from './record/session-record.ts'
import { NOTHING_TO_COMPACT } from './turn-troubles.ts'
import type { WithdrawnFor } from '../../shared/session/settings/where.ts'

export interface GivenInput extends PersonMessage {
  /** The sender chooses this id. A message with the same id as a waiting message is ignored, or releases that message if it is held. */
  readonly inputId: string
  /** `steer` reaches the running turn after its current round, `queue` waits until the turn ends. */
  readonly delivery: 'steer' | 'queue'
}

/**
 * What the user can ask of a session. Each command is checked and recorded in one transaction, and works the same in the process that
 * runs the session and in a process that only follows it.
 */
export interface SessionCommands {
  /** Sends a message. Starts a turn if none is running. Releases a held message that has the same `inputId`. */
  send(input: GivenInput): Done
  /** Sends text that reaches the agent after the current round or, when no turn runs, with the next request. */
  steer(text: string): Done
  withdraw(inputId: string): Done
  /**
   * Sets the order of the messages that wait for the running turn. Messages that are not in the list follow at the end. Ids of messages
   * that no longer wait are ignored.
   */
  arrange(inputIds: readonly string[]): Done
  resume(): Done
  /** Retries a failed request now, without further delay. */
  retryNow(): Done
  configure(change: Partial<SessionConfigured>): Done
  /**
   * Compacts the conversation now or, if a turn is running, before that turn's next request. `instructions`: what the summary should keep.
   * May be empty.
   */
  compact(instructions: string): Done
  /** Undoes the newest compaction, so that the model gets the complete conversation again. Fails while a turn is running. */
  undoCompaction(): Done
  /** Renames the session. If `name` is empty, restores the title from the session's first request. */
  rename(name: string): Done
}

const DONE: Done = { ok: true }

/**
 * `runsHere`: whether this process runs the session and may start a turn. If it does not, the message is left to the process that runs the
 * session.
 */
export function createSessionCommands(record: SessionRecord, runsHere: boolean): SessionCommands {
  const decide = (judge: (state: SessionState) => readonly DurableEvent[] | Trouble): Done => {
    let done: Done = DONE
    record.transact(() => {
      const judged = judge(record.state())
      done = 'code' in judged ? { ok: false, trouble: judged } : DONE
      return 'code' in judged ? [] : judged
    })
    return done
  }
  return {
    send: (input) => decide((state) => sent(state, input, runsHere)),
    steer: (text) => decide(() => [{ kind: 'INPUT_QUEUED', inputId: newId('in'), text, delivery: 'steer' }]),
    withdraw: (inputId) =>
      decide(({ queue }) => (queue.some((input) => input.inputId === inputId) ? [{ kind: 'INPUT_WITHDRAWN', inputId }] : NOT_WAITING)),
    arrange: (inputIds) => decide((state) => (isIdle(state) ? NOTHING_RUNS : arranged(state.queue, inputIds))),
    resume: () => decide((state) => (canResume(state) ? [{ kind: 'RESUME_REQUESTED' }] : NOTHING_TO_RESUME)),
    retryNow: () => decide(({ run }) => (run === 'PROCESSING' ? [{ kind: 'RETRY_REQUESTED' }] : NOTHING_TO_RETRY)),
    compact: (instructions) => decide((state) => compactionRequested(state, instructions)),
    undoCompaction: () =>
      decide(({ run, compactions }) =>
        compactions.length === 0 ? NOT_COMPACTED : run === 'IDLE' ? [{ kind: 'COMPACTION_UNDONE' }] : STILL_RUNNING,
      ),
    rename: (name) =>
      decide(({ title, requestTitle }) => {
        const wanted = cleanName(name)
        return (wanted || requestTitle) === title ? [] : [{ kind: 'SESSION_RENAMED', name: wanted }]
      }),
    configure: (change) => decide(({ config, answers }) => configured(config, { ...config, ...change }, answers > 0)),
  }
}

function sent({ queue, ...state }: SessionState, input: GivenInput, runsHere: boolean): readonly DurableEvent[] {
  const { inputId, delivery } = input
  const known = queue.find((one) => one.inputId === inputId)
  const canStart = isIdle(state)
  if (known && !(known.held && canStart)) return []
  if (canStart && runsHere) return beginning({ queue, ...state }, input)
  const released: readonly DurableEvent[] = known ? [{ kind: 'INPUT_WITHDRAWN', inputId }] : []
  return [...released, { kind: 'INPUT_QUEUED', inputId, ...messageAlone(input), delivery: canStart ? 'queue' : delivery }]
}

/** The events that begin a new request. They first end the calls that an interrupted turn left open, so that every call has a result. */
export function beginning(state: SessionState, input: PersonMessage & { readonly inputId: string }): readonly DurableEvent[] {
  return [...closeRound(state, 'new_message'), ...requestOf(state, input, 'prompt')]
}

/** The events of a message: the changes that it makes to the configuration, the message itself, and what follows from the message. */
export function requestOf(
  state: SessionState,
  input: PersonMessage & { readonly inputId: string },
  delivery: Extract<DurableEvent, { kind: 'USER_INPUT' }>['delivery'],
): readonly DurableEvent[] {
  const { config, events } = answeringFor(state, input.forTurn)
  return [
    ...events,
    ...(input.plan ? [] : planningFirst({ ...state, config })),
    { kind: 'USER_INPUT', inputId: input.inputId, ...messageAlone(input), delivery },
    ...(input.forTurn?.unknownModel === undefined ? [] : [{ kind: 'WARNING', trouble: unknownModel(input.forTurn) } as const]),
    ...withSteps(input),
  ]
}

/** The configuration for the next turn: the session's own plus what a slash command sets. */
function answeringFor(
  state: SessionState,
  forTurn: ForTurn | undefined,
): { readonly config: SessionConfigured; readonly events: readonly DurableEvent[] } {
  const base = { ...state.config, ...state.afterTurn }
  const config = {
    ...base,
    ...(forTurn?.model !== undefined && { model: forTurn.model }),
    ...(forTurn?.effort !== undefined && { effort: forTurn.effort }),
  }
  if (isSameAnswering(config, state.config)) return { config, events: [] }
  const mark = forTurn && !isSameAnswering(config, base) && { forTurn: { command: forTurn.command, back: answeringOf(base) } }
  return { config, events: [{ kind: 'SESSION_CONFIGURED', ...config, was: answeringOf(state.config), ...mark }] }
}

/**
 * Returns the events that end a turn. If a slash command had changed the session's model or effort for the turn, one of the events restores
 * the session's own values, unless the turn was interrupted and may continue. `withdrawn`: why its request was withdrawn.
 */
export function turnEnd(state: SessionState, reason: EndReason, withdrawn?: WithdrawnFor): readonly [DurableEvent, ...DurableEvent[]] {
  const end: DurableEvent = { kind: 'PROCESSING_END', reason, ...(withdrawn && { withdrawn }) }
  return [end, ...(reason === 'interrupted' ? [] : answeringFor(state, undefined).events)]
}

/** Returns the events that end a stopped turn with its open calls. `withdrawn`: why its request was withdrawn. */
export function endOfStopped(state: SessionState, withdrawn: WithdrawnFor | undefined): readonly [DurableEvent, ...DurableEvent[]] {
  const [first, ...rest] = closeRound(state, withdrawn ? 'withdrawal' : 'stop')
  const end = turnEnd(state, 'stopped', withdrawn)
  return first ? [first, ...rest, ...end] : end
}

export type EndReason = Extract<DurableEvent, { kind: 'PROCESSING_END' }>['reason']

const answeringOf = ({ provider, model, effort }: Answering): Answering => ({ provider, model, effort })

const isSameAnswering = (a: Answering, b: Answering): boolean => a.provider === b.provider && a.model === b.model && a.effort === b.effort

function unknownModel({ command, unknownModel: model = '' }: ForTurn): Trouble {
  return {
    code: 'command_model',
    what: `/${command} asks for the model ${model}, which the provider of this session does not have.`,
    kept: 'The message was sent, and the model of the session answers it.',
    todo: 'Choose another model in the command’s file, or in the composer.',
  }
}

/** If the message came with a plan, its steps become the agent's to-do list. */
function withSteps({ plan }: PersonMessage): readonly DurableEvent[] {
  return plan ? [{ kind: 'TODOS_CHANGED', todos: plan.plan.steps.map(asTodo) }] : []
}

/** In every course except `plain`, a request begins in plan mode, unless it belongs to a plan in progress. */
function planningFirst({ config, workflow, parent }: SessionState): readonly DurableEvent[] {
  const isUnderWay = workflow?.approved && workflow.stage === 'executing'
  if ((config.course ?? 'plain') === 'plain' || config.mode === 'plan' || isUnderWay || parent !== null) return []
  return [{ kind: 'SESSION_CONFIGURED', ...config, mode: 'plan' }]
}

/** Withdraws the messages and queues them again in one transaction, starting at the first message that moves. */
function arranged(queue: SessionState['queue'], inputIds: readonly string[]): readonly DurableEvent[] {
  const named = [...new Set(inputIds)].flatMap((inputId) => queue.filter((input) => input.inputId === inputId))
  const wanted = [...named, ...queue.filter((input) => !named.includes(input))]
  const moved = wanted.slice(wanted.findIndex((input, at) => input !== queue[at]))
  if (wanted.every((input, at) => input === queue[at])) return []
  return moved.flatMap((input): readonly DurableEvent[] => [
    { kind: 'INPUT_WITHDRAWN', inputId: input.inputId },
    { kind: 'INPUT_QUEUED', inputId: input.inputId, ...messageAlone(input), delivery: input.delivery },
  ])
}

function canResume({ run, ended, open }: SessionState): boolean {
  return run === 'IDLE' && (open.length > 0 || (ended !== null && ended !== 'completed'))
}

function compactionRequested(state: SessionState, instructions: string): readonly DurableEvent[] | Trouble {
  const alone = isIdle(state)
  if (state.answers === 0) return NOTHING_TO_COMPACT
  return alone && state.open.length > 0 ? STEPS_OPEN : [{ kind: 'COMPACTION_REQUESTED', instructions: instructions.trim(), alone }]
}

function configured(before: SessionConfigured, after: SessionConfigured, hasAnswered: boolean): readonly DurableEvent[] {
  const { provider, model, mode, effort, baseUrl, course = 'plain' } = after
  const answersSame = isSameAnswering(before, after)
  const isSameCourse = course === (before.course ?? 'plain')
  if (answersSame && mode === before.mode && baseUrl === before.baseUrl && isSameCourse) return []
  const previous = hasAnswered && !answersSame ? { was: answeringOf(before) } : {}
  return [{ kind: 'SESSION_CONFIGURED', provider, model, mode, effort, baseUrl, ...(course !== 'plain' && { course }), ...previous }]
}

const NOT_WAITING: Trouble = {
  code: 'not_waiting',
  what: 'The message is no longer waiting.',
  kept: 'The agent has already received the message.',
  todo: 'Stop the turn if the agent should not act on it.',
}

const NOTHING_RUNS: Trouble = {
  code: 'nothing_runs',
  what: 'No turn is running, so there are no waiting messages to reorder.',
  kept: 'The messages keep the order in which they were sent.',
  todo: 'Send the message that should come first.',
}

const NOT_COMPACTED: Trouble = {
  code: 'not_compacted',
  what: 'There is no compaction to undo.',
  kept: 'The model already gets the whole conversation.',
  todo: 'No action needed.',
}

const STEPS_OPEN: Trouble = {
  code: 'steps_open',
  what: 'The last turn was interrupted, and some of its steps have no result yet.',
  kept: 'The conversation and the steps are unchanged.',
  todo: 'Resume the turn or send a message, then compact.',
}

const STILL_RUNNING: Trouble = {
  code: 'still_running',
  what: 'The agent is working with the compacted conversation.',
  kept: 'The compaction and everything before it are unchanged.',
  todo: 'Stop the turn or wait for it to end, then undo the compaction.',
}

const NOTHING_TO_RETRY: Trouble = {
  code: 'nothing_to_retry',
  what: 'No request is waiting for its next attempt.',
  kept: 'The conversation is unchanged.',
  todo: 'Resume the turn, or send a message.',
}

const NOTHING_TO_RESUME: Trouble = {
  code: 'nothing_to_resume',
  what: 'There is no turn to resume.',
  kept: 'The conversation is unchanged.',
  todo: 'Send a message.',
}
