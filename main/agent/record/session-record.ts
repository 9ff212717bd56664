import { createUntoldFailures, type UntoldFailures } from '../failed-in-background.ts'
import { disposable } from '../../../shared/lib/disposable.ts'
import { Emitter } from '../../../shared/lib/emitter.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope, DurableEvent, Envelope } from '../../../shared/session/events.ts'
import { moveOf } from '../../../shared/session/fold/fold-rollback.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { beginsAnew } from '../loop-detection/loop-watch.ts'
import {
  type ContextFacts,
  createContextFacts,
  createGivenWarnings,
  createHookRuns,
  type GivenWarnings,
  type HookRuns,
} from './log-projections.ts'
import { createOmittedReasoning, type OmittedReasoning } from '../answer/omitted-reasoning.ts'
import { createOmittedTools, type OmittedTools } from '../answer/omitted-tools.ts'
import { createOmittedPictures, type OmittedPictures } from '../pictures/omitted-pictures.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import { createSeenFiles, type SeenFiles } from './seen-files.ts'
import { createSlices } from '../event-loop-slices.ts'
import { createTranscript, type Transcript } from './transcript.ts'
import { createTurnTally, type TurnTally } from './turn-tally.ts'
import { keepUnsaved, type UnsavedLog } from './unsaved-log.ts'

/** The part of the log's content that only a working session needs. It is read on first use. */
export interface Memory {
  readonly transcript: Transcript
  readonly tally: TurnTally
  readonly seen: SeenFiles
  readonly context: ContextFacts
  readonly pictures: OmittedPictures
  readonly reasoning: OmittedReasoning
  readonly tools: OmittedTools
  readonly warnings: GivenWarnings
  readonly hooks: HookRuns
  readonly failedCommands: UntoldFailures
}

/** A session's log and everything derived from it. It is updated with each event, whichever process appends the event. */
export interface SessionRecord extends UnsavedLog {
  readonly sessionId: SessionId
  /**
   * The state folded from the log and the live events. It contains only the ledger entries that may still change (open calls) and the
   * newest entry, so that the cost does not depend on the session's length.
   */
  state(): SessionState
  call(toolCallId: ToolCallId): CallItem | null
  /** Blocks for seconds on a long log if `remember` was not awaited first. */
  memory(): Memory
  /** Resolves when `memory` is ready. Reads the log in slices, so that the process stays responsive. */
  remember(): Promise<void>
  /**
   * Resolves with the first non-null result of `look`, which is called now and after each later event. Rejects with the signal's reason.
   */
  until<T>(look: () => T | null, signal: AbortSignal): Promise<T>
}

export interface RecordParts {
  readonly sessionId: SessionId
  readonly log: EventLog
  readonly clock: Clock
  /** The stored state, which must contain every open call. If left out, the state is folded from the complete log. */
  readonly from?: () => SessionState
  readonly loopWindow?: number | undefined
}

export function createRecord({ sessionId, log: stored, clock, from, loopWindow }: RecordParts): SessionRecord {
  const log = keepUnsaved({ sessionId, log: stored, clock, cursor: () => current().cursor })
  let unfolded: AnyEnvelope[] = []
  let memory: Remembered | null = null
  const heard = new Emitter<AnyEnvelope>()

  const current = (): SessionState => {
    if (unfolded.length > 0) {
      const envelopes = unfolded
      unfolded = []
      state = pruned(foldAll(state, envelopes))
    }
    return state
  }
  const subscription = log.subscribe((envelope) => {
    unfolded.push(envelope)
    if (envelope.seq !== null && memory) {
      add(memory, envelope)
      if (memory.isSlim && bringsBack(envelope.event)) memory = null
    }
    heard.fire(envelope)
  })
  // The log is read after subscribing. An event that is both read and delivered has no effect the second time.
  let state = pruned(from?.() ?? foldAll(emptySession(sessionId), stored.read()))

  return {
    sessionId,
    state: current,
    call: (toolCallId) =>
      (current().items.findLast((item) => item.kind === 'call' && item.toolCallId === toolCallId) as CallItem | undefined) ?? null,
    memory: () => (memory ??= readMemory(log, loopWindow)),
    async remember() {
      while (!memory) {
        const found = await readInSlices(stored, loopWindow)
        const meanwhile = [...log.read({ after: found.upTo })]
        for (const envelope of meanwhile) add(found, envelope)
        if (!found.isSlim || !meanwhile.some(({ event }) => bringsBack(event))) memory ??= found
      }
    },
    until: (look, signal) => until(look, heard.event, signal),
    append: log.append,
    appendOnDisk: log.appendOnDisk,
    transact: log.transact,
    transactStored: log.transactStored,
    onDisk: log.onDisk,
    trouble: log.trouble,
    unsaved: log.unsaved,
    settled: log.settled,
    subscribe: heard.event,
    publish: log.publish,
    read: log.read,
    dispose() {
      subscription.dispose()
      log.dispose()
    },
  }
}

