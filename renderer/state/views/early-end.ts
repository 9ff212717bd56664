import { CONFIGURED } from '../../../shared/session/settings/configured-notice.ts'
import type { NoticeItem, SessionState } from '../../../shared/session/state.ts'
import type { View } from '../stores/view-store.ts'

/** A turn that ended before it was done and waits for a decision; `notice` is the entry that says why, when there is one. */
export interface EarlyEnd {
  readonly ended: 'error' | 'interrupted' | 'limit'
  readonly notice: NoticeItem | null
}

/** Troubles that a key, not another attempt, mends. */
const KEY_CODES: ReadonlySet<string> = new Set(['authentication', 'no_key', 'access_denied'])

/** Whether it ended for want of a key that the provider accepts. */
export function wantsKey(early: EarlyEnd | null): boolean {
  return early?.notice ? KEY_CODES.has(early.notice.trouble.code) : false
}

/** Null: the turn runs, or was done, or its end has been put aside. */
export function earlyEndOf(session: SessionState, dismissed: View['dismissed']): EarlyEnd | null {
  const { ended, run, items, sessionId, turnEnd } = session
  if (run !== 'IDLE' || turnEnd === null || (dismissed[sessionId] ?? 0) >= turnEnd.seq) return null
  if (ended !== 'error' && ended !== 'interrupted' && ended !== 'limit') return null
  // another model may have been chosen since, which is one way on
  const last = items.findLast((item) => item.kind !== 'notice' || item.trouble.code !== CONFIGURED)
  return { ended, notice: last?.kind === 'notice' ? last : null }
}
