import type { TestRuns } from './plan-test-runs.ts'
import type { WorkPlan } from './work-plan.ts'

/** The courses of a request. A `plain` request starts immediately, under the approval mode. All others begin with a signed plan. */
export const COURSES = ['plain', 'plan', 'test-first', 'review'] as const

export type Course = (typeof COURSES)[number]

/** The slash command that chooses each course. `review` has another name, because `/review` is a separate command. */
export const COURSE_NAMES: Readonly<Record<Course, string>> = {
  plain: 'no-plan',
  plan: 'plan-first',
  'test-first': 'test-first',
  review: 'staged-review',
}

/** The instructions that the agent gets with the signed plan, by course. Empty if a course has none. */
export const COURSE_RULES: Readonly<Record<Course, string>> = {
  plain: '',
  plan: '',
  'test-first':
    'The course is test first: write the tests of the plan and run them. Until they have failed once, every change to another file is denied. Then implement, and run them until they pass.',
  review:
    'The course is staged review: mark each step as completed as soon as it is done, one step at a time. The developer then reviews its changes, and only after that may you begin the next step.',
}

/** The stage of a request. Nothing is changed in the stages `planning` and `approving`. */
export type Stage = 'clarifying' | 'planning' | 'approving' | 'executing' | 'done' | 'cancelled'

/** A plan in the form that the user approved. */
export interface ApprovedPlan {
  readonly plan: WorkPlan
  /** The user's condition for the approval. Null if there is none. */
  readonly condition: string | null
  /** Whether steps outside the plan need a signature in every mode. */
  readonly asksOutside: boolean
  /** Ms since 1970. */
  readonly at: number
}

/** The progress of a step of the plan. */
export interface StepProgress {
  readonly id: string
  readonly state: 'pending' | 'running' | 'done'
  /** Numbers of the ledger steps that worked on this plan step. */
  readonly calls: readonly number[]
  /** The files and commands of this plan step that have been changed or run successfully so far, written as in the plan. */
  readonly touched: readonly string[]
}

/** An action that the plan does not list. */
interface Deviation {
  /** Ledger number of the step that performed the action. */
  readonly call: number
  /** A file or a command. */
  readonly words: string
  /** Id of the plan step to which the action was assigned: the one that was running, or else one that it fits. Null if there is none. */
  readonly at: string | null
}

/** The newest request and its progress, derived from the log. */
export interface Workflow {
  readonly stage: Stage
  readonly query: string
  readonly answers: readonly { readonly question: string; readonly answer: string }[]
  /** The newest plan that was presented. */
  readonly proposed: WorkPlan | null
  readonly approved: ApprovedPlan | null
  readonly steps: readonly StepProgress[]
  readonly deviations: readonly Deviation[]
  /** The test runs since the plan was signed. */
  readonly tests: TestRuns
}

interface ListEntry {
  readonly id: string
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
}

/** The entry of the agent's to-do list for a plan step, which it identifies by its title or id. */
export function todoOf<T extends ListEntry>(
  todos: readonly T[],
  { id }: Pick<StepProgress, 'id'>,
  steps: WorkPlan['steps'],
): T | undefined {
  const title = steps.find((step) => step.id === id)?.title
  return todos.find(({ content }) => content === title) ?? todos.find((one) => one.id === id)
}

/** Returns the state of a plan step from the agent's to-do list. */
export function stateIn(todos: readonly ListEntry[], step: StepProgress, steps: WorkPlan['steps']): StepProgress['state'] {
  const todo = todoOf(todos, step, steps)
  return todo ? STATES[todo.status] : step.state
}

const STATES = { pending: 'pending', in_progress: 'running', completed: 'done' } as const

/** The steps of a staged review on which the agent has worked, and whose review has not been signed. */
export function unreviewedSteps({ steps }: Pick<Workflow, 'steps'>): readonly StepProgress[] {
  return steps.filter(({ state, calls, touched }) => state !== 'done' && (calls.length > 0 || touched.length > 0))
}

/** The number of finished steps and the number of all steps, for "2 of 4". */
export function progressOf({ steps }: Pick<Workflow, 'steps'>): { readonly done: number; readonly of: number } {
  return { done: steps.filter(({ state }) => state === 'done').length, of: steps.length }
}
