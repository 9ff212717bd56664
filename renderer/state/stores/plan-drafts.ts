import { z } from 'zod'
import type { SignatureReply } from '../../../shared/workflow/signature-reply.ts'
import { PlanStep, type WorkPlan } from '../../../shared/workflow/work-plan.ts'
import type { BrowserStorage } from './browser-storage.ts'
import { createRequestDrafts, type RequestDrafts } from './drafts/request-drafts.ts'

/** The user's current edits of a proposed plan. */
export interface PlanDraft {
  /** The steps in the user's order. Dropped steps keep their place. */
  readonly steps: readonly PlanStep[]
  readonly dropped: ReadonlySet<string>
  /** The steps that the user moved at least once. */
  readonly moved: ReadonlySet<string>
  readonly condition: string
  readonly asksOutside: boolean
  /** Id of the step that is being edited. */
  readonly editing: string | null
}

const PlanDraft: z.ZodType<PlanDraft> = z.object({
  steps: z.array(PlanStep),
  dropped: z.set(z.string()),
  moved: z.set(z.string()),
  condition: z.string(),
  asksOutside: z.boolean(),
  editing: z.string().nullable(),
})

/** Drafts are kept while another request is shown, and survive a reload. */
export function createPlanDrafts(storage: BrowserStorage | null): RequestDrafts<PlanDraft> {
  return createRequestDrafts(storage, 'plans', PlanDraft)
}

export function draftOf({ steps }: WorkPlan): PlanDraft {
  return { steps, dropped: new Set(), moved: new Set(), condition: '', asksOutside: true, editing: null }
}

export function edited(draft: PlanDraft, id: string, change: Partial<Omit<PlanStep, 'id'>>): PlanDraft {
  return { ...draft, steps: draft.steps.map((step) => (step.id === id ? { ...step, ...change } : step)) }
}

/** Drops a step, or restores a dropped step. */
export function toggled(draft: PlanDraft, id: string): PlanDraft {
  const dropped = new Set(draft.dropped)
  if (!dropped.delete(id)) dropped.add(id)
  return { ...draft, dropped, editing: draft.editing === id ? null : draft.editing }
}

/** Moves a step up (-1) or down (1) by one place. At the ends, it does not move. */
export function moved(draft: PlanDraft, id: string, by: -1 | 1): PlanDraft {
  const from = draft.steps.findIndex((step) => step.id === id)
  const to = from + by
  const step = draft.steps[from]
  const other = draft.steps[to]
  if (!step || !other) return draft
  return { ...draft, steps: draft.steps.with(from, other).with(to, step), moved: new Set(draft.moved).add(id) }
}

/** Adds a new, empty step at the end, which is then edited. */
export function withNewStep(draft: PlanDraft): PlanDraft {
  const own = draft.steps.filter(({ id }) => isOwn(id)).length
  const id = `${OWN}${own + 1}`
  return { ...draft, steps: [...draft.steps, { id, title: '', details: '', files: [], commands: [], check: '' }], editing: id }
}

/** Prefix of the ids of steps that the user added. */
const OWN = 'yours-'

const isOwn = (id: string): boolean => id.startsWith(OWN)

/** Returns the draft as an answer. The user's own steps without a title are left out. */
export function replyOf(
  proposed: WorkPlan,
  { steps, dropped, condition, asksOutside }: PlanDraft,
): Extract<SignatureReply, { kind: 'plan' }> {
  const kept = steps.filter(({ id, title }) => !dropped.has(id) && (title.trim() !== '' || !isOwn(id)))
  return { kind: 'plan', plan: { ...proposed, steps: kept }, condition: condition.trim() || null, asksOutside }
}

/**
 * Returns the longest ascending subsequence of the numbers, so that only the other numbers count as moved. Of several, the one with the
 * fewest numbers that the user moved.
 */
function inOrder(numbers: readonly number[], isMoved: (at: number) => boolean): ReadonlySet<number> {
  interface Run {
    readonly numbers: readonly number[]
    readonly moved: number
  }
  const isBetter = (run: Run, than: Run): boolean =>
    run.numbers.length === than.numbers.length ? run.moved < than.moved : run.numbers.length > than.numbers.length
  const none: Run = { numbers: [], moved: 0 }
  const runs: Run[] = []
  for (const [at, number] of numbers.entries()) {
    const fitting = runs.filter((run) => (run.numbers.at(-1) ?? 0) < number)
    const before = fitting.reduce((best, run) => (isBetter(run, best) ? run : best), none)
    runs.push({ numbers: [...before.numbers, number], moved: before.moved + (isMoved(at) ? 1 : 0) })
  }
  return new Set(runs.reduce((best, run) => (isBetter(run, best) ? run : best), none).numbers)
}

export interface PlanChange {
  readonly kind: 'edited' | 'moved' | 'dropped' | 'added'
  readonly id: string
  readonly words: string
  readonly detail: string
}

/** The user's changes to the proposed plan. Step numbers are those of the proposed plan. */
export function changesOf(proposed: WorkPlan, { steps, dropped, moved: byUser }: PlanDraft): readonly PlanChange[] {
  const before = new Map(proposed.steps.map((step, at) => [step.id, { step, at }]))
  const order = steps.filter(({ id }) => before.has(id)).map(({ id }) => id)
  const still = inOrder(
    order.map((id) => before.get(id)?.at ?? 0),
    (at) => byUser.has(order[at] ?? ''),
  )
  return steps.flatMap((step): readonly PlanChange[] => {
    const { id, title } = step
    const was = before.get(id)
    if (!was) return title.trim() === '' || dropped.has(id) ? [] : [{ kind: 'added', id, words: 'Step added', detail: title }]
    const name = `Step ${was.at + 1}`
    if (dropped.has(id)) return [{ kind: 'dropped', id, words: `${name} dropped`, detail: title }]
    const to = order.indexOf(id)
    const isEdited = JSON.stringify(step) !== JSON.stringify(was.step)
    return [
      ...(isEdited ? [{ kind: 'edited', id, words: name, detail: 'in your words' } as const] : []),
      ...(still.has(was.at)
        ? []
        : [{ kind: 'moved', id, words: `${name} moved ${to < was.at ? 'up' : 'down'} to ${to + 1}`, detail: title } as const]),
    ]
  })
}
