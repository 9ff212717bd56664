import type { Effect } from '../effects.ts'
import { plansCommand, plansFile, type WorkPlan } from '../../workflow/work-plan.ts'

/** An effect that a plan can list: a command, or a change of a file. */
type Plannable = Exclude<Effect, { readonly kind: 'network' | 'mode' | 'question' | 'review' | 'unknown' }>

/** Whether a step does anything that the signed plan does not list. */
export const isOutsidePlan = (effects: readonly Effect[]): boolean => effects.some(isUnplanned)

export function isUnplanned(effect: Effect): effect is Plannable {
  return 'unplanned' in effect && Boolean(effect.unplanned)
}

/** The plan with everything that a step does outside it. `step`: the step's number in the ledger. */
export function withAdded(plan: WorkPlan, effects: readonly Effect[], step: number): WorkPlan {
  return effects.filter(isUnplanned).reduce((all, effect) => withOne(all, effect, step), plan)
}

function withOne(plan: WorkPlan, effect: Plannable, step: number): WorkPlan {
  if (effect.kind === 'command')
    return plansCommand(plan, effect.command) ? plan : { ...plan, commands: [...plan.commands, effect.command] }
  if (plansFile(plan, effect.shown)) return plan
  const added = { path: effect.shown, changes: `Added to the plan at step ${step}.` }
  return { ...plan, files_to_modify: [...plan.files_to_modify, added] }
}
