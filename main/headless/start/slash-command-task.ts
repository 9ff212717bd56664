import { calledCommand } from '../../../shared/session/called-command.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import { COURSE_NAMES, COURSES } from '../../../shared/workflow/workflow.ts'

/**
 * What a slash command of the desk (the graphical interface) means as a task without a window. `elsewhere`: a task cannot do it, and the
 * trouble says what to use instead.
 */
export type SlashCommandTask =
  | { readonly kind: 'compact'; readonly instructions: string }
  /** `change`: the settings of the session that apply to this request and those after it. */
  | { readonly kind: 'request'; readonly change: Partial<SessionConfigured>; readonly request: string }
  | { readonly kind: 'elsewhere'; readonly trouble: Trouble }

/** What to use instead of commands of the desk. */
const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    model: 'Use --model MODEL.',
    effort: 'Use --effort EFFORT.',
    mode: 'Use --mode MODE.',
    course: 'Use --course COURSE.',
    resume: 'Use --resume ID or --continue without a task.',
    undo: 'Run: npm run -s agent -- undo STEP',
    rollback: 'Run: npm run -s agent -- rollback STEP',
    context: 'Run: npm run -s agent -- state SESSION_ID',
    cost: 'Run: npm run -s agent -- state SESSION_ID',
    help: 'Run: npm run -s agent -- --help',
    search: 'Run: npm run -s agent -- search "WORDS"',
    diff: 'Use git diff.',
    changes: 'Use git diff.',
    new: 'Leave out --resume and --continue.',
    ...Object.fromEntries(
      ['rename', 'fork', 'export', 'stop', 'agents', 'terminal', 'settings', 'commands'].map((name) => [name, 'Use it in the window.']),
    ),
  }),
)

/** Commands that change how the request after them is handled. */
const CHANGES: ReadonlyMap<string, Partial<SessionConfigured>> = new Map<string, Partial<SessionConfigured>>([
  ['plan', { mode: 'plan' }],
  ...COURSES.map((course) => [COURSE_NAMES[course], { course }] as const),
])

/** Null if the text is not a slash command of the desk. */
export function slashCommandTask(text: string): SlashCommandTask | null {
  const called = calledCommand(text)
  if (!called) return null
  const { name, args } = called
  if (name === 'compact') return { kind: 'compact', instructions: args }
  const change = CHANGES.get(name)
  if (change && args !== '') return { kind: 'request', change, request: args }
  const instead = change ? `Add the request: /${name} REQUEST.` : INSTEAD.get(name)
  return instead === undefined ? null : { kind: 'elsewhere', trouble: notATask(name, instead) }
}

const notATask = (name: string, todo: string): Trouble => ({
  code: 'not_a_task',
  what: `/${name} is a window command, not a task for the agent.`,
  kept: 'Nothing was changed or sent to the model.',
  todo,
})
