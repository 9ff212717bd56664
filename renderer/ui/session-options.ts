import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { SelectOption } from './controls/select/select-option.tsx'
import { type Effort, EFFORTS } from '../../shared/session/settings/effort.ts'

/** The approval modes and what each allows. */
export const APPROVAL_MODES: readonly SelectOption<ApprovalMode>[] = [
  { id: 'plan', label: 'plan', hint: 'The agent can only read. Changes are blocked.' },
  { id: 'ask', label: 'ask', hint: 'Reading the folder is allowed. Edits and commands need your signature.' },
  { id: 'accept-edits', label: 'accept edits', hint: 'Edits in the folder are allowed. Commands need your signature.' },
  { id: 'full', label: 'full', hint: 'Everything in the folder is allowed. Control files still need your signature.' },
]

const HINTS: Partial<Readonly<Record<Effort, string>>> = {
  none: 'No thinking at all',
  low: 'Quick, little thinking',
  high: 'Slow and thorough, costs more',
  max: 'As much as the model can, costs most',
}

/** Options of an effort select. `taken`: the efforts that the model accepts; all when unknown. */
export function effortOptions(taken: readonly Effort[] = EFFORTS): readonly SelectOption<'default' | Effort>[] {
  const usual = { id: 'default', label: 'default', hint: 'The provider’s own setting' } as const
  return [usual, ...taken.map((id) => ({ id, label: id, ...(HINTS[id] !== undefined && { hint: HINTS[id] }) }))]
}
