import { isObject } from '../../lib/json.ts'
import { QUESTION_TOOL, answerText, NO_ANSWER } from '../../workflow/question.ts'
import { meansFile, type PlanStep, runsPlanned, type WorkPlan, withoutDropped } from '../../workflow/work-plan.ts'
import type { PlanDocument } from '../../workflow/plan-from-markdown.ts'
import { type Stage, stateIn, type Workflow } from '../../workflow/workflow.ts'
import { afterRun, isTestFile, NO_RUNS, runsTests } from '../../workflow/plan-test-runs.ts'
import type { Effect } from '../effects.ts'
import type { DurableEvent } from '../events.ts'
import type { CallItem } from '../state.ts'
import { type Draft, findCall } from './fold-call.ts'

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
      return {
        ...workflow,
        steps: workflow.steps.map((step) => ({ ...step, state: stateIn(event.todos, step, workflow.approved?.plan.steps ?? []) })),
      }
    case 'PROCESSING_END':
      return workflow.stage === 'executing' && event.reason === 'completed' && draft.turnEnd?.asks !== true
        ? { ...workflow, stage: 'done' }
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
    ...{ stage, query: first?.query ?? query, answers: first?.answers ?? [], proposed: first?.proposed ?? null },
    ...{ approved: null, steps: [], deviations: [], tests: NO_RUNS },
  }
}

/** The user supplied the plan. Everything it does not list needs a signature. */
function agreed(query: string, { plan, condition }: PlanDocument, at: number): Workflow {
  return {
    ...{ stage: 'executing', query, answers: [], proposed: plan, deviations: [], tests: NO_RUNS },
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
  if (!document) return workflow
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
  const id = workflow.steps.find(({ state }) => state === 'running')?.id ?? stepOf(approved.plan, effects)?.id ?? null
  const words = effects.flatMap((effect) => unplannedWords(effect))
  const touched = touchedWork(approved.plan, id, effects)
  return {
    ...workflow,
    steps: workflow.steps.map((step) => {
      const now = [...new Set([...step.touched, ...(touched.get(step.id) ?? [])])]
      if (step.id !== id) return now.length === step.touched.length ? step : { ...step, touched: now }
      const state = step.state === 'pending' ? 'running' : step.state
      return { ...step, state, calls: [...new Set([...step.calls, call.step])], touched: now }
    }),
    deviations: [...workflow.deviations, ...words.map((one) => ({ call: call.step, words: one, at: id }))],
  }
}

function unplannedWords(effect: Effect): readonly string[] {
  if (!('unplanned' in effect) || !effect.unplanned) return []
  return [effect.kind === 'command' ? effect.command : effect.shown]
}

/** The step of the plan that lists a file or command of these effects. */
function stepOf({ steps }: WorkPlan, effects: readonly Effect[]): PlanStep | undefined {
  return steps.find((step) => effects.some((effect) => workIn(step, effect).length > 0))
}

/**
 * Returns the files and commands of each plan step that the effects touch, by step id. A file or command that more than one step lists
 * counts for the running step or, if that step does not list it, for the first step that does. Effects that only read are left out.
 */
function touchedWork(plan: WorkPlan, running: string | null, effects: readonly Effect[]): ReadonlyMap<string, readonly string[]> {
  const touched = new Map<string, readonly string[]>()
  const steps = plan.steps.toSorted((a, b) => Number(b.id === running) - Number(a.id === running))
  for (const effect of effects) {
    const owner = effect.kind === 'read' ? undefined : stepOf({ ...plan, steps }, [effect])
    if (owner) touched.set(owner.id, [...(touched.get(owner.id) ?? []), ...workIn(owner, effect)])
  }
  return touched
}

/** The files or commands of the step that the effect is about, as the plan writes them. */
function workIn(step: PlanStep, effect: Effect): readonly string[] {
  if (effect.kind === 'command') return step.commands.filter((command) => runsPlanned(command, effect.command))
  return 'shown' in effect ? step.files.filter((file) => meansFile(file, effect.shown)) : []
}

/** A plan whose call did not finish is not approved, because the session may still be in plan mode. */
function ended(draft: Draft, workflow: Workflow, { toolCallId, outcome, toolName }: Of<'TOOL_CALL_END'>): Workflow {
  const isBroken = outcome === 'interrupted' || outcome === 'stopped' || outcome === 'failed'
  if (toolName === QUESTION_TOOL && workflow.stage === 'clarifying' && isBroken)
    return { ...workflow, stage: draft.config.mode === 'plan' ? 'planning' : 'executing' }
  const call = callOf(draft, toolCallId)
  if (!call || !documentIn(call.effects)) return call && workflow.approved ? tested(workflow, workflow.approved.plan, call) : workflow
  // The plan counts as approved if the session has already left plan mode, because then only the result of the call is missing.
  if (!isBroken || draft.config.mode !== 'plan') return workflow
  return { ...workflow, stage: 'planning', approved: null, steps: [], deviations: [] }
}

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
