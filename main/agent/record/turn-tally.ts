import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { isCompactionForbidden, isNothingToCompact } from '../turn-troubles.ts'
import { type CallSignature, LOOP_WINDOW, signatureOf } from '../loop-detection/find-loop.ts'
import { createLoopWatch, type LoopWatch } from '../loop-detection/loop-watch.ts'
import { tokensOf } from '../../../shared/session/content.ts'

/**
 * The counts that limits and loop detection use, derived only from the log so that they are the same after a restart. The counts for a
 * request start with the user's message, and start again when the user resumes after a limit.
 */
export interface TurnTally {
  add(event: DurableEvent): void
  /** Number of answers with calls since the request (`maxToolRoundsPerInput`). */
  rounds(): number
  /** Number of answers in the complete session (`maxTurns`). */
  answers(): number
  /** Number of context tokens used by the newest complete answer and its request. */
  context(): number
  /** Whether the conversation was compacted after the newest complete answer, so that compacting it again would not help. */
  madeRoom(): boolean
  /**
   * Whether the user undid the newest compaction. In that case the conversation is compacted automatically only when the context window is
   * full.
   */
  isUndone(): boolean
  readonly loop: LoopWatch['loop']
  readonly failing: LoopWatch['failing']
  readonly outlivedWarnings: LoopWatch['outlived']
  /** Whether a hook has forbidden a compaction since the user's newest message. */
  mayNotCompact(): boolean
  /** The compaction that the user asked for and that is still to be done. Null if there is none. */
  wantedCompaction(): WantedCompaction | null
  /** Number of paused answers in a row. */
  pauses(): number
  /** How many times the user has refused this exact call since their last message. */
  refusals(toolCallId: ToolCallId): number
}

export type WantedCompaction = Pick<Extract<DurableEvent, { kind: 'COMPACTION_REQUESTED' }>, 'instructions' | 'alone'>

/** `window`: the number of newest calls that the loop detection examines. */
export function createTurnTally(window = LOOP_WINDOW): TurnTally {
  let rounds = 0
  let answers = 0
  let context = 0
  let madeRoom = false
  let isUndone = false
  let isForbidden = false
  /** The number of context tokens before each compaction that still applies. */
  const compactions: number[] = []
  const signatures = new Map<ToolCallId, CallSignature>()
  const refused = new Map<CallSignature, number>()
  const watch = createLoopWatch(window)
  let pauses = 0
  const wanted = followWanted()

  const begin = (): void => {
    isForbidden = false
    rounds = 0
    pauses = 0
    signatures.clear()
    refused.clear()
  }
  return {
    add(event) {
      if (event.kind === 'TOOL_CALL_START') signatures.set(event.toolCallId, signatureOf(event.toolName, event.args))
      watch.add(event, (toolCallId) => signatures.get(toolCallId))
      wanted.add(event)
      switch (event.kind) {
        case 'USER_INPUT':
          return begin()
        case 'TURN_LIMIT':
          rounds = 0
          return
        case 'RESUME_REQUESTED':
          pauses = 0
          return
        case 'STEERING_INJECTED':
          if (event.by === 'person') pauses = 0
          return
        case 'ASSISTANT_TURN':
          answers++
          if (event.complete) {
            context = tokensOf(event.usage)
            madeRoom = false
            pauses = event.stopReason === 'pause' ? pauses + 1 : 0
          }
          if (event.complete && event.parts.some((part) => part.kind === 'tool_call')) rounds++
          return
        case 'TOOL_CALL_END': {
          const signature = signatures.get(event.toolCallId)
          if (event.outcome === 'refused' && signature) refused.set(signature, (refused.get(signature) ?? 0) + 1)
          return
        }
        case 'WARNING':
          isForbidden ||= isCompactionForbidden(event)
          return
        case 'COMPACTED':
          compactions.push(context)
          context = event.tokensAfter
          madeRoom = true
          isUndone = false
          return
        case 'COMPACTION_UNDONE':
          context = compactions.pop() ?? context
          madeRoom = false
          isUndone = true
          return
        default:
      }
    },
    rounds: () => rounds,
    answers: () => answers,
    context: () => context,
    madeRoom: () => madeRoom,
    isUndone: () => isUndone,
    loop: watch.loop,
    failing: watch.failing,
    outlivedWarnings: watch.outlived,
    mayNotCompact: () => isForbidden,
    wantedCompaction: wanted.now,
    pauses: () => pauses,
    refusals: (toolCallId) => refused.get(signatures.get(toolCallId) ?? '') ?? 0,
  }
}

/**
 * Follows the compaction that the user asked for until it is done, until an event says why it was not done, or until the turn ends. If the
 * turn was only interrupted, the next turn does the compaction and then answers its own first message.
 */
function followWanted(): { add(event: DurableEvent): void; now(): WantedCompaction | null } {
  let wanted: WantedCompaction | null = null
  return {
    add(event) {
      if (event.kind === 'COMPACTION_REQUESTED') wanted = { instructions: event.instructions, alone: event.alone }
      else if (event.kind === 'COMPACTED' || (event.kind === 'PROCESSING_END' && event.reason !== 'interrupted')) wanted = null
      else if (event.kind === 'USER_INPUT') wanted = wanted && { ...wanted, alone: false }
      else if (isCompactionForbidden(event) || isNothingToCompact(event)) wanted = null
    },
    now: () => wanted,
  }
}
