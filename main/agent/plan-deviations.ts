import type { SessionState } from '../../shared/session/state.ts'
import type { ApprovedPlan, Course, Workflow } from '../../shared/workflow/workflow.ts'
import { isTestFile } from '../../shared/workflow/plan-test-runs.ts'
import type { Effect } from '../../shared/session/effects.ts'
import { isGitRecord } from '../../shared/session/git-change.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import { filesOf, meansFile, plansCommand, plansFile, type PlanStep, runsPlanned } from '../../shared/workflow/work-plan.ts'
import { isUnplanned } from '../../shared/session/fold/outside-plan.ts'
import type { Policy, Verdict } from './ports/policy.ts'

/** The plan that the session is executing. Null if there is none. */
export function planInForce(workflow: Workflow | null): ApprovedPlan | null {
  return workflow?.stage === 'executing' ? workflow.approved : null
}

/**
 * Marks effects whose file or command is not in the plan. A plan that lists neither files nor commands marks nothing. Reading is never a
 * deviation.
 */
export function withUnplanned(effects: readonly Effect[], approved: ApprovedPlan | null, policy: Pick<Policy, 'judge'>): readonly Effect[] {
  if (!approved || !saysWhat(approved)) return effects
  const { plan } = approved
  const isByCommand = effects.some(({ kind }) => kind === 'command')
  const reads = (effect: Effect): boolean => policy.judge([effect], READING).kind === 'allow'
  return effects.map((effect) => {
    switch (effect.kind) {
      case 'write':
      case 'delete':
      case 'permissions':
      case 'link':
      case 'folder':
        // Git's own records belong to the command that changed them: a commit is one action.
        return plansFile(plan, effect.shown) || (isByCommand && isGitRecord(effect.shown)) ? effect : { ...effect, unplanned: true }
      case 'command':
        return plansCommand(plan, effect.command) || reads(effect) ? effect : { ...effect, unplanned: true }
      case 'read':
      case 'network':
      case 'mode':
      case 'question':
      case 'review':
      case 'unknown':
        return effect
    }
  })
}

/** In this mode, everything except reading needs a signature. */
const READING: ApprovalMode = 'ask'

function saysWhat({ plan }: ApprovedPlan): boolean {
  return filesOf(plan).length > 0 || plan.commands.length > 0 || plan.steps.some(({ commands }) => commands.length > 0)
}

/** A step that the course forbids is denied. A step outside the plan needs a signature if the user wants that. */
export function judgedByPlan(verdict: Verdict, effects: readonly Effect[], { config, workflow }: SessionState): Verdict {
  const approved = planInForce(workflow)
  if (verdict.kind === 'deny' || !approved || !workflow) return verdict
  const against = againstCourse(config.course ?? 'plain', effects, workflow, approved)
  if (against !== null) return { kind: 'deny', reason: against }
  const outside = effects.flatMap((effect) => {
    if (!isUnplanned(effect)) return []
    return [effect.kind === 'command' ? 'this command' : effect.shown]
  })
  if (outside.length === 0) return verdict
  const reason = `The plan does not include ${outside.join(', ')}.`
  if (verdict.kind === 'ask') return { ...verdict, reason: `${verdict.reason} ${reason}` }
  return approved.asksOutside ? { kind: 'ask', reason, destructive: false } : verdict
}

/** Why the course forbids this step now, as a sentence. Null if it does not. */
function againstCourse(course: Course, effects: readonly Effect[], { tests, steps }: Workflow, { plan }: ApprovedPlan): string | null {
  const written = effects.flatMap((effect) => (effect.kind === 'write' || effect.kind === 'delete' ? [effect.shown] : []))
  if (course === 'test-first' && tests.red === null) {
    const early = written.filter((shown) => !isTestFile(plan, shown))
    if (early.length > 0) return `Test first: write the tests and see them fail before changing ${early.join(', ')}.`
  }
  if (course !== 'review') return null
  const running = plan.steps.find(({ id }) => steps.some((step) => step.id === id && step.state === 'running'))
  if (!running) return null
  const names = (id: string, effect: Effect): boolean => plan.steps.some((step) => step.id === id && isListed(step, effect))
  const pending = steps.filter(({ state }) => state === 'pending').map(({ id }) => id)
  const ahead = effects.find((effect) => !names(running.id, effect) && pending.some((id) => names(id, effect)))
  return ahead === undefined
    ? null
    : `${subjectOf(ahead)} belongs to a later step. Mark “${running.title}” as completed first, so that the developer can review it.`
}

function subjectOf(effect: Effect): string {
  if (effect.kind === 'command') return effect.command
  return 'shown' in effect ? effect.shown : effect.kind
}

/** Whether the step lists the file or command of this effect. Reading a file does not count as work on a step. */
function isListed({ files, commands }: PlanStep, effect: Effect): boolean {
  if (effect.kind === 'command') return commands.some((command) => runsPlanned(command, effect.command))
  return (effect.kind === 'write' || effect.kind === 'delete') && files.some((file) => meansFile(file, effect.shown))
}
