import { z } from 'zod'
import { Plan } from './plan-agent-answer.ts'

const Texts = z.array(z.string().max(4000)).max(500)

/** One step of a plan. `id` does not change while the user edits and moves the step. */
export const PlanStep = z.strictObject({
  id: z.string().min(1).max(40),
  title: z.string().max(2000),
  details: z.string().max(20_000),
  /** Files that the step creates or changes, as paths relative to the project folder. */
  files: Texts,
  commands: Texts,
  /** How to check that the step is done. */
  check: z.string().max(4000),
})
export type PlanStep = z.infer<typeof PlanStep>

/** A plan that a user can approve: the steps in order, and what they touch and run. */
export const WorkPlan = Plan.extend({
  title: z.string().max(2000),
  steps: z.array(PlanStep).max(200),
  open_questions: Texts,
})
export type WorkPlan = z.infer<typeof WorkPlan>

/** The parts of a plan that a model may leave out are optional here. */
export interface GivenPlan extends Loose<Omit<WorkPlan, 'steps'>> {
  readonly steps?: readonly GivenStep[] | undefined
}
export type GivenStep = Loose<PlanStep> & Pick<PlanStep, 'title'>
type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined }

const MAX_TITLE = 120

/**
 * Fills in the parts that the model left out. Steps get the ids `1`, `2`, … If there are no steps, each file and command becomes a step.
 */
export function completePlan(given: GivenPlan): WorkPlan {
  const {
    files_to_create = [],
    files_to_modify = [],
    commands = [],
    dependencies = [],
    tests = [],
    open_questions = [],
    summary = '',
  } = given
  const lists = { files_to_create, files_to_modify, commands, dependencies, tests, open_questions }
  const steps = given.steps && given.steps.length > 0 ? given.steps : stepsOf(lists)
  const [first = ''] = summary.split('\n', 1)
  const title = given.title?.trim() || (first.length > MAX_TITLE ? `${first.slice(0, MAX_TITLE)}…` : first) || 'Plan'
  return {
    ...lists,
    title,
    summary,
    steps: steps.map(({ title: words, details = '', files = [], commands: run = [], check = '' }, at) => ({
      id: String(at + 1),
      title: words,
      details,
      files,
      commands: run,
      check,
    })),
  }
}

function stepsOf({ files_to_create, files_to_modify, tests, commands }: Omit<Plan, 'summary'>): NonNullable<GivenPlan['steps']> {
  return [
    ...files_to_create.map(({ path, purpose }) => ({ title: `Create ${path}`, details: purpose, files: [path] })),
    ...files_to_modify.map(({ path, changes }) => ({ title: `Change ${path}`, details: changes, files: [path] })),
    ...tests.map(({ path, coverage }) => ({ title: `Test: ${path}`, details: coverage, files: [path] })),
    ...commands.map((command) => ({ title: `Run ${command}`, commands: [command] })),
  ]
}

/** The plan as Markdown, for files, the model and terminals. */
export function planMarkdown(plan: WorkPlan, condition: string | null = null): string {
  const steps = plan.steps.map(({ title, details, files, commands, check }, at) => {
    const lines = [
      ...details.split('\n').filter((line) => line !== ''),
      ...(files.length > 0 ? [`Files: ${files.map(code).join(', ')}`] : []),
      ...(commands.length > 0 ? [`Commands: ${commands.map(code).join(', ')}`] : []),
      ...(check === '' ? [] : [`Shown by: ${check}`]),
    ]
    return [`${at + 1}. ${title}`, ...lines.map((line) => `   ${line}`)].join('\n')
  })
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['Files to create', plan.files_to_create.map(({ path, purpose }) => `${code(path)}: ${purpose}`)],
    ['Files to modify', plan.files_to_modify.map(({ path, changes }) => `${code(path)}: ${changes}`)],
    ['Commands', plan.commands.map(code)],
    ['Tests', plan.tests.map(({ path, coverage }) => `${code(path)}: ${coverage}`)],
    ['Dependencies', plan.dependencies],
    ['Open questions', plan.open_questions],
  ]
  return [
    `# ${plan.title}`,
    ...(plan.summary === '' || plan.summary === plan.title ? [] : [plan.summary]),
    ...(steps.length > 0 ? [steps.join('\n')] : []),
    ...parts.flatMap(([title, entries]) =>
      entries.length === 0 ? [] : [`## ${title}\n\n${entries.map((entry) => `- ${entry}`).join('\n')}`],
    ),
    ...(condition === null ? [] : [`## Condition\n\n${condition}`]),
  ].join('\n\n')
}

