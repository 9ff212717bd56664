import { usageEvent } from './events-from-answer.ts'
import type { Model, RetryOptions, ScheduledRetry } from '../ports/model.ts'
import type { ModelAnswer } from '../ports/provider.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { tokensOf } from '../../../shared/session/content.ts'

/** Publishes each retry, records the cost of a broken answer, and ends a wait when the user asks to retry now. */
export function recordRetries(record: SessionRecord, model: Model): Omit<RetryOptions, 'signal'> {
  return {
    onScheduled: ({ discarded, ...retry }) => {
      if (discarded && tokensOf(discarded.usage) > 0) record.append(usageEvent(discarded.usage, { state: record.state(), model }))
      const words = discarded ? wordsIn(discarded) : 0
      record.publish({ kind: 'RETRY_SCHEDULED', ...retry, ...(words > 0 && { discardedWords: words, why: brokeOff(retry, words) }) })
    },
    retryNow(signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const subscription = record.subscribe(({ event }) => event.kind === 'RETRY_REQUESTED' && resolve())
      signal.addEventListener('abort', () => subscription.dispose(), { once: true })
      return promise
    },
  }
}

function brokeOff({ why }: Pick<ScheduledRetry, 'why'>, words: number): string {
  return `${why} The ${words === 1 ? 'word' : `${words} words`} that had arrived ${words === 1 ? 'is' : 'are'} dropped; the model writes the answer again.`
}

/** The number of words in an answer's text. */
export function wordsIn({ parts }: ModelAnswer): number {
  return parts.reduce((words, part) => words + (part.kind === 'text' ? (part.text.match(/\S+/g)?.length ?? 0) : 0), 0)
}
