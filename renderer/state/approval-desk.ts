import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ApprovalId, SessionId } from '../../shared/lib/ids.ts'
import type { CallItem } from '../../shared/session/state.ts'
import type { Connection } from './connection.ts'

/** How far this window is with one request. `armed`: it may be signed. `ignored`: the answer did not count, and why. */
export type Signing =
  | { readonly kind: 'unseen' }
  | { readonly kind: 'arming' }
  | { readonly kind: 'armed' }
  | { readonly kind: 'sending'; readonly answer: 'sign' | 'refuse' }
  | { readonly kind: 'answered'; readonly answer: 'sign' | 'refuse'; readonly at: number }
  | { readonly kind: 'ignored'; readonly message: string }

export interface ApprovalDesk {
  readonly store: StoreApi<ReadonlyMap<ApprovalId, Signing>>
  /** The whole request has been on screen since now. Arms it when main says so (300 ms, C17). */
  shown(sessionId: SessionId, approvalId: ApprovalId): Promise<void>
  answer(
    sessionId: SessionId,
    call: CallItem,
    answer: { readonly kind: 'sign' } | { readonly kind: 'refuse'; readonly note: string | null },
  ): Promise<void>
}

/** What this window knows of the requests it shows; the truth about them is in the log. */
export function createApprovalDesk(connection: Connection): ApprovalDesk {
  const store = createStore<ReadonlyMap<ApprovalId, Signing>>(() => new Map())
  const set = (id: ApprovalId, signing: Signing): void => store.setState((all) => new Map(all).set(id, signing), true)
  const kindOf = (id: ApprovalId): Signing['kind'] => store.getState().get(id)?.kind ?? 'unseen'

  return {
    store,
    async shown(sessionId, approvalId) {
      if (kindOf(approvalId) !== 'unseen' || !connection.client) return
      set(approvalId, { kind: 'arming' })
      try {
        const { armsInMs } = await connection.client.approvals.shown({ sessionId, approvalId })
        await new Promise((resolve) => setTimeout(resolve, armsInMs))
        if (kindOf(approvalId) === 'arming') set(approvalId, { kind: 'armed' })
      } catch {
        set(approvalId, { kind: 'unseen' })
      }
    },
    async answer(sessionId, call, answer) {
      const { approval } = call
      if (!approval || kindOf(approval.approvalId) === 'sending') return
      const id = approval.approvalId
      if (!connection.client)
        return set(id, { kind: 'ignored', message: 'The window is not connected. Nothing was signed; the request still waits.' })
      set(id, { kind: 'sending', answer: answer.kind })
      try {
        const outcome = await connection.client.approvals.answer({ sessionId, approvalId: id, hash: approval.hash, answer })
        set(
          id,
          outcome.kind === 'accepted'
            ? { kind: 'answered', answer: answer.kind, at: Date.now() }
            : { kind: 'ignored', message: outcome.message },
        )
      } catch (error) {
        set(id, { kind: 'ignored', message: error instanceof Error ? error.message : String(error) })
      }
    },
  }
}
