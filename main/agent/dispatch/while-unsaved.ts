import type { Trouble } from '../../../shared/session/events.ts'
import type { Verdict } from '../ports/policy.ts'

/** D-55: while nothing can be stored, no step without an explicit yes that knows of it. Such a request has a hash of its own. */
const MARK = '-unsaved'

export function judgedWhileUnsaved(verdict: Verdict, trouble: Trouble | null): Verdict {
  if (!trouble || verdict.kind === 'deny') return verdict
  const reason = `${trouble.what} This step would be taken without being kept in the history.`
  return verdict.kind === 'ask' ? { ...verdict, reason: `${verdict.reason} ${reason}` } : { kind: 'ask', reason, destructive: false }
}

export function hashWhileUnsaved(hash: string, trouble: Trouble | null): string {
  return trouble ? `${hash}${MARK}` : hash
}

export function isForUnsaved(hash: string): boolean {
  return hash.endsWith(MARK)
}

/** Whether an answer to `signed` is an answer to `asked`: the same step, and not taken with less knowledge. */
export function covers(signed: string, asked: string): boolean {
  return signed === asked || signed === `${asked}${MARK}`
}
