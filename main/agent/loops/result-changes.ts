import { hash } from 'node:crypto'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { lastingSummary } from './stable-output.ts'
import type { CallSignature } from './loop-detection.ts'

type CallEnded = Extract<DurableEvent, { kind: 'TOOL_CALL_END' }>

/** Tells whether a call came to something else than the last time that it was made: then making it again is no standing still. */
export interface ChangedResults {
  add(event: CallEnded, signature: CallSignature): boolean
  forget(): void
}

export function createChangedResults(): ChangedResults {
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

/** One that waits for something may see nothing move but the clock; a failure is the same at any time. */
function resultOf({ outcome, output, outputBlob, modelText }: CallEnded): string {
  const words = lastingSummary(output, outcome === 'done' ? 'kept' : 'left out')
  // Of pictures the words may be the same.
  const shown = typeof modelText === 'string' ? null : modelText
  return hash('sha1', JSON.stringify([outcome, words, outputBlob?.hash ?? null, shown]), 'base64')
}
