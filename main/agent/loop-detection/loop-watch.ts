import { bashOutputSpec } from '../../../shared/tools/built-in/background-commands.ts'
import { waitSpec } from '../../../shared/tools/built-in/subagents.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { createEffectfulCalls } from './effectful-calls.ts'
import { createResultChanges } from './result-changes.ts'
import { type CallSignature, findLoop } from './find-loop.ts'
import { createRepeatedFailures, type RepeatedFailure } from './repeated-failures.ts'

/**
 * Maximum number of warnings about the same loop before the turn ends. With three warnings, a single call runs 20 times before the turn
 * ends.
 */
const MAX_WARNINGS = 3
/** Maximum number of warnings for calls that poll something, which are meant to be repeated. */
const MAX_WARNINGS_OF_WAITING = 20
const WAITING: readonly string[] = [waitSpec, bashOutputSpec].map(({ name }) => name)

/** Returns the signature of a call of this request. */
type SignatureOf = (toolCallId: ToolCallId) => CallSignature | undefined

/** Detects from the log whether the agent is repeating itself. */
export interface LoopWatch {
  add(event: DurableEvent, signatureOf: SignatureOf): void
  loop(): ReturnType<typeof findLoop>
  /** A call that keeps failing in the same way. It is reported once, like a loop. */
  failing(): RepeatedFailure | null
  /**
   * Number of ignored warnings about the current loop, if they are enough to end the turn. Otherwise null. The count restarts when the user
   * says anything, a call returns something new, or other work is done.
   */
  outlived(): number | null
}

/** `window`: the number of newest calls that are examined. */
export function createLoopWatch(window: number): LoopWatch {
  let recent: CallSignature[] = []
  const failures = createRepeatedFailures()
  const work = createEffectfulCalls()
  const results = createResultChanges()
  /** Warnings are counted for each call in the loop, because a loop has no fixed first call by which it could be recognized. */
  const warned = new Map<CallSignature, number>()

  const startAnew = (): void => {
    recent = []
    warned.clear()
    failures.forget()
    results.forget()
  }
  const inLoop = (): readonly CallSignature[] => {
    const loop = findLoop(recent, window)
    return loop ? [...new Set(recent.slice(-loop.length))] : []
  }
  const warn = (): void => {
    const loop = inLoop()
    for (const call of loop.length > 0 ? loop : (failures.found()?.alike ?? [])) warned.set(call, (warned.get(call) ?? 0) + 1)
    // After a warning, only new calls are examined, so the next warning needs a complete new pattern.
    recent = []
    failures.forget()
  }
  const noteProgress = ({ event, call, worked }: Waiting): void => {
    if (event.kind === 'TOOL_CALL_END' && call !== undefined && results.add(event, call)) warned.clear()
    if (worked === null) return
    failures.forget()
    if (!warned.has(worked) && !inLoop().includes(worked)) warned.clear()
  }
  const judge = (one: Waiting): void => {
    const { event, call } = one
    noteProgress(one)
    failures.add(event, () => call)
    if (event.kind === 'TOOL_CALL_START') recent = [...recent, call ?? ''].slice(-window)
    else if (event.kind === 'LOOP_DETECTION') warn()
  }
  /** Events are evaluated only when needed: the user's next message discards them, and evaluating a long log would take seconds. */
  let waiting: Waiting[] = []
  const judgeWaiting = (): void => {
    const events = waiting
    waiting = []
    events.forEach(judge)
  }
  return {
    add(event, signatureOf) {
      const ended = work.add(event)
      // The user wants the agent to continue, or to do something else.
      if (beginsAnew(event)) {
        waiting = []
        startAnew()
      } else if (isJudged(event)) {
        const call = 'toolCallId' in event ? signatureOf(event.toolCallId) : undefined
        waiting.push({ event, call, worked: ended === null ? null : (signatureOf(ended) ?? '') })
        if (waiting.length > MAX_WAITING) judgeWaiting()
      }
    },
    loop() {
      judgeWaiting()
      return findLoop(recent, window)
    },
    failing() {
      judgeWaiting()
      return failures.found()
    },
    outlived() {
      judgeWaiting()
      const failing = failures.found()
      const calls = inLoop()
      const judged = calls.length > 0 ? calls : failing ? [failing.signature] : []
      const counts = judged.map((call) => warned.get(call) ?? 0)
      if (judged.length === 0 || judged.some((call, index) => (counts[index] ?? 0) < mostWarnings(call))) return null
      return Math.min(...counts)
    },
  }
}

/**
 * An event that is not evaluated yet. `call`: the call that the event belongs to. `worked`: the call that had an effect according to this
 * event.
 */
interface Waiting {
  readonly event: DurableEvent
  readonly call: CallSignature | undefined
  readonly worked: CallSignature | null
}

/** Maximum number of unevaluated events, because they keep their outputs in memory. */
const MAX_WAITING = 100

function isJudged({ kind }: DurableEvent): boolean {
  return kind === 'TOOL_CALL_START' || kind === 'TOOL_CALL_END' || kind === 'FILES_CHANGED' || kind === 'LOOP_DETECTION'
}

/** Whether loop detection ignores the calls before this event. */
export function beginsAnew(event: DurableEvent): boolean {
  if (event.kind === 'STEERING_INJECTED') return event.by === 'person'
  return event.kind === 'USER_INPUT' || event.kind === 'RESUME_REQUESTED'
}

/** A signature begins with the tool's name. */
function mostWarnings(call: CallSignature): number {
  return WAITING.some((name) => call.startsWith(`${name} `)) ? MAX_WARNINGS_OF_WAITING : MAX_WARNINGS
}
