import { hash } from 'node:crypto'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { stableSummary } from './stable-output.ts'
import type { CallSignature } from './find-loop.ts'

type CallEnded = Extract<DurableEvent, { kind: 'TOOL_CALL_END' }>

/** Tells whether a call returned something different from the last time. If it did, repeating the call is not a loop. */
export interface ResultChanges {
  add(event: CallEnded, signature: CallSignature): boolean
  forget(): void
}

export function createResultChanges(): ResultChanges {
  const newest = new Map<CallSignature, string>()
  return {
    add(event, signature) {
      const before = newest.get(signature)
      const now = resultOf(event)
      newest.set(signature, now)
      return before !== undefined && before !== now
    },
    forget: () => newest.clear(),
  }
}

/**
 * In the output of a successful call, a new time counts as a change, because it may be all that changes when a call polls. In a failure,
 * times are ignored.
 */
function resultOf({ outcome, output, outputBlob, modelText }: CallEnded): string {
  const words = stableSummary(output, outcome === 'done' ? 'kept' : 'left out')
  // Results with different pictures can have the same text.
  const shown = typeof modelText === 'string' ? null : modelText
  return hash('sha1', JSON.stringify([outcome, words, outputBlob?.hash ?? null, shown]), 'base64')
}
