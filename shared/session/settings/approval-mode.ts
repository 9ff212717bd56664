/** How much the policy allows without approval. The strictest mode comes first. */
export const APPROVAL_MODES = ['plan', 'ask', 'accept-edits', 'auto', 'full'] as const

export type ApprovalMode = (typeof APPROVAL_MODES)[number]

/** The stricter of two modes. */
export function stricterMode(one: ApprovalMode, other: ApprovalMode): ApprovalMode {
  return APPROVAL_MODES.indexOf(one) <= APPROVAL_MODES.indexOf(other) ? one : other
}
