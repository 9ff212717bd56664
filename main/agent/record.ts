import { disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { AnyEnvelope, Envelope } from '../../shared/session/events.ts'
import { emptySession, foldAll } from '../../shared/session/fold.ts'
import type { CallItem, SessionState } from '../../shared/session/state.ts'
import { type ContextFacts, createContextFacts } from './context-facts.ts'
import { createPictureRefusals, type PictureRefusals } from './picture-refusals.ts'
import type { Clock } from './ports/clock.ts'
import type { EventLog } from './ports/event-log.ts'
import { createSeenFiles, type SeenFiles } from './seen-files.ts'
import { createTranscript, type Transcript } from './transcript.ts'
import { createTurnTally, type TurnTally } from './turn-tally.ts'
import { keepUnsaved, type UnsavedLog } from './unsaved-log.ts'

/** What only a session at work needs of its log; read from it when first asked for. */
export interface Memory {
  readonly transcript: Transcript
  readonly tally: TurnTally
  readonly seen: SeenFiles
  readonly context: ContextFacts
  readonly pictures: PictureRefusals
}

/** A session's log together with what follows from it, kept up to date event by event, whoever appends. */
export interface SessionRecord extends UnsavedLog {
  readonly sessionId: SessionId
  /**
   * The fold of the log and of the live events. Of the ledger it holds only the entries that may still change (open calls) and the
   * newest one, so that a session of any length costs the same.
   */
  state(): SessionState
  call(toolCallId: ToolCallId): CallItem | null
  memory(): Memory
  /** Resolves with the first non-null look: now, or after one of the coming events. Rejects with the signal's reason. */
  until<T>(look: () => T | null, signal: AbortSignal): Promise<T>
}

export interface RecordParts {
  readonly sessionId: SessionId
  readonly log: EventLog
  readonly clock: Clock
  /** The state as stored, which must hold every open call; left out: it is folded from the whole log. */
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
    if (envelope.seq !== null && memory) remember(memory, envelope)
    heard.fire(envelope)
  })
  // Read after the subscription: what is in both changes nothing the second time.
  let state = pruned(from?.() ?? foldAll(emptySession(sessionId), stored.read()))

  return {
    sessionId,
    state: current,
    call: (toolCallId) =>
      (current().items.findLast((item) => item.kind === 'call' && item.toolCallId === toolCallId) as CallItem | undefined) ?? null,
    memory: () => (memory ??= readMemory(log, loopWindow)),
    until: (look, signal) => until(look, heard.event, signal),
    append: log.append,
    appendOnDisk: log.appendOnDisk,
    transact: log.transact,
    trouble: log.trouble,
    unsaved: log.unsaved,
    subscribe: heard.event,
    publish: log.publish,
    read: log.read,
    dispose() {
      subscription.dispose()
      log.dispose()
    },
  }
}

function pruned(state: SessionState): SessionState {
  const open = new Set(state.open)
  const last = state.items.length - 1
  const items = state.items.filter((item, index) => index === last || (item.kind === 'call' && open.has(item.toolCallId)))
  return items.length === state.items.length ? state : { ...state, items, firstItem: state.firstItem + state.items.length - items.length }
}

/** Up to which event it goes: the log may be read while the newest events are still being told. */
interface Remembered extends Memory {
  upTo: number
}

function readMemory(log: EventLog, loopWindow: number | undefined): Remembered {
  const memory: Remembered = {
    transcript: createTranscript(),
    tally: createTurnTally(loopWindow),
    seen: createSeenFiles(),
    context: createContextFacts(),
    pictures: createPictureRefusals(),
    upTo: 0,
  }
  for (const envelope of log.read()) remember(memory, envelope)
  return memory
}

function remember(memory: Remembered, { seq, event }: Envelope): void {
  if (seq <= memory.upTo) return
  memory.upTo = seq
  memory.transcript.add(event)
  memory.tally.add(event)
  memory.seen.add(event)
  memory.context.add(event)
  memory.pictures.add(event)
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
