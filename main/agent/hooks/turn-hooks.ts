import { tokensOf } from '../../../shared/session/content.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { QueuedInput, UserItem } from '../../../shared/session/state.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { Clock } from '../ports/clock.ts'
import type { HookMoment, HookAnswer, Hooks } from '../ports/hooks.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { runAndRecord, spoken, tellContext } from './record-hooks.ts'

/** The hooks of a session. */
export interface LoopHooks {
  readonly hooks: Hooks
  readonly isSubagent: boolean
}

interface HookedTurn extends LoopHooks {
  readonly record: SessionRecord
}

/** What hooks have already done for a session in this process. */
interface Given {
  isStarted: boolean
  /** The id of the message whose hooks have run. */
  message: string
  /** The ids of messages to the running turn that hooks have already checked. */
  readonly steering: Set<string>
  /** How many times in a row Stop hooks have made the agent continue. */
  stops: number
}

const given = new WeakMap<SessionRecord, Given>()

/** The same maximum as in Claude Code. */
const MAX_STOPS = 8

function givenTo(record: SessionRecord): Given {
  const known = given.get(record) ?? { isStarted: false, message: '', steering: new Set(), stops: 0 }
  given.set(record, known)
  return known
}

export interface BlockedMessage {
  readonly trouble: Trouble
  /** The number of the message's event. */
  readonly seq: number
}

/**
 * Runs the hooks for the start of the session and for a new message. Text from the hooks is added after the message. Returns why the
 * message was blocked, or null if it was not. A subagent gets its messages from its parent, so no hooks run for them.
 */
export async function beforeMessage({ record, hooks, isSubagent }: HookedTurn, signal: AbortSignal): Promise<BlockedMessage | null> {
  const known = givenTo(record)
  const message = record.state().items.findLast((item): item is UserItem => item.kind === 'user' && item.delivery !== 'steer')
  if (!message || message.id === known.message || isSubagent) return null
  known.message = message.id
  known.stops = 0
  const isFirst = !known.isStarted
  known.isStarted = true
  const started = isFirst ? await runAndRecord(record, hooks, { event: 'SessionStart', source: sourceOf(record) }, signal) : null
  const answer = await runAndRecord(record, hooks, { event: 'UserPromptSubmit', prompt: message.text }, signal)
  if (answer.decision === 'deny' || answer.stop !== null) return { trouble: blockedMessage(answer), seq: Number(message.id.slice(1)) }
  tellContext(record, [started?.context ?? '', answer.context].filter((text) => text !== '').join('\n'))
  return null
}

function sourceOf(record: SessionRecord): 'startup' | 'resume' | 'fork' {
  const { forkedFrom, usage } = record.state()
  // A fork has the conversation of another session but none of its cost.
  if (forkedFrom !== null && tokensOf(usage) === 0) return 'fork'
  return record.memory().tally.answers() === 0 ? 'startup' : 'resume'
}

/** The first message to the running turn that hooks have not checked yet. */
function uncheckedSteering({ record, hooks, isSubagent }: HookedTurn): QueuedInput | null {
  if (isSubagent || !hooks.waitFor('UserPromptSubmit')) return null
  const { steering } = givenTo(record)
  return record.state().queue.find(({ delivery, inputId }) => delivery === 'steer' && !steering.has(inputId)) ?? null
}

/**
 * Runs the hooks for messages that reach the agent in the middle of its turn. A blocked message is withdrawn, and the turn continues
 * without it. When this resolves, all messages that were waiting have been checked, but more may have arrived.
 */
export async function beforeSteering(turn: HookedTurn, signal: AbortSignal): Promise<void> {
  const { record, hooks } = turn
  for (let input = uncheckedSteering(turn); input !== null; input = uncheckedSteering(turn)) {
    const { inputId, text } = input
    const answer = await runAndRecord(record, hooks, { event: 'UserPromptSubmit', prompt: text }, signal)
    givenTo(record).steering.add(inputId)
    if (answer.decision === 'deny' || answer.stop !== null)
      record.append({ kind: 'INPUT_WITHDRAWN', inputId }, { kind: 'WARNING', trouble: blockedMessage(answer) })
    else tellContext(record, answer.context)
  }
}

