import type { Effect } from '../../../shared/session/effects.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import { filesOf, plansCommand, plansFile } from '../../../shared/workflow/work-plan.ts'
import type { ApprovedPlan, Workflow } from '../../../shared/workflow/workflow.ts'
import type { Policy, Verdict } from '../ports/policy.ts'

/** The plan that the session carries out now; null: there is none. */
export function planInForce(workflow: Workflow | null): ApprovedPlan | null {
  return workflow?.stage === 'executing' ? workflow.approved : null
}

/**
 * Marks what the plan does not name. A plan that names neither a file nor a command says nothing about them. Reading is never a deviation.
 */
export function withUnplanned(effects: readonly Effect[], approved: ApprovedPlan | null, policy: Pick<Policy, 'judge'>): readonly Effect[] {
  if (!approved || !saysWhat(approved)) return effects
  const { plan } = approved
  const reads = (effect: Effect): boolean => policy.judge([effect], READING).kind === 'allow'
  return effects.map((effect) => {
    switch (effect.kind) {
      case 'write':
      case 'delete':
      case 'permissions':
      case 'link':
      case 'folder':
        return plansFile(plan, effect.shown) ? effect : { ...effect, unplanned: true }
      case 'command':
        return plansCommand(plan, effect.command) || reads(effect) ? effect : { ...effect, unplanned: true }
      case 'read':
      case 'network':
      case 'mode':
      case 'question':
      case 'unknown':
        return effect
    }
  })
}

/** In this mode only reading passes. */
const READING: ApprovalMode = 'ask'

function saysWhat({ plan }: ApprovedPlan): boolean {
  return filesOf(plan).length > 0 || plan.commands.length > 0 || plan.steps.some(({ commands }) => commands.length > 0)
}

/** A step outside the plan needs a signature if the person wants that. */
export function judgedByPlan(verdict: Verdict, effects: readonly Effect[], approved: ApprovedPlan | null): Verdict {
  if (verdict.kind === 'deny' || !approved) return verdict
  const outside = effects.flatMap((effect) => {
    if (!('unplanned' in effect) || !effect.unplanned) return []
    return [effect.kind === 'command' ? 'this command' : effect.shown]
  })
  if (outside.length === 0) return verdict
  const reason = `The plan does not name ${outside.join(', ')}.`
  if (verdict.kind === 'ask') return { ...verdict, reason: `${verdict.reason} ${reason}` }
  return approved.asksOutside ? { kind: 'ask', reason, destructive: false } : verdict
}
