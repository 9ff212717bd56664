import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { SelectOption } from './controls/select-option.tsx'

/** Modes that this version has rules for, and what each lets pass (D-38, D-40). */
export const APPROVAL_MODES: readonly SelectOption<ApprovalMode>[] = [
  { id: 'plan', label: 'plan', hint: 'Reads only. Everything that changes something is blocked.' },
  { id: 'ask', label: 'ask', hint: 'Reads in the folder pass. Edits and commands wait for you.' },
  { id: 'accept-edits', label: 'accept edits', hint: 'Edits in the folder pass. Commands wait for you.' },
  { id: 'full', label: 'full', hint: 'Everything in the folder passes. Control files still ask.' },
]
