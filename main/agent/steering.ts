import { newId } from '../../shared/lib/ids.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import { messageAlone } from '../../shared/session/person-message.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { requestOf, turnEnd } from './session-commands.ts'
import { loopWarning } from './loop-detection/find-loop.ts'
import type { SessionRecord } from './record/session-record.ts'
import { failureWarning } from './loop-detection/repeated-failures.ts'
import type { TurnTally } from './record/turn-tally.ts'

/** Adds the user's waiting messages and the loop's own warnings before the next request. */
export function injectSteering(record: SessionRecord, detectLoops: boolean): void {
  const warning = detectLoops ? warningOf(record.memory().tally) : null
  const failed = record.memory().failedCommands.note()
  const own = [
    ...(warning === null ? [] : loopEvents(warning)),
    ...(failed === null ? [] : [{ kind: 'STEERING_INJECTED', inputId: newId('in'), text: failed, by: 'loop' } as const]),
  ]
  if (own.length === 0 && !record.state().queue.some(({ delivery }) => delivery === 'steer')) return
  record.transact(() => [...own, ...steeringOf(record.state())])
}

function warningOf(tally: TurnTally): string | null {
  const loop = tally.loop()
  if (loop) return loopWarning(loop.calls)
  const failing = tally.failing()
  return failing && failureWarning(failing)
}

function loopEvents(message: string): readonly DurableEvent[] {
  return [
    { kind: 'LOOP_DETECTION', message },
    { kind: 'STEERING_INJECTED', inputId: newId('in'), text: message, by: 'loop' },
  ]
}

function steeringOf({ queue }: SessionState): readonly DurableEvent[] {
  return queue
    .filter(({ delivery }) => delivery === 'steer')
    .map((input) => ({ kind: 'STEERING_INJECTED', inputId: input.inputId, ...messageAlone(input), by: 'person' }))
}

/**
 * What follows an answer without calls: steering messages go to the agent at once, then one queued message starts a new request. If
 * neither waits, the turn ends. Call this inside the transaction that stores the result, so that no message is missed.
 */
export function afterLastAnswer(state: SessionState): readonly DurableEvent[] {
  const steering = steeringOf(state)
  if (steering.length > 0) return steering
  const next = state.queue.find(({ delivery }) => delivery === 'queue')
  return next ? requestOf(state, next, 'follow-up') : turnEnd(state, 'completed')
}
