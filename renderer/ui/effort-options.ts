import { type Effort, EFFORTS } from '../../shared/session/settings/effort.ts'
import type { SelectOption } from './controls/select-option.tsx'

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
