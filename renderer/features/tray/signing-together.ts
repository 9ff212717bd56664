import type { ApprovalId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { type Signing, UNSEEN } from '../../state/stores/approval-desk.ts'

/** The state of several requests that are signed together: armed only while all of them are, and `sees` all of them. */
export function signingTogether(
  calls: readonly Pick<CallItem, 'approval'>[],
  signings: ReadonlyMap<ApprovalId, Signing>,
  sees: boolean,
): Signing {
  const all = calls.map(({ approval }) => (approval && signings.get(approval.approvalId)) ?? UNSEEN)
  const sending = all.find((one) => one.kind === 'sending')
  if (sending) return sending
  const waiting = all.find((one) => one.kind === 'unseen' || one.kind === 'arming')
  if (waiting) return waiting
  // a request that can no longer be answered is about to leave the tray
  const isArmed = sees && all.every((one) => one.kind === 'armed')
  const note = all.flatMap((one) => ('note' in one && one.note !== null ? [one.note] : []))[0] ?? null
  return { kind: isArmed ? 'armed' : 'arming', note }
}