const code = (text: string): string => `\`${text}\``

/** The instructions for the agent about a signed plan. */
export const KEEP_TO_STEPS =
  'The steps are in your list under their ids: mark each as in_progress when you begin it and as completed when it is done, and keep to the plan.'

/** A step as an entry of the agent's to-do list. */
export const asTodo = ({ id, title }: PlanStep) =>
  ({ id, content: title === '' ? `Step ${id}` : title, status: 'pending', priority: 'medium' }) as const

/** Whether the plan lists the file. `shown` is its path relative to the project folder. */
export function plansFile(plan: WorkPlan, shown: string): boolean {
  return filesOf(plan).some((planned) => meansFile(planned, shown))
}

/** Whether a path in a plan means the file `shown`. A folder in a plan includes its content. */
export function meansFile(planned: string, shown: string): boolean {
  if (/^(?:\.\/?)?\**$/u.test(planned)) return planned !== '' && !/^(?:\/|\.\.\/)/u.test(shown)
  const path = planned.replace(/^\.\//u, '')
  return shown === path || shown.endsWith(`/${path}`) || shown.startsWith(`${path.replace(/\/?\**$/u, '')}/`)
}

/** Whether the plan lists the command, with or without further arguments. Each command of a line must be listed. */
export function plansCommand(plan: WorkPlan, line: string): boolean {
  const planned = [...plan.commands, ...plan.steps.flatMap(({ commands }) => commands)].flatMap(commandsOf)
  return commandsOf(line).every((run) => planned.some((command) => isRunOf(command, run)))
}

/** Whether the line runs each command of a planned line, with or without further arguments. */
export function runsPlanned(planned: string, line: string): boolean {
  const commands = commandsOf(planned)
  return commands.length > 0 && commands.every((command) => commandsOf(line).some((run) => isRunOf(command, run)))
}

const isRunOf = (command: string, run: string): boolean => run === command || run.startsWith(`${command} `)

/** The commands of a line, except `cd`. */
export const commandsOf = (line: string): readonly string[] =>
  line
    .split(/&&|\|\||;|\n/u)
    .map(spaced)
    .filter((command) => command !== '' && !command.startsWith('cd '))

const spaced = (text: string): string => text.trim().replaceAll(/\s+/gu, ' ')

/** Every file that the plan lists, each once. */
export function filesOf(plan: WorkPlan): readonly string[] {
  const named = [...plan.files_to_create, ...plan.files_to_modify, ...plan.tests].map(({ path }) => path)
  return [...new Set([...named, ...plan.steps.flatMap(({ files }) => files)].map((path) => path.replace(/^\.\/(?=.)/u, '')))]
}

/** The approved plan without the files and commands that only dropped steps use, so that these count as outside the plan. */
export function withoutDropped(proposed: WorkPlan, plan: WorkPlan): WorkPlan {
  const kept = new Set(plan.steps.flatMap(({ files, commands }) => [...files, ...commands]))
  const dropped = proposed.steps.filter(({ id }) => !plan.steps.some((step) => step.id === id))
  const gone = new Set(dropped.flatMap(({ files, commands }) => [...files, ...commands]).filter((one) => !kept.has(one)))
  const stays = ({ path }: { readonly path: string }): boolean => !gone.has(path)
  return {
    ...plan,
    files_to_create: plan.files_to_create.filter(stays),
    files_to_modify: plan.files_to_modify.filter(stays),
    tests: plan.tests.filter(stays),
    commands: plan.commands.filter((command) => !gone.has(command)),
  }
}
