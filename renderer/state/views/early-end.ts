import { CONFIGURED } from '../../../shared/session/fold/fold-notice.ts'
import type { NoticeItem, SessionState } from '../../../shared/session/state.ts'
import type { View } from '../stores/view-store.ts'

/** A turn that ended early and waits for a decision. `notice` is the ledger entry with the reason, if there is one. */
export interface EarlyEnd {
  readonly ended: 'error' | 'interrupted' | 'limit'
  readonly notice: NoticeItem | null
}

/** Error codes for which the user needs another key instead of a retry. */
const KEY_CODES: ReadonlySet<string> = new Set(['authentication', 'no_key', 'access_denied'])

/** Whether the turn ended because the provider did not accept the key. */
export function wantsKey(early: EarlyEnd | null): boolean {
  return early?.notice ? KEY_CODES.has(early.notice.trouble.code) : false
}

/** Null if the turn is running, was completed, or its early end was dismissed. */
export function earlyEndOf(session: SessionState, dismissed: View['dismissed']): EarlyEnd | null {
  const { ended, run, items, sessionId, turnEnd } = session
  if (run !== 'IDLE' || turnEnd === null || (dismissed[sessionId] ?? 0) >= turnEnd.seq) return null
  if (ended !== 'error' && ended !== 'interrupted' && ended !== 'limit') return null
  // The user may have changed the model since the turn ended. The notice about that change does not say why the turn ended.
  const last = items.findLast((item) => item.kind !== 'notice' || item.trouble.code !== CONFIGURED)
  return { ended, notice: last?.kind === 'notice' ? last : null }
}
