import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { SelectOption } from './controls/select-option.tsx'
import { type Effort, EFFORTS } from '../../shared/session/settings/effort.ts'

/** Modes that this version has rules for, and what each lets pass (D-38, D-40). */
export const APPROVAL_MODES: readonly SelectOption<ApprovalMode>[] = [
  { id: 'plan', label: 'plan', hint: 'Reads only. Everything that changes something is blocked.' },
  { id: 'ask', label: 'ask', hint: 'Reads in the folder pass. Edits and commands wait for you.' },
  { id: 'accept-edits', label: 'accept edits', hint: 'Edits in the folder pass. Commands wait for you.' },
  { id: 'full', label: 'full', hint: 'Everything in the folder passes. Control files still ask.' },
]

const HINTS: Partial<Readonly<Record<Effort, string>>> = {
  none: 'No thinking at all',
  low: 'Quick, little thinking',
  high: 'Slow and thorough, costs more',
  max: 'As much as the model can, costs most',
}

/** Choices of effort. `taken`: what the model takes; left out: nobody knows, so that all are offered. */
export function effortOptions(taken: readonly Effort[] = EFFORTS): readonly SelectOption<'default' | Effort>[] {
  const usual = { id: 'default', label: 'default', hint: 'The provider’s own setting' } as const
  return [usual, ...taken.map((id) => ({ id, label: id, ...(HINTS[id] !== undefined && { hint: HINTS[id] }) }))]
}
