import { APPROVAL_MODES, type ApprovalMode } from '../../shared/session/settings/approval-mode.ts'

/** Of two modes the one that lets less pass without asking. */
export function lesserMode(one: ApprovalMode, other: ApprovalMode): ApprovalMode {
  return APPROVAL_MODES.indexOf(one) <= APPROVAL_MODES.indexOf(other) ? one : other
}
