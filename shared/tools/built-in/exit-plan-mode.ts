import { isObject } from '../../lib/json.ts'
import { z } from 'zod'
import { PlanStep, WorkPlan } from '../../workflow/work-plan.ts'
import { callLine } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'

const Step = z.object({
  title: z.string().min(1).max(2000).describe('What is done, in one line.'),
  details: PlanStep.shape.details.optional(),
  files: PlanStep.shape.files.optional().describe('Files that it creates or changes.'),
  commands: PlanStep.shape.commands.optional(),
  check: PlanStep.shape.check.optional().describe('What shows that it is done.'),
})

const { shape } = WorkPlan

const ExitPlanModeInput = z.object({
  plan: z.string().max(50_000).optional().describe('What will be done, and why this way, in Markdown.'),
  title: shape.title.optional(),
  steps: z.array(Step).max(200).optional().describe('The steps in order. The developer can edit, drop and reorder them.'),
  files_to_create: shape.files_to_create.optional(),
  files_to_modify: shape.files_to_modify.optional(),
  commands: shape.commands.optional(),
  dependencies: shape.dependencies.optional(),
  tests: shape.tests.optional(),
  open_questions: shape.open_questions.optional(),
})
export type ExitPlanModeInput = z.infer<typeof ExitPlanModeInput>

export const exitPlanModeSpec = toolSpec({
  name: 'exit_plan_mode',
  verb: 'Propose',
  description:
    'Presents your plan to the developer. If they agree, you can start to make changes. What the plan does not name counts as a deviation, so name every file and command.',
  use: 'Use it in plan mode, once your plan is complete.',
  isOffered: true,
  input: ExitPlanModeInput,
  // Null for calls of older versions, which stored no details.
  details: z.object({ plan: WorkPlan, condition: z.string().nullable(), file: z.string().nullable() }).nullable(),
  line: (_, details) => callLine('Propose', '', details === null ? 'a plan' : details.plan.title),
  otherNames: ['ExitPlanMode'],
  // Some models write the complete plan as one JSON value.
  complete({ plan, ...args }) {
    const parsed = typeof plan === 'string' && plan.trimStart().startsWith('{') ? parse(plan) : plan
    if (!isObject(parsed)) return { ...args, ...(plan !== undefined && { plan }) }
    const { summary, ...fields } = parsed
    return { ...args, ...fields, ...(summary !== undefined && { plan: summary }) }
  },
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
