import { isSubagentCall } from '../../../../shared/tools/built-in/subagents.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { wantedHost } from '../../../../shared/session/effects.ts'
import { copiedCommand } from '../../../state/views/request-title.ts'
import type { ApprovalId } from '../../../../shared/lib/ids.ts'
import { type Signing, UNSEEN } from '../../../state/stores/approval-desk.ts'

/** Requests that are alike enough to be read and signed together. */
export type BatchKind = 'edit' | 'copy' | 'read' | 'network'

/**
 * The kind of a request. Null if the request must be signed alone, for example because it runs for real, is destructive, writes outside the
 * folder, touches a control file or is a plan.
 */
export function batchKind({ effects, approval }: Pick<CallItem, 'effects' | 'approval'>): BatchKind | null {
  if (!approval || approval.destructive || effects.length === 0) return null
  if (wantedHost(effects)) return null
  const changes = effects.filter((effect) => effect.kind !== 'command')
  const isPlain = changes.every((effect) => 'control' in effect && !effect.control && (!effect.outside || effect.kind === 'read'))
  if (copiedCommand({ effects }) !== null) return isPlain ? 'copy' : null
  if (effects.every(({ kind }) => kind === 'network')) return 'network'
  if (!isPlain) return null
  if (effects.every(({ kind }) => kind === 'read')) return 'read'
  return effects.every(({ kind }) => kind === 'write' || kind === 'delete') ? 'edit' : null
}

/** The waiting requests of the same kind as `current`, in order. Empty if there is no other request of this kind. */
export function batchOf(current: CallItem | undefined, pending: readonly CallItem[]): readonly CallItem[] {
  const kind = current ? batchKind(current) : null
  const alike = kind === null ? [] : pending.filter((call) => batchKind(call) === kind)
  return alike.length > 1 ? alike : []
}

/** The number and kind of the requests in a batch, in words: "3 edits". A batch has at least two requests. */
export function batchWords(kind: BatchKind, calls: readonly CallItem[]): string {
  const count = calls.length
  switch (kind) {
    case 'edit':
      return `${count} edits`
    case 'copy':
      return `changes of ${count} ${makers(calls)}`
    case 'read':
      return `${count} reads`
    case 'network':
      return `${count} requests to the network`
  }
}

function makers(calls: readonly CallItem[]): string {
  const subagents = calls.filter(isSubagentCall).length
  return subagents === 0 ? 'commands' : subagents === calls.length ? 'subagents' : 'commands and subagents'
}

/**
 * Returns the signing state of several requests that are signed together. It is armed only while all the requests are armed and `sees` is
 * true.
 */
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
  // If one of the requests can no longer be answered, the batch is not armed. That request will soon leave the tray.
  const isArmed = sees && all.every((one) => one.kind === 'armed')
  const note = all.flatMap((one) => ('note' in one && one.note !== null ? [one.note] : []))[0] ?? null
  return { kind: isArmed ? 'armed' : 'arming', note }
}