/** Whether a message to the running turn is still waiting for its hooks. */
export const hasUncheckedSteering = (turn: HookedTurn): boolean => uncheckedSteering(turn) !== null

/** Runs the hooks for the end of the turn. If they make the agent continue, adds their text for the model and returns true. */
export async function goesOn({ record, hooks, isSubagent }: HookedTurn, lastWords: string, signal: AbortSignal): Promise<boolean> {
  const known = givenTo(record)
  const event = isSubagent ? 'SubagentStop' : 'Stop'
  if (!hooks.waitFor(event)) return false
  const answer = await runAndRecord(record, hooks, { event, isContinued: known.stops > 0, lastWords }, signal)
  const words = [answer.decision === 'deny' ? answer.reason : '', answer.context].filter((text) => text !== '').join('\n')
  if (words === '' || answer.stop !== null || known.stops >= MAX_STOPS) return false
  known.stops++
  record.append(spoken(`A hook asked the agent to continue: ${words}`))
  return true
}

/** Runs the hooks before a compaction. Null if the compaction may happen, otherwise the reason why not. */
export async function beforeCompaction(
  { record, hooks }: HookedTurn,
  asked: Pick<Extract<HookMoment, { event: 'PreCompact' }>, 'trigger' | 'instructions'>,
  signal: AbortSignal,
): Promise<string | null> {
  const { decision, reason, stop } = await runAndRecord(record, hooks, { event: 'PreCompact', ...asked }, signal)
  return decision === 'deny' || stop !== null ? (stop ?? reason) : null
}

/** Runs the SessionStart hooks, because after a compaction the session starts again with a shorter conversation. */
export async function afterCompaction({ record, hooks, isSubagent }: HookedTurn, signal: AbortSignal): Promise<void> {
  if (isSubagent) return
  const { context } = await runAndRecord(record, hooks, { event: 'SessionStart', source: 'compact' }, signal)
  tellContext(record, context)
}

/** Time after a turn without a new message, in ms, after which the Notification hooks run, as in Claude Code. */
const IDLE_MS = 60_000

/** Runs the Notification hooks once after each turn that is not followed by a message within a minute. Stops when it is disposed. */
export function watchIdle({ record, hooks, isSubagent }: HookedTurn, clock: Clock): Disposable {
  if (isSubagent || !hooks.waitFor('Notification')) return { dispose: () => {} }
  let waiting = new AbortController()
  const moment = { event: 'Notification', message: 'The agent is done and waits for your message.', type: 'idle_prompt' } as const
  const remind = async (signal: AbortSignal): Promise<void> => {
    await clock.sleep(IDLE_MS, signal)
    await runAndRecord(record, hooks, moment, signal)
  }
  const subscription = record.subscribe(({ event }) => {
    if (event.kind !== 'PROCESSING_END' && event.kind !== 'USER_INPUT') return
    waiting.abort('over')
    waiting = new AbortController()
    if (event.kind === 'PROCESSING_END') remind(waiting.signal).catch(() => {})
  })
  return {
    dispose() {
      waiting.abort('over')
      subscription.dispose()
    },
  }
}

/** Runs the hooks for the end of a session if the hooks for its start have run. Never rejects, because the session ends in any case. */
export async function afterSession({ record, hooks }: HookedTurn, reason: 'clear' | 'other'): Promise<void> {
  const known = given.get(record)
  if (!known?.isStarted) return
  known.isStarted = false
  await runAndRecord(record, hooks, { event: 'SessionEnd', reason }, new AbortController().signal).catch(() => {})
}

function blockedMessage({ reason, stop }: HookAnswer): Trouble {
  return {
    code: 'message_blocked',
    what: `A hook blocked your message: ${stop ?? reason}`,
    kept: 'The session is unchanged. The message was not sent to the model.',
    todo: 'Change the message and send it again, or look at Settings > Hooks.',
  }
}
