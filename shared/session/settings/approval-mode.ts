/** How much the policy lets pass without asking (DESIGN §4, D-38, D-40), the strictest first. */
export const APPROVAL_MODES = ['plan', 'ask', 'accept-edits', 'auto', 'full'] as const

export type ApprovalMode = (typeof APPROVAL_MODES)[number]
