import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { stableTail } from './stable-output.ts'
import type { CallSignature } from './loop-detection.ts'

/** A call that has failed so often in the same way will fail again, whatever was called in between. */
const MOST = 3
/** Of the end of an output: there stands why it failed. */
const MOST_CHARACTERS = 2000

export interface RepeatedFailure {
  readonly toolName: string
  readonly times: number
  readonly signature: CallSignature
  /** With those that are about to be found too: calls that fail in turn are one loop. */
  readonly alike: readonly CallSignature[]
}

/** Finds calls that fail again and again in the same way while other calls lie between them, so that no pattern shows it (S-16). */
export interface RepeatedFailures {
  add(event: DurableEvent, signatureOf: (toolCallId: ToolCallId) => CallSignature | undefined): void
  found(): RepeatedFailure | null
  /** Something may be another now: what failed before may work. */
  forget(): void
}

interface Failure {
  readonly words: string
  readonly times: number
  /** Something else was called in between. */
  readonly isApart: boolean
}

export function createRepeatedFailures(): RepeatedFailures {
  const failures = new Map<CallSignature, Failure>()
  let last: CallSignature | null = null
  let found: RepeatedFailure | null = null
  const forget = (): void => {
    failures.clear()
    found = null
  }
  return {
    add(event, signatureOf) {
      if (event.kind !== 'TOOL_CALL_END') return
      const signature = signatureOf(event.toolCallId)
      if (signature === undefined) return
      const isApart = last !== signature
      last = signature
      if (event.outcome !== 'failed' && event.outcome !== 'barred') return void failures.delete(signature)
      const words = stableTail(event.output, MOST_CHARACTERS)
      const before = failures.get(signature)
      const same = before?.words === words ? before : null
      const failure = { words, times: (same?.times ?? 0) + 1, isApart: same !== null && (same.isApart || isApart) }
      failures.set(signature, failure)
      if (failure.times < MOST || !failure.isApart) return
      const alike = [...failures].flatMap(([one, { times }]) => (times >= MOST - 1 ? [one] : []))
      found = { toolName: event.toolName, times: failure.times, signature, alike }
    },
    found: () => found,
    forget,
  }
}

/** What the model is told, in the user's role. */
export function failureWarning({ toolName, times }: RepeatedFailure): string {
  return `The same ${toolName} call has failed ${times} times in the same way. Try a different approach, or say what blocks you.`
}
