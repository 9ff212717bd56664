import { calledCommand } from '../../../shared/session/called-command.ts'
import type { Trouble } from '../../../shared/session/events.ts'

/**
 * What a slash command of the desk (the graphical interface) means as a task without a window. `elsewhere`: a task cannot do it, and the
 * trouble says what to use instead.
 */
export type SlashCommandTask =
  | { readonly kind: 'compact'; readonly instructions: string }
  | { readonly kind: 'plan'; readonly request: string }
  | { readonly kind: 'elsewhere'; readonly trouble: Trouble }

/** What to use instead of commands of the desk. */
const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ model: 'Use --model MODEL.', effort: 'Use --effort EFFORT.', mode: 'Use --mode MODE.', course: 'Use --course COURSE.' },
    ...{ 'plan-first': 'Use --course plan.', 'test-first': 'Use --course test-first.', 'staged-review': 'Use --course review.' },
    ...{ 'no-plan': 'Use --course plain.', resume: 'Use --resume ID or --continue without a task.' },
    ...{ undo: 'Run: npm run -s agent -- undo STEP', rollback: 'Run: npm run -s agent -- rollback STEP' },
    ...{ context: 'Run: npm run -s agent -- state SESSION_ID', cost: 'Run: npm run -s agent -- state SESSION_ID' },
    ...{ help: 'Run: npm run -s agent -- --help', search: 'Run: npm run -s agent -- history --help' },
    ...{ diff: 'Use git diff.', changes: 'Use git diff.', new: 'Leave out --resume and --continue.' },
    ...Object.fromEntries(
      ['rename', 'fork', 'export', 'stop', 'agents', 'terminal', 'settings', 'commands'].map((name) => [name, 'Use it in the window.']),
    ),
  }),
)

/** Null if the text is not a slash command of the desk. */
export function slashCommandTask(text: string): SlashCommandTask | null {
  const called = calledCommand(text)
  if (!called) return null
  const { name, args } = called
  if (name === 'compact') return { kind: 'compact', instructions: args }
  if (name === 'plan' && args !== '') return { kind: 'plan', request: args }
  const instead = name === 'plan' ? 'Add the request: /plan REQUEST.' : INSTEAD.get(name)
  return instead === undefined ? null : { kind: 'elsewhere', trouble: notATask(name, instead) }
}

const notATask = (name: string, todo: string): Trouble => ({
  code: 'not_a_task',
  what: `/${name} is a window command, not a task for the agent.`,
  kept: 'Nothing was changed or sent to the model.',
  todo,
})
