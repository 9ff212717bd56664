import { bashOutputSpec } from '../../../shared/tools/background.ts'
import { waitSpec } from '../../../shared/tools/subagents.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { createResultChanges, createEffectfulCalls } from './progress.ts'
import { type CallSignature, findLoop } from './loop-detection.ts'
import { createRepeatedFailures, type RepeatedFailure } from './repeated-failures.ts'

/** Fault 49: warnings of one and the same loop, after which it ends the turn (peers 30). Three, as a step that is refused: 20 equal calls in all. */
const MOST_WARNINGS = 3
/** Of calls that look after something which goes on by itself: the same call again and again is how that is done. */
const MOST_WARNINGS_OF_WAITING = 20
const WAITING: readonly string[] = [waitSpec, bashOutputSpec].map(({ name }) => name)

/** Of a call of this request. */
type SignatureOf = (toolCallId: ToolCallId) => CallSignature | undefined

/** What the newest calls say of an agent that goes round in circles, from the log alone. */
export interface LoopWatch {
  add(event: DurableEvent, signatureOf: SignatureOf): void
  loop(): ReturnType<typeof findLoop>
  /** A call that fails again and again; told once, as a loop is. */
  failing(): RepeatedFailure | null
  /**
   * Warnings that the loop which stands now has outlived when they are enough to end it; null: not. They count since the person last said
   * anything, a call had another result than before, or work was done that is no part of the loop.
   */
  outlived(): number | null
}

/** `window`: how many of the newest calls it looks at. */
export function createLoopWatch(window: number): LoopWatch {
  let recent: CallSignature[] = []
  const failures = createRepeatedFailures()
  const work = createEffectfulCalls()
  const results = createResultChanges()
  /** By the calls that a loop consists of: a cycle has no beginning. */
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
    // Said once per loop: the next warning needs a whole pattern of new calls.
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
  /** Judged when somebody asks: what the person says next makes it worth nothing, and a whole log would take seconds. */
  let waiting: Waiting[] = []
  const judgeWaiting = (): void => {
    const events = waiting
    waiting = []
    events.forEach(judge)
  }
  return {
    add(event, signatureOf) {
      const ended = work.add(event)
      // The person wants it to go on, or says what is to be different.
      if (beginsAnew(event)) {
        waiting = []
        startAnew()
      } else if (isJudged(event)) {
        const call = 'toolCallId' in event ? signatureOf(event.toolCallId) : undefined
        waiting.push({ event, call, worked: ended === null ? null : (signatureOf(ended) ?? '') })
        if (waiting.length > MOST_WAITING) judgeWaiting()
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

/** An event that is not judged yet, with the call that it is of and the call that it says did work. */
interface Waiting {
  readonly event: DurableEvent
  readonly call: CallSignature | undefined
  readonly worked: CallSignature | null
}

/** Events that may wait to be judged; they hold their outputs. */
const MOST_WAITING = 100

function isJudged({ kind }: DurableEvent): boolean {
  return kind === 'TOOL_CALL_START' || kind === 'TOOL_CALL_END' || kind === 'FILES_CHANGED' || kind === 'LOOP_DETECTION'
}

/** What was judged before counts no longer. */
export function beginsAnew(event: DurableEvent): boolean {
  if (event.kind === 'STEERING_INJECTED') return event.by === 'person'
  return event.kind === 'USER_INPUT' || event.kind === 'RESUME_REQUESTED'
}

/** A signature begins with the name of the tool. */
function mostWarnings(call: CallSignature): number {
  return WAITING.some((name) => call.startsWith(`${name} `)) ? MOST_WARNINGS_OF_WAITING : MOST_WARNINGS
}
