import { isObject } from '../../lib/json.ts'
import { QUESTION_TOOL, answerText, NO_ANSWER } from '../../workflow/question.ts'
import { isUnplanned, withAdded } from './outside-plan.ts'
import { plansCommand, plansFile, type WorkPlan, withoutDropped } from '../../workflow/work-plan.ts'
import type { PlanDocument } from '../../workflow/plan-from-markdown.ts'
import { type Stage, stateIn, type StepProgress, todoOf, unreviewedSteps, type Workflow } from '../../workflow/workflow.ts'
import { afterRun, isTestFile, NO_RUNS, runsTests } from '../../workflow/plan-test-runs.ts'
import type { Effect } from '../effects.ts'
import type { DurableEvent } from '../events.ts'
import type { CallItem } from '../state.ts'
import type { Todo } from '../todo.ts'
import { type Draft, findCall } from './fold-call.ts'
import { isWorkDone, stepFor, withFinishedWork, workDoneBy } from './plan-step-work.ts'

type Of<K extends DurableEvent['kind']> = Extract<DurableEvent, { kind: K }>

/**
 * The workflow after an event that is already applied to the rest of the state. The workflow is derived from the log, so it is kept as long
 * as the log.
 */
export function foldWorkflow(draft: Draft, event: DurableEvent, at: number): Workflow | null {
  const { workflow } = draft
  if (event.kind === 'USER_INPUT') return event.plan ? agreed(event.text, event.plan, at) : begun(draft, event.text)
  if (!workflow) return null
  switch (event.kind) {
    case 'SESSION_CONFIGURED':
      return configured(workflow, event.mode === 'plan')
    case 'APPROVAL_REQUESTED':
      return requested(workflow, event.effects)
    case 'APPROVAL_ANSWERED':
      return answered(draft, workflow, event, at)
    case 'TOOL_EXECUTION_START':
      return worked(draft, workflow, event)
    case 'TOOL_CALL_END':
      return ended(draft, workflow, event)
    case 'TODOS_CHANGED':
      return listed(draft, workflow, event.todos)
    case 'PROCESSING_END':
      return workflow.stage === 'executing' && event.reason === 'completed' && draft.turnEnd?.asks !== true
        ? turnCompleted(draft, workflow)
        : workflow
    default:
      return workflow
  }
}

/** The workflow after a new message. A message during an approved plan belongs to that plan. */
function begun({ workflow, config }: Draft, query: string): Workflow {
  if (workflow?.approved && workflow.stage === 'executing') return workflow
  const stage = config.mode === 'plan' ? 'planning' : 'executing'
  const isSame = workflow !== null && (workflow.stage === 'planning' || workflow.stage === 'approving')
  const first = isSame ? workflow : null
  return {
    stage,
    query: first?.query ?? query,
    answers: first?.answers ?? [],
    proposed: first?.proposed ?? null,
    approved: null,
    steps: [],
    deviations: [],
    tests: NO_RUNS,
  }
}

/** The user supplied the plan. Everything it does not list needs a signature. */
function agreed(query: string, { plan, condition }: PlanDocument, at: number): Workflow {
  return {
    stage: 'executing',
    query,
    answers: [],
    proposed: plan,
    deviations: [],
    tests: NO_RUNS,
    approved: { plan, condition, asksOutside: true, at },
    steps: plan.steps.map(({ id }) => ({ id, state: 'pending', calls: [], touched: [] })),
  }
}

/**
 * The workflow after a change of mode. Entering plan mode begins the planning, unless a plan is approved. Leaving plan mode ends the
 * planning.
 */
function configured(workflow: Workflow, isPlanning: boolean): Workflow {
  if (isPlanning && workflow.stage === 'executing' && !workflow.approved) return { ...workflow, stage: 'planning' }
  return !isPlanning && workflow.stage === 'planning' ? { ...workflow, stage: 'executing' } : workflow
}

