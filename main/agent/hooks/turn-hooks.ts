import { newId } from '../../../shared/lib/ids.ts'
import type { HookRun } from '../../../shared/session/hooks.ts'
import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import type { UserItem } from '../../../shared/session/state.ts'
import type { HookAnswer, HookMoment, Hooks } from '../ports/hooks.ts'
import type { SessionRecord } from '../record/record.ts'

interface HookedTurn {
  readonly record: SessionRecord
  readonly hooks: Hooks
  readonly isSubagent: boolean
}

/** What hooks already did for a session in this process. */
interface Given {
  isStarted: boolean
  /** The message whose hooks ran. */
  message: string
  /** How often in a row Stop hooks made the agent go on. */
  stops: number
}

const given = new WeakMap<SessionRecord, Given>()

/** As many times in a row as in Claude Code. */
const MOST_STOPS = 8

function givenTo(record: SessionRecord): Given {
  const known = given.get(record) ?? { isStarted: false, message: '', stops: 0 }
  given.set(record, known)
  return known
}

export interface BlockedMessage {
  readonly trouble: Trouble
  /** The event of the message. */
  readonly seq: number
}

/**
 * Runs the hooks for the start of the session and for a new message. What they say follows the message. Null: the message was not blocked. A
 * subagent gets its messages from its parent, so there are no hooks for them.
 */
export async function beforeMessage({ record, hooks, isSubagent }: HookedTurn, signal: AbortSignal): Promise<BlockedMessage | null> {
  const known = givenTo(record)
  const message = record.state().items.findLast((item): item is UserItem => item.kind === 'user' && item.delivery !== 'steer')
  if (!message || message.id === known.message || isSubagent) return null
  known.message = message.id
  known.stops = 0
  const isFirst = !known.isStarted
  known.isStarted = true
  const source = record.memory().tally.answers() === 0 ? 'startup' : 'resume'
  const started = isFirst ? await ran({ record, hooks }, { event: 'SessionStart', source }, signal) : null
  const answer = await ran({ record, hooks }, { event: 'UserPromptSubmit', prompt: message.text }, signal)
  if (answer.decision === 'deny' || answer.stop !== null) return { trouble: blockedMessage(answer), seq: Number(message.id.slice(1)) }
  const context = [started?.context ?? '', answer.context].filter((text) => text !== '').join('\n')
  if (context !== '') record.append(spoken(`Context from hooks:\n${context}`))
  return null
}

/** Runs the hooks for the end of the turn. True: the agent goes on, with what they said. */
export async function goesOn({ record, hooks, isSubagent }: HookedTurn, lastWords: string, signal: AbortSignal): Promise<boolean> {
  const known = givenTo(record)
  const event = isSubagent ? 'SubagentStop' : 'Stop'
  if (!hooks.waitFor(event)) return false
  const answer = await ran({ record, hooks }, { event, isContinued: known.stops > 0, lastWords }, signal)
  const words = [answer.decision === 'deny' ? answer.reason : '', answer.context].filter((text) => text !== '').join('\n')
  if (words === '' || answer.stop !== null || known.stops >= MOST_STOPS) return false
  known.stops++
  record.append(spoken(`A hook wants the work to go on: ${words}`))
  return true
}

async function ran({ record, hooks }: Pick<HookedTurn, 'record' | 'hooks'>, moment: HookMoment, signal: AbortSignal): Promise<HookAnswer> {
  const answer = await hooks.run(moment, { mode: record.state().config.mode, signal })
  // The session may have ended meanwhile.
  signal.throwIfAborted()
  recordHooks(record, answer)
  return answer
}

/** Appends the runs to the log, and those that nothing waits for when they end. */
export function recordHooks(record: SessionRecord, { runs, later }: HookAnswer): void {
  const append = (some: readonly HookRun[]): void => void (some.length > 0 && record.transact(() => some.map(hookEvent)))
  append(runs)
  // The session may have been closed meanwhile.
  later?.then(append).catch(() => {})
}

const hookEvent = (run: HookRun): DurableEvent => ({ kind: 'HOOK_RAN', ...run })

const spoken = (text: string): DurableEvent => ({ kind: 'STEERING_INJECTED', inputId: newId('in'), text, by: 'loop' })

function blockedMessage({ reason, stop }: HookAnswer): Trouble {
  return {
    code: 'message_blocked',
    what: `A hook blocked your message: ${stop ?? reason}`,
    kept: 'The session. The message was not sent to the model.',
    todo: 'Change the message and send it again, or look at Settings, Hooks.',
  }
}
