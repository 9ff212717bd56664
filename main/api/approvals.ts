import { ARMED_AFTER_MS } from '../../shared/session/arming.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Sessions } from '../sessions/sessions.ts'

export function approvalsHandlers({ sessions }: { readonly sessions: Sessions }): AppHandlers['approvals'] {
  return {
    async shown({ sessionId, approvalId }) {
      const opened = await sessions.open(sessionId)
      return opened.ok ? opened.value.shown(approvalId) : { armsInMs: ARMED_AFTER_MS }
    },
    async answer({ sessionId, approvalId, hash, answer }) {
      const opened = await sessions.open(sessionId)
      if (!opened.ok) return { kind: 'ignored', why: 'unknown', message: opened.failure.what }
      return opened.value.answer({ approvalId, hash, answer, from: 'window' })
    },
  }
}
