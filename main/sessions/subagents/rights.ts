import type { ApprovalMode } from '../../../shared/session/events.ts'

const RIGHTS: readonly ApprovalMode[] = ['plan', 'ask', 'accept-edits', 'auto', 'full']

/** Of two modes the one that lets less pass without asking. */
export function lesserMode(one: ApprovalMode, other: ApprovalMode): ApprovalMode {
  return RIGHTS.indexOf(one) <= RIGHTS.indexOf(other) ? one : other
}
