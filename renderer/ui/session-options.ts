import { type ApprovalMode, APPROVAL_MODES } from '../../shared/session/settings/approval-mode.ts'
import { COURSES, type Course } from '../../shared/workflow/workflow.ts'
import type { SelectOption } from './controls/select/select-option.tsx'
import { type Effort, EFFORTS } from '../../shared/session/settings/model-facts.ts'

/** What each mode allows if commands run in copies. */
const WITH_SANDBOX: Readonly<Record<ApprovalMode, string>> = {
  plan: 'The agent can only read. Commands run in a copy that is thrown away, or are blocked.',
  ask: 'Edits need your signature, and so do the changes that commands make, and commands that cannot run in a copy.',
  'accept-edits':
    'Edits in the folder and the changes that commands make are allowed. Deletions by tools, control files and commands that cannot run in a copy need your signature.',
  auto: 'Like accept edits. Background commands also run, confined to the folder.',
  full: 'Everything in the folder is allowed, and commands run with all your rights. Control files, files outside the folder, web requests and irrecoverable commands still need your signature.',
}

/** What each mode allows if commands run for real. */
const WITHOUT_SANDBOX: Readonly<Record<ApprovalMode, string>> = {
  plan: 'The agent can only read. Changes and commands are blocked.',
  ask: 'Reading the folder is allowed. Edits need your signature, and so do commands that do more than read.',
  'accept-edits': 'Edits in the folder are allowed. Deletions, control files and commands that do more than read need your signature.',
  auto: 'Like accept edits, because there is no sandbox.',
  full: WITH_SANDBOX.full,
}

export const modeHint = (mode: ApprovalMode, hasSandbox: boolean): string => (hasSandbox ? WITH_SANDBOX : WITHOUT_SANDBOX)[mode]

/** The approval modes and what each allows. */
export function modeOptions(hasSandbox: boolean): readonly SelectOption<ApprovalMode>[] {
  return APPROVAL_MODES.map((id) => ({ id, label: id.replace('-', ' '), hint: modeHint(id, hasSandbox) }))
}

const COURSE_HINTS: Readonly<Record<Course, readonly [string, string]>> = {
  plain: ['no', 'The agent starts at once'],
  plan: ['yes', 'The agent presents a plan, and starts when you have signed it'],
  'test-first': ['yes, then tests', 'A plan first; then tests must fail before anything else changes'],
  review: ['yes, step by step', 'A plan first; after each step its changes wait for “Go on”'],
}

/** The courses: the ways in which a request can be worked on. */
export function courseOptions(): readonly SelectOption<Course>[] {
  return COURSES.map((id) => ({ id, label: COURSE_HINTS[id][0], hint: COURSE_HINTS[id][1] }))
}

const HINTS: Partial<Readonly<Record<Effort, string>>> = {
  none: 'No thinking at all',
  low: 'Quick, little thinking',
  high: 'Slow and thorough, costs more',
  max: 'As much as the model can, costs most',
}

/** Options of an effort select. `taken` contains the efforts that the model accepts. If it is left out, all efforts are offered. */
export function effortOptions(taken: readonly Effort[] = EFFORTS): readonly SelectOption<'default' | Effort>[] {
  const byDefault = { id: 'default', label: 'default', hint: 'The provider’s own setting' } as const
  return [byDefault, ...taken.map((id) => ({ id, label: id, ...(HINTS[id] !== undefined && { hint: HINTS[id] }) }))]
}
