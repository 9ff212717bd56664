import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { PersonMessage } from '../../../shared/session/person-message.ts'
import { COURSE_RULES, type Course } from '../../../shared/workflow/workflow.ts'
import { planDocument, type PlanDocument } from '../../../shared/workflow/plan-from-markdown.ts'
import { KEEP_TO_STEPS, planMarkdown, WorkPlan } from '../../../shared/workflow/work-plan.ts'
import { readUserChosenFile } from '../../environment/files/user-chosen-file.ts'

/** Maximum size of a plan in bytes. */
const MAX_FILE_BYTES = 400_000

/** The plan in the Markdown file given by `--plan` (an absolute path). Null without the option. A failure is a line for standard error. */
export async function givenPlan(path: string | null): Promise<Result<PlanDocument | null, string>> {
  if (path === null) return ok(null)
  const wrong = (why: string) => failed(`--plan ${path}: ${why}.`)
  const read = await readUserChosenFile(path, MAX_FILE_BYTES)
  if (!read.ok)
    return wrong(read.failure.kind === 'unread' ? `the file could not be read: ${read.failure.why}` : 'it is larger than 400 kB')
  const document = planDocument(new TextDecoder().decode(read.value))
  if (document.plan.steps.length === 0) return wrong('it has no steps. Write them as a numbered list')
  return WorkPlan.safeParse(document.plan).success ? ok(document) : wrong('it is too long for a plan')
}

/** The message that asks to execute a plan. */
export function planned(said: PersonMessage, document: PlanDocument, course: Course): PersonMessage {
  const { plan, condition } = document
  const words = ['I agreed to this plan. Start the work.', KEEP_TO_STEPS, COURSE_RULES[course]].filter((part) => part !== '').join(' ')
  const task = said.text.trim() === '' ? `Carry out the plan “${plan.title}”.` : said.text
  return { ...said, text: `${task}\n\n${words}\n\n${planMarkdown(plan, condition)}`, plan: document }
}

export const PLANS_ONLY: Trouble = {
  code: 'mode_plan',
  what: 'The session is in plan mode, which allows no changes, so the plan cannot be executed.',
  kept: 'Everything is unchanged.',
  todo: 'Choose another mode, for example --mode ask.',
}
