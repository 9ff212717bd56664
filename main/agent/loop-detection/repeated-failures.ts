import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { stableTail } from './stable-output.ts'
import type { CallSignature } from './find-loop.ts'

/** After this many equal failures, the call is expected to fail again, whatever runs in between. */
const MAX_FAILURES = 3
/** How many characters at the end of an output are compared, because the reason for a failure is there. */
const COMPARED_CHARS = 2000

export interface RepeatedFailure {
  readonly toolName: string
  readonly times: number
  readonly signature: CallSignature
  /**
   * Includes calls that are one failure short of the limit: calls that fail alternately form one loop, but reach the limit one after
   * another.
   */
  readonly alike: readonly CallSignature[]
}

/** Finds calls that keep failing in the same way although, because of other calls in between, there is no repeating pattern. */
export interface RepeatedFailures {
  add(event: DurableEvent, signatureOf: (toolCallId: ToolCallId) => CallSignature | undefined): void
  found(): RepeatedFailure | null
  /** Forgets all earlier failures. Called when something may have changed. */
  forget(): void
}

interface Failure {
  readonly words: string
  readonly times: number
  /** Whether another call ran between two of the failures. */
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
      const words = stableTail(event.output, COMPARED_CHARS)
      const before = failures.get(signature)
      const same = before?.words === words ? before : null
      const failure = { words, times: (same?.times ?? 0) + 1, isApart: same !== null && (same.isApart || isApart) }
      failures.set(signature, failure)
      if (failure.times < MAX_FAILURES || !failure.isApart) return
      const alike = [...failures].flatMap(([one, { times }]) => (times >= MAX_FAILURES - 1 ? [one] : []))
      found = { toolName: event.toolName, times: failure.times, signature, alike }
    },
    found: () => found,
    forget,
  }
}

/** The warning for the model, in the user's role. */
export function failureWarning({ toolName, times }: RepeatedFailure): string {
  return `The same ${toolName} call has failed ${times} times in the same way. Try a different approach, or say what blocks you.`
}