/** Whether the event may restore turns whose texts were not read. */
const bringsBack = (event: DurableEvent): boolean => event.kind === 'COMPACTION_UNDONE' || moveOf(event) !== null

/** Returns the state without the entries that can no longer change. */
export function pruned(state: SessionState): SessionState {
  const open = new Set(state.open)
  const last = state.items.length - 1
  const items = state.items.filter((item, index) => index === last || (item.kind === 'call' && open.has(item.toolCallId)))
  return items.length === state.items.length ? state : { ...state, items, firstItem: state.firstItem + state.items.length - items.length }
}

interface Remembered extends Memory {
  /**
   * The `seq` of the newest event that this memory includes. The log may be read while newer events are still being delivered, and no event
   * may be added twice.
   */
  upTo: number
  /** The newest event at which the loop detection restarts. */
  countsFrom: number
  /** Whether results were read without their texts because a compaction had removed them from the conversation. */
  isSlim: boolean
}

function emptyMemory(loopWindow: number | undefined): Remembered {
  return {
    transcript: createTranscript(),
    tally: createTurnTally(loopWindow),
    seen: createSeenFiles(),
    context: createContextFacts(),
    pictures: createOmittedPictures(),
    reasoning: createOmittedReasoning(),
    tools: createOmittedTools(),
    warnings: createGivenWarnings(),
    hooks: createHookRuns(),
    failedCommands: createUntoldFailures(),
    upTo: 0,
    countsFrom: 0,
    isSlim: false,
  }
}

function readMemory(log: EventLog, loopWindow: number | undefined): Remembered {
  const memory = emptyMemory(loopWindow)
  for (const envelope of log.read()) add(memory, envelope)
  return memory
}

/**
 * Reads the log first without the texts of results, which make up most of it, to find where the model's view begins. Then reads it again
 * from there with the texts.
 */
async function readInSlices(log: EventLog, loopWindow: number | undefined): Promise<Remembered> {
  const outline = await readRange(log, emptyMemory(loopWindow), Number.MAX_SAFE_INTEGER)
  const slimTo = Math.min(outline.transcript.neededFrom(), outline.countsFrom) - 1
  const memory = await readRange(log, emptyMemory(loopWindow), slimTo)
  memory.isSlim = slimTo > 0
  return memory
}

async function readRange(log: EventLog, memory: Remembered, slimTo: number): Promise<Remembered> {
  const slice = createSlices()
  for (const envelope of log.read({ slimTo })) {
    add(memory, envelope)
    await slice()
  }
  return memory
}

function add(memory: Remembered, { seq, event }: Envelope): void {
  if (seq <= memory.upTo) return
  memory.upTo = seq
  if (beginsAnew(event)) memory.countsFrom = seq
  memory.transcript.add(event, seq)
  memory.tally.add(event)
  memory.seen.add(event, seq)
  memory.context.add(event)
  memory.pictures.add(event)
  memory.reasoning.add(event)
  memory.tools.add(event)
  memory.warnings.add(event)
  memory.hooks.add(event)
  memory.failedCommands.add(event)
}

function until<T>(look: () => T | null, heard: EventLog['subscribe'], signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const again = (): void => {
      const found = look()
      if (found === null) return
      done.dispose()
      resolve(found)
    }
    const aborted = (): void => {
      done.dispose()
      reject(signal.reason as Error)
    }
    const subscription = heard(again)
    const done = disposable(() => {
      subscription.dispose()
      signal.removeEventListener('abort', aborted)
    })
    signal.addEventListener('abort', aborted)
    if (signal.aborted) aborted()
    else again()
  })
}
