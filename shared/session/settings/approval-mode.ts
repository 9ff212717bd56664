/** How much the policy lets pass without asking (DESIGN §4, D-38, D-40), the strictest first. */
export const APPROVAL_MODES = ['plan', 'ask', 'accept-edits', 'auto', 'full'] as const

export type ApprovalMode = (typeof APPROVAL_MODES)[number]

/** Of two modes the one that lets less pass without asking. */
export function stricterMode(one: ApprovalMode, other: ApprovalMode): ApprovalMode {
  return APPROVAL_MODES.indexOf(one) <= APPROVAL_MODES.indexOf(other) ? one : other
}
