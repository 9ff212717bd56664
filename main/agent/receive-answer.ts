import { assertNever } from '../../shared/lib/assert-never.ts'
import type { Clock } from './ports/clock.ts'
import type { EventLog } from './ports/event-log.ts'
import type { ProviderEvent } from './ports/provider.ts'

export type Received = Extract<ProviderEvent, { kind: 'finish' | 'failure' }>

/** After how long without a word the desk says what is waited for, in ms; how often that is looked at. */
const STALL_MS = 10_000
const LOOK_EVERY_MS = 5_000

/** Reads an answer to its end and tells whoever watches of it as it comes. */
export async function receiveAnswer(
  events: AsyncIterable<ProviderEvent>,
  model: string,
  { log, clock }: { readonly log: Pick<EventLog, 'publish'>; readonly clock: Clock },
): Promise<Received> {
  const watch = watchStall(model, log, clock)
  let inText = false
  try {
    for await (const event of events) {
      watch.heard()
      switch (event.kind) {
        case 'start':
          // An attempt before this one may have broken off in the middle.
          if (inText) log.publish({ kind: 'ASSISTANT_TEXT_END' })
          inText = false
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
  throw new Error('A provider ended its stream without finish or failure.')
}

function watchStall(model: string, log: Pick<EventLog, 'publish'>, clock: Clock) {
  const ended = new AbortController()
  let heardAt = clock.elapsed()
  let saidAt: number | null = null
  const look = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_EVERY_MS, ended.signal)
      const silentMs = clock.elapsed() - heardAt
      if (silentMs < STALL_MS || saidAt === heardAt) continue
      saidAt = heardAt
      log.publish({ kind: 'PROGRESS', waitingFor: model, sinceMs: Math.round(clock.now() - silentMs), untilMs: null })
    }
  }
  look().catch(() => {})
  return {
    heard() {
      heardAt = clock.elapsed()
    },
    // With a reason: for none an exception with a stack is made, which costs 30 µs each time.
    end: () => ended.abort('over'),
  }
}
