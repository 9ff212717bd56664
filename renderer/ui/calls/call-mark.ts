import type { CallItem } from '../../../shared/session/state.ts'
import type { MarkKind } from '../marks/mark.tsx'
import { runsCommand } from '../../../shared/tools/catalogue.ts'
import { subagentDetails } from '../../../shared/tools/built-in/subagents.ts'
import { clockTime } from '../format.ts'

/** The mark of a call shows who signed it. A signed command that fails keeps its mark: its outcome shows the failure. */
export function markOf(call: CallItem): MarkKind {
  switch (call.status) {
    case 'waiting':
      return 'pending'
    case 'refused':
      return 'refused'
    case 'barred':
      return 'blocked'
    case 'preparing':
      return runsCommand(call) || call.effects.length > 0 ? 'proposed' : 'read'
    case 'running':
      // Nothing is applied yet, and no signature was requested.
      return call.copy && call.startedAt === null ? 'proposed' : executedMark(call)
    default:
      return executedMark(call)
  }
}

function executedMark(call: CallItem): MarkKind {
  if (wasSigned(call)) return 'signed'
  if (isInLayer(call)) return call.files.length > 0 ? 'proposed' : 'read'
  if (call.signedBy) return call.effects.length > 0 ? 'rule' : 'read'
  if (call.status === 'stopped' && call.startedAt === null && call.approval) return 'proposed'
  // A command that has run only in its copy changed nothing in the folder. Only its exit code shows a failure.
  if (call.copy?.outcome && call.startedAt === null) return 'read'
  // A stop by the user is not a failure.
  return call.isError && !wasStopped(call) ? 'failed' : 'read'
}

/** Whether the call changed only the layer of its session, so that nobody has signed it. */
export const isInLayer = ({ signedBy }: Pick<CallItem, 'signedBy'>): boolean => signedBy?.kind === 'layer'

/** Whether the user signed the call. */
export function wasSigned(call: CallItem): boolean {
  return call.signedBy?.kind === 'person' || call.approval?.answer?.kind === 'signed'
}

/** The label of the mark: who signed the call, and when. Undefined for the default label. */
export function markWordOf(call: CallItem): string | undefined {
  const at = call.approval?.answeredAt ?? null
  if (wasSigned(call)) return at === null ? 'Signed by you' : `Signed ${clockTime(at)}`
  if (call.status === 'refused') return at === null ? undefined : `Refused ${clockTime(at)}`
  if (isInLayer(call)) return call.files.length > 0 ? 'In the layer, not signed' : undefined
  if (call.signedBy?.kind === 'mode' && call.effects.length > 0) return `Allowed by ${call.signedBy.mode} mode`
  if (call.signedBy?.kind === 'rule') return `Allowed by the rule ${call.signedBy.rule}`
  if (call.signedBy?.kind === 'hook') return `Allowed by the hook ${call.signedBy.command}`
  return undefined
}

/** Whether the user stopped the call or its subagent. A stop is not a failure. */
export const wasStopped = (call: CallItem): boolean => call.status === 'stopped' || subagentDetails(call)?.status === 'stopped'