/** The workflow after the agent has changed its to-do list. A pending entry does not reopen a step whose work is done. */
function listed(draft: Draft, workflow: Workflow, todos: Of<'TODOS_CHANGED'>['todos']): Workflow {
  const plan = workflow.approved?.plan
  if (!plan) return workflow
  const steps = workflow.steps.map((step) => {
    const state = stateIn(todos, step, plan.steps)
    const stays = state === 'pending' && !isReviewed(draft) && isWorkDone(plan, step)
    return { ...step, state: stays ? ('done' as const) : state }
  })
  return { ...workflow, steps }
}

/** When the agent ends its turn, steps whose work is done count as done, whatever its to-do list says. */
function turnCompleted(draft: Draft, workflow: Workflow): Workflow {
  const plan = workflow.approved?.plan
  if (!plan) return { ...workflow, stage: 'done' }
  if (isReviewed(draft)) return unreviewedSteps(workflow).length > 0 ? workflow : { ...workflow, stage: 'done' }
  const steps = workflow.steps.map((step) => (isWorkDone(plan, step) ? { ...step, state: 'done' as const } : step))
  return { ...workflow, stage: 'done', steps }
}

/** The agent's list, in which the entries of finished plan steps are completed. Returns the same list if nothing changes. */
export function todosAfterWork(todos: readonly Todo[], workflow: Workflow | null): readonly Todo[] {
  const plan = workflow?.approved?.plan
  if (!plan) return todos
  const open = workflow.steps.flatMap((step) => (step.state === 'done' ? [todoOf(todos, step, plan.steps)] : [])).filter(isOpen)
  return open.length === 0 ? todos : todos.map((todo) => (open.includes(todo) ? { ...todo, status: 'completed' } : todo))
}

const isOpen = (todo: Todo | undefined): todo is Todo => todo !== undefined && todo.status !== 'completed'

function requested(workflow: Workflow, effects: readonly Effect[]): Workflow {
  const document = documentIn(effects)
  if (document) return { ...workflow, stage: 'approving', proposed: document }
  return effects.some((effect) => effect.kind === 'question' && !effect.from) ? { ...workflow, stage: 'clarifying' } : workflow
}

function answered(draft: Draft, workflow: Workflow, { toolCallId, answer }: Of<'APPROVAL_ANSWERED'>, at: number): Workflow {
  const call = callOf(draft, toolCallId)
  const resting: Stage = workflow.approved || draft.config.mode !== 'plan' ? 'executing' : 'planning'
  const asked = call?.effects.find((effect) => effect.kind === 'question')
  if (asked?.from) return workflow
  if (asked) {
    const replied = answer.kind === 'signed' && answer.reply?.kind === 'answers' ? answer.reply.answers : []
    const given = asked.questions.map(({ question }, nr) => ({ question, answer: answerText(replied[nr] ?? NO_ANSWER) }))
    return { ...workflow, stage: resting, answers: replied.length === 0 ? workflow.answers : [...workflow.answers, ...given] }
  }
  const document = call && documentIn(call.effects)
  if (!document) {
    const { approved } = workflow
    if (!call || !approved || answer.kind !== 'signed' || answer.reply?.kind !== 'add_to_plan') return workflow
    return { ...workflow, approved: { ...approved, plan: withAdded(approved.plan, answer.amended?.effects ?? call.effects, call.step) } }
  }
  if (answer.kind === 'refused') return { ...workflow, stage: answer.note === null && answer.by === 'person' ? 'cancelled' : 'planning' }
  if (answer.kind !== 'signed') return { ...workflow, stage: 'planning' }
  const reply = answer.reply?.kind === 'plan' ? answer.reply : { plan: document, condition: null, asksOutside: true }
  const plan = withoutDropped(document, reply.plan)
  return {
    ...workflow,
    stage: 'executing',
    approved: { plan, condition: reply.condition, asksOutside: reply.asksOutside, at },
    steps: plan.steps.map(({ id }) => ({ id, state: 'pending', calls: [], touched: [] })),
    deviations: [],
    tests: NO_RUNS,
  }
}

