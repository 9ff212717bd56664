import { ANSWER_DELAY_MS } from '../../shared/session/answer-delay.ts'
import type { AnswerOutcome } from '../../shared/api/approvals.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { unlessStorageFails } from './storage-failures.ts'
import type { Sessions } from '../sessions/sessions.ts'

export function approvalsHandlers({ sessions }: { readonly sessions: Sessions }): AppHandlers['approvals'] {
  return {
    async shown({ sessionId, approvalId }) {
      const opened = await sessions.open(sessionId)
      return opened.ok ? opened.value.shown(approvalId) : { armsInMs: ANSWER_DELAY_MS }
    },
    async answer({ sessionId, approvalId, hash, answer }) {
      const unknown = ({ what }: Trouble): AnswerOutcome => ({ kind: 'ignored', why: 'unknown', message: what })
      return unlessStorageFails(async () => {
        const opened = await sessions.open(sessionId)
        return opened.ok ? opened.value.answer({ approvalId, hash, answer, from: 'window' }) : unknown(opened.failure)
      }, unknown)
    },
  }
}
