import type { ToolCallId } from '../../shared/lib/ids.ts'
import type { DurableEvent } from '../../shared/session/events.ts'
import { contextOf } from './context-of.ts'
import { type CallSignature, findLoop, LOOP_WINDOW } from './loop-detection.ts'
import { createRepeatedFailures, type RepeatedFailure } from './repeated-failures.ts'
import { signatureOf } from './signature.ts'

/**
 * What the limits and the loop detection count, from the log alone, so that it is the same after a restart. A request's count begins
 * with the person's message, and anew when the person goes on after a limit.
 */
export interface TurnTally {
  add(event: DurableEvent): void
  /** Answers with calls for this request (`maxToolRoundsPerInput`). */
  rounds(): number
  /** Answers in the whole session: T-15's unit of `maxTurns`. */
  answers(): number
  /** Tokens that the newest whole answer and what it was given fill of the context. */
  context(): number
  /** Whether the conversation was compacted since the newest whole answer: a second time would help no more. */
  madeRoom(): boolean
  loop(): ReturnType<typeof findLoop>
  /** A call that fails again and again; told once, as a loop is. */
  failing(): RepeatedFailure | null
  /** How often the loop that stands now was warned of already, since the person last said anything; 0: there is none. */
  loopWarnings(): number
  /** Answers since the newest one that the service did not pause. */
  pauses(): number
  /** How often the person refused this very call since their last message (fault 36). */
  refusals(toolCallId: ToolCallId): number
}

/** `window`: how many of the newest calls the loop detection looks at. */
export function createTurnTally(window = LOOP_WINDOW): TurnTally {
  let rounds = 0
  let answers = 0
  let context = 0
  let madeRoom = false
  /** What each compaction in force found. */
  const compactions: number[] = []
  let recent: CallSignature[] = []
  const signatures = new Map<ToolCallId, CallSignature>()
  const refused = new Map<CallSignature, number>()
  const failures = createRepeatedFailures()
  /** By the calls that a loop consists of: a cycle has no beginning. */
  const warned = new Map<CallSignature, number>()
  let pauses = 0

  const startAnew = (): void => {
    recent = []
    warned.clear()
    failures.forget()
    pauses = 0
  }
  const begin = (): void => {
    rounds = 0
    signatures.clear()
    refused.clear()
    startAnew()
  }
  const inLoop = (): readonly CallSignature[] => {
    const loop = findLoop(recent, window)
    return loop ? [...new Set(recent.slice(-loop.length))] : []
  }
  const loopWarnings = (): number => {
    const failing = failures.found()
    const calls = inLoop()
    const counts = (calls.length > 0 ? calls : failing ? [failing.signature] : []).map((call) => warned.get(call) ?? 0)
    return counts.length > 0 ? Math.min(...counts) : 0
  }
  return {
    add(event) {
      failures.add(event, (toolCallId) => signatures.get(toolCallId))
      switch (event.kind) {
        case 'USER_INPUT':
          return begin()
        case 'TURN_LIMIT':
          rounds = 0
          return
        // The person wants it to go on, or says what is to be different.
        case 'RESUME_REQUESTED':
          return startAnew()
        case 'STEERING_INJECTED':
          if (event.by === 'person') startAnew()
          return
        case 'ASSISTANT_TURN':
          answers++
          if (event.complete) {
            context = contextOf(event.usage)
            madeRoom = false
            pauses = event.stopReason === 'pause' ? pauses + 1 : 0
          }
          if (event.complete && event.parts.some((part) => part.kind === 'tool_call')) rounds++
          return
        case 'TOOL_CALL_START': {
          const signature = signatureOf(event.toolName, event.args)
          signatures.set(event.toolCallId, signature)
          recent = [...recent, signature].slice(-window)
          return
        }
        case 'TOOL_CALL_END': {
          const signature = signatures.get(event.toolCallId)
          if (event.outcome === 'refused' && signature) refused.set(signature, (refused.get(signature) ?? 0) + 1)
          return
        }
        case 'COMPACTED':
          compactions.push(context)
          context = event.tokensAfter
          madeRoom = true
          return
        case 'COMPACTION_UNDONE':
          context = compactions.pop() ?? context
          madeRoom = false
          return
        case 'LOOP_DETECTION': {
          const loop = inLoop()
          for (const call of loop.length > 0 ? loop : (failures.found()?.alike ?? [])) warned.set(call, (warned.get(call) ?? 0) + 1)
          // Said once per loop: the next warning needs a whole pattern of new calls.
          recent = []
          failures.forget()
          return
        }
        default:
      }
    },
    rounds: () => rounds,
    answers: () => answers,
    context: () => context,
    madeRoom: () => madeRoom,
    loop: () => findLoop(recent, window),
    failing: failures.found,
    loopWarnings,
    pauses: () => pauses,
    refusals: (toolCallId) => refused.get(signatures.get(toolCallId) ?? '') ?? 0,
  }
}