function worked(draft: Draft, workflow: Workflow, { toolCallId, effects }: Of<'TOOL_EXECUTION_START'>): Workflow {
  const call = callOf(draft, toolCallId)
  const { approved } = workflow
  if (!call || !approved || documentIn(effects) || effects.some(({ kind }) => kind === 'question')) return workflow
  const id = stepFor(approved.plan, workflow.steps, effects)
  const words = effects.flatMap((effect) => unplannedWords(effect, approved.plan))
  return {
    ...workflow,
    steps: workflow.steps.map((step) => {
      if (step.id !== id) return step
      const state = step.state === 'pending' ? 'running' : step.state
      return { ...step, state, calls: [...new Set([...step.calls, call.step])] }
    }),
    deviations: [...workflow.deviations, ...words.map((one) => ({ call: call.step, words: one, at: id }))],
  }
}

/** What a step does outside the plan, in words. Files and commands that were added to the plan after the request do not count. */
function unplannedWords(effect: Effect, plan: WorkPlan): readonly string[] {
  if (!isUnplanned(effect)) return []
  if (effect.kind === 'command') return plansCommand(plan, effect.command) ? [] : [effect.command]
  return plansFile(plan, effect.shown) ? [] : [effect.shown]
}

/** A plan whose call did not finish is not approved, because the session may still be in plan mode. */
function ended(draft: Draft, workflow: Workflow, { toolCallId, outcome, toolName }: Of<'TOOL_CALL_END'>): Workflow {
  const isBroken = outcome === 'interrupted' || outcome === 'stopped' || outcome === 'failed'
  if (toolName === QUESTION_TOOL && workflow.stage === 'clarifying' && isBroken)
    return { ...workflow, stage: draft.config.mode === 'plan' ? 'planning' : 'executing' }
  const call = callOf(draft, toolCallId)
  if (!call || !documentIn(call.effects))
    return call && workflow.approved ? finished(draft, workflow, workflow.approved.plan, call) : workflow
  // The plan counts as approved if the session has already left plan mode, because then only the result of the call is missing.
  if (!isBroken || draft.config.mode !== 'plan') return workflow
  return { ...workflow, stage: 'planning', approved: null, steps: [], deviations: [] }
}

/** The workflow after a call under an approved plan has ended. */
function finished(draft: Draft, workflow: Workflow, plan: WorkPlan, call: CallItem): Workflow {
  const after = tested(workflow, plan, call)
  const work = workDoneBy(plan, after.steps, call)
  if (work.size === 0) return after
  const steps = withFinishedWork(after.steps, work, call.step)
  // In staged review, a step is done when the user has reviewed it. A step that the agent has marked as in progress is not done yet.
  const isDone = (step: StepProgress): boolean =>
    !isReviewed(draft) && isWorkDone(plan, step) && todoOf(draft.todos, step, plan.steps)?.status !== 'in_progress'
  return { ...after, steps: steps.map((step) => (isDone(step) ? { ...step, state: 'done' } : step)) }
}

const isReviewed = ({ config }: Draft): boolean => config.course === 'review'

/** The workflow after a call under an approved plan. Notes whether the call wrote tests, and how the tests ended if the call ran them. */
function tested(workflow: Workflow, plan: WorkPlan, { effects, step, details }: CallItem): Workflow {
  const { tests } = workflow
  const isWriting = effects.some((effect) => effect.kind === 'write' && isTestFile(plan, effect.shown))
  const written = isWriting ? { ...tests, written: true } : tests
  const command = effects.find((effect) => effect.kind === 'command')
  const exitCode = isObject(details) ? details['exitCode'] : null
  const ran = command && typeof exitCode === 'number' && runsTests(plan, command.command) ? afterRun(written, exitCode, step) : written
  return ran === tests ? workflow : { ...workflow, tests: ran }
}

function documentIn(effects: readonly Effect[]): WorkPlan | null {
  return effects.find((effect) => effect.kind === 'mode')?.document ?? null
}

function callOf(draft: Draft, toolCallId: CallItem['toolCallId']): CallItem | null {
  const item = draft.items[findCall(draft.items, toolCallId)]
  return item?.kind === 'call' ? item : null
}
