import { modelOnly, type Reason, reason } from '../../agent/reason.ts'
import { titleOfRequest } from '../../../shared/session/session-title.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { ModeEffect } from '../../../shared/session/effects.ts'
import { type ExitPlanModeInput, exitPlanModeSpec } from '../../../shared/tools/built-in/exit-plan-mode.ts'
import {
  asTodo,
  completePlan,
  filesOf,
  KEEP_TO_STEPS,
  planMarkdown,
  withoutDropped,
  type WorkPlan,
} from '../../../shared/workflow/work-plan.ts'
import { planFromMarkdown } from '../../../shared/workflow/plan-from-markdown.ts'
import { type Course, COURSE_RULES, type Workflow } from '../../../shared/workflow/workflow.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { Prepared, Tool } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { rejected } from '../define/tool-path.ts'

/** Stores an approved plan as a Markdown file. Resolves to its path; null if it could not be written. */
export type KeepPlan = (title: string, markdown: string) => Promise<string | null>

/**
 * The only call that has effects and can be signed in plan mode. When it is signed, the session returns to its previous mode, and the steps
 * of the plan become the agent's to-do list.
 */
export function createExitPlanModeTool(
  writePlanFile: KeepPlan = () => Promise.resolve(null),
  skipsSmall: () => boolean = () => false,
): Tool {
  return defineTool(exitPlanModeSpec, (input, { session }) => {
    const mode = session.mode()
    if (mode !== 'plan') return Promise.resolve(rejected(notNow(mode, session.workflow())))
    const request = titleOfRequest({ text: session.workflow()?.query ?? '' })
    const document = documentOf(input, request)
    const course = session.course()
    if (course === 'test-first' && !document?.tests.length) return Promise.resolve(rejected(NO_TESTS))
    if (document && course === 'plan' && skipsSmall() && isSmall(document)) return Promise.resolve(skipped(session.modeBefore()))
    const plan = input.plan !== undefined && !input.steps ? input.plan : document && planMarkdown(document)
    const effect: ModeEffect = { kind: 'mode', to: session.modeBefore(), plan, ...(document && { document }) }
    return Promise.resolve({
      kind: 'ready',
      effects: [effect],
      async commit(run) {
        const reply = run.reply?.kind === 'plan' ? run.reply : null
        const approved = document && withoutDropped(document, reply?.plan ?? document)
        const condition = reply?.condition ?? null
        const markdown = approved && planMarkdown(approved, condition)
        const file = approved && markdown !== null ? await writePlanFile(approved.title, markdown) : null
        run.session.setMode(effect.to)
        if (approved) run.session.setTodos(approved.steps.map(asTodo))
        return {
          output: forModel({ document, approved, condition, markdown, course }),
          ...(markdown !== null && { shown: file === null ? markdown : `${markdown}\n\nKept as \`${file}\`.` }),
          isError: false,
          // The conversion to JSON and back drops undefined members, which JSON cannot contain.
          details: approved && (JSON.parse(JSON.stringify({ plan: approved, condition, file })) as JsonValue),
        }
      },
    })
  })
}

/**
 * The answer to a call outside plan mode. It contains the signed plan if there is one, because after a restart the model may not know that
 * its plan was signed.
 */
function notNow(mode: ApprovalMode, workflow: Workflow | null): Reason {
  const approved = workflow?.stage === 'executing' ? workflow.approved : null
  const plan = approved ? `\n\nThis plan is signed:\n\n${planMarkdown(approved.plan, approved.condition)}` : ''
  return reason`The approval mode is ${mode}, not plan. ${modelOnly('Continue with the work.')}${plan}`
}

const LIST_TESTS = 'List them in tests, list the command that runs them in commands, and present the plan again.'
const NO_TESTS = reason`The course is test first, and the plan has no tests. ${modelOnly(LIST_TESTS)}`

/**
 * The plan is carried out without asking, because the user has chosen that for small plans. Its edits still need the signatures that the
 * mode requires.
 */
function skipped(to: ApprovalMode): Prepared {
  return {
    kind: 'ready',
    effects: [],
    commit: (run) => {
      run.session.setMode(to)
      return Promise.resolve({ output: 'The developer wants no plan for small changes. Start the work.', isError: false, details: null })
    },
  }
}

const isSmall = (plan: WorkPlan): boolean =>
  plan.steps.length === 1 &&
  filesOf(plan).length <= 1 &&
  plan.dependencies.length === 0 &&
  plan.commands.length === 0 &&
  plan.steps[0]?.commands.length === 0

function documentOf({ plan, title, steps, ...lists }: ExitPlanModeInput, request: string): WorkPlan | null {
  const hasData = (steps?.length ?? 0) > 0 || Object.values(lists).some((list) => list !== undefined && list.length > 0)
  if (hasData) return completePlan({ ...lists, title: title ?? request, summary: plan ?? '', steps })
  return plan === undefined || plan.trim() === '' ? null : planFromMarkdown(plan, title ?? request)
}

interface Outcome {
  readonly document: WorkPlan | null
  readonly approved: WorkPlan | null
  readonly condition: string | null
  readonly markdown: string | null
  readonly course: Course
}

function forModel({ document, approved, condition, markdown, course }: Outcome): string {
  const isChanged = JSON.stringify(document) !== JSON.stringify(approved)
  const parts = [
    isChanged ? 'The developer changed the plan and agreed to it.' : 'The developer agreed to the plan.',
    ...(condition === null ? [] : [`Their condition, which you must keep: ${condition}`]),
    'Start the work.',
    ...(approved ? [KEEP_TO_STEPS] : []),
    ...(approved && COURSE_RULES[course] !== '' ? [COURSE_RULES[course]] : []),
  ]
  return `${parts.join(' ')}${isChanged && markdown !== null ? `\n\nThe plan as approved:\n\n${markdown}` : ''}`
}
