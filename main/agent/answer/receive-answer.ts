import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import { createSlices } from '../event-loop-slices.ts'
import type { ProviderEvent } from '../ports/provider.ts'

export type Received = Extract<ProviderEvent, { kind: 'finish' | 'failure' }>

/**
 * After this many ms of silence from the service, the screen says that the agent is waiting for the model. The silence is checked every
 * `LOOK_EVERY_MS`.
 */
const STALL_MS = 2_000
const LOOK_EVERY_MS = 1_000

export interface ReceiveParts {
  readonly log: Pick<EventLog, 'publish' | 'append'>
  readonly clock: Clock
  /** Whether the agent is waiting before a retry. The screen shows that wait elsewhere. If left out, there are no such waits. */
  readonly isBetweenAttempts?: () => boolean
}

/**
 * Reads an answer to its end and publishes it as it arrives. Lets the event loop do other work along the way, however fast the service
 * sends.
 */
export async function receiveAnswer(
  events: AsyncIterable<ProviderEvent>,
  model: string,
  { log, ...watching }: ReceiveParts,
): Promise<Received> {
  const watch = watchStall(model, { log, ...watching })
  const breathe = createSlices()
  let inText = false
  try {
    for await (const event of events) {
      await breathe()
      watch.heard(event)
      switch (event.kind) {
        case 'start':
          // The previous attempt may have broken off in the middle of a text.
          if (inText) log.publish({ kind: 'ASSISTANT_TEXT_END' })
          inText = false
          break
        case 'notice':
          log.append({ kind: 'WARNING', trouble: event.trouble })
          break
        case 'text':
          if (!inText) log.publish({ kind: 'ASSISTANT_TEXT_START' })
          inText = true
          log.publish({ kind: 'ASSISTANT_TEXT_DELTA', text: event.text })
          break
        case 'thinking':
          log.publish({ kind: 'THINKING_DELTA', text: event.text })
          break
        case 'call':
          log.publish({ kind: 'TOOL_CALL_DELTA', toolName: event.toolName, chars: event.chars })
          break
        case 'finish':
        case 'failure':
          if (inText) log.publish({ kind: 'ASSISTANT_TEXT_END' })
          return event
        default:
          assertNever(event, 'provider event')
      }
    }
  } finally {
    watch.end()
  }
  throw new Error('The stream of a provider ended without a finish event or a failure event.')
}

function watchStall(model: string, { log, clock, isBetweenAttempts = () => false }: ReceiveParts) {
  const ended = new AbortController()
  let heardAt = clock.elapsed()
  let saidAt: number | null = null
  let hasBegun = false
  const look = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_EVERY_MS, ended.signal)
      if (isBetweenAttempts()) {
        heardAt = clock.elapsed()
        hasBegun = false
        continue
      }
      const silentMs = clock.elapsed() - heardAt
      if (silentMs < STALL_MS || saidAt === heardAt) continue
      saidAt = heardAt
      const waitingFor = hasBegun ? `${model} to continue` : model
      log.publish({ kind: 'PROGRESS', waitingFor, sinceMs: Math.round(clock.now() - silentMs), untilMs: null })
    }
  }
  look().catch(() => {})
  return {
    heard({ kind }: ProviderEvent) {
      heardAt = clock.elapsed()
      hasBegun = kind !== 'start'
    },
    // `abort()` without a reason creates an exception with a stack trace, which takes 30 µs.
    end: () => ended.abort('over'),
  }
}
