import { isObject } from '../../lib/json.ts'
import { meansFile, type PlanStep, runsPlanned, type WorkPlan } from '../../workflow/work-plan.ts'
import type { StepProgress } from '../../workflow/workflow.ts'
import type { Effect } from '../effects.ts'
import type { CallItem } from '../state.ts'

type Work = { readonly kind: 'file'; readonly shown: string } | { readonly kind: 'command'; readonly command: string }

/**
 * The id of the plan step to which a call belongs: a step that lists one of its files or commands, the running step first. If no step lists
 * any, the running step. Null if no step runs.
 */
export function stepFor(plan: WorkPlan, steps: readonly StepProgress[], effects: readonly Effect[]): string | null {
  const ordered = runningFirst(plan, steps)
  const work = effects.flatMap(workOf)
  return stepWith(ordered, work)?.id ?? steps.find(({ state }) => state === 'running')?.id ?? null
}

function workOf(effect: Effect): readonly Work[] {
  if (effect.kind === 'command') return [{ kind: 'command', command: effect.command }]
  return 'shown' in effect ? [{ kind: 'file', shown: effect.shown }] : []
}

/**
 * The files and commands of each plan step that an ended call has changed or run successfully, by step id, as the plan writes them. A file
 * or command that more than one step lists counts for the running step or, if that step does not list it, for the first step that does.
 */
export function workDoneBy(plan: WorkPlan, steps: readonly StepProgress[], call: CallItem): ReadonlyMap<string, readonly string[]> {
  const ordered = runningFirst(plan, steps)
  const done = new Map<string, readonly string[]>()
  for (const work of workOfCall(call)) {
    const owner = stepWith(ordered, [work])
    if (owner) done.set(owner.id, [...(done.get(owner.id) ?? []), ...workIn(owner, work)])
  }
  return done
}

function workOfCall({ files, folders = [], effects, runs = [], details }: CallItem): readonly Work[] {
  const changed = [...files, ...files.flatMap(({ movedFrom }) => (movedFrom ? [movedFrom] : [])), ...folders]
  const hasPassed = isObject(details) && details['exitCode'] === 0
  const ran = [...effects, ...runs].filter((effect) => effect.kind === 'command')
  return [
    ...changed.map(({ shown }): Work => ({ kind: 'file', shown })),
    ...(hasPassed ? ran.map(({ command }): Work => ({ kind: 'command', command })) : []),
  ]
}

/** Returns the progress after a call, the ledger step `nr`, has done this work. */
export function withFinishedWork(
  steps: readonly StepProgress[],
  done: ReadonlyMap<string, readonly string[]>,
  nr: number,
): readonly StepProgress[] {
  return steps.map((step) => {
    const work = done.get(step.id)
    if (!work) return step
    return {
      ...step,
      state: step.state === 'pending' ? 'running' : step.state,
      calls: [...new Set([...step.calls, nr])],
      touched: [...new Set([...step.touched, ...work])],
    }
  })
}

/** Whether every file and command that the plan lists for the step is done. False if it lists none. */
export function isWorkDone({ steps }: WorkPlan, { id, touched }: StepProgress): boolean {
  const step = steps.find((one) => one.id === id)
  const work = step ? [...step.files, ...step.commands] : []
  return work.length > 0 && work.every((one) => touched.includes(one))
}

function runningFirst(plan: WorkPlan, steps: readonly StepProgress[]): readonly PlanStep[] {
  const running = steps.find(({ state }) => state === 'running')?.id
  return plan.steps.toSorted((a, b) => Number(b.id === running) - Number(a.id === running))
}

function stepWith(steps: readonly PlanStep[], work: readonly Work[]): PlanStep | undefined {
  return steps.find((step) => work.some((one) => workIn(step, one).length > 0))
}

/** The files or commands of the step that the work is about, as the plan writes them. */
function workIn(step: PlanStep, work: Work): readonly string[] {
  return work.kind === 'command'
    ? step.commands.filter((command) => runsPlanned(command, work.command))
    : step.files.filter((file) => meansFile(file, work.shown))
}
