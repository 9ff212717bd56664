import { z } from 'zod'

/** A plan as data: everything that the user has to agree to before the plan is executed. */
export const Plan = z.strictObject({
  summary: z.string().describe('What will be done, and why this way, in a few sentences, in the language of the task.'),
  files_to_create: z.array(z.strictObject({ path: z.string(), purpose: z.string() })),
  files_to_modify: z.array(z.strictObject({ path: z.string(), changes: z.string().describe('What changes in it, and where.') })),
  commands: z.array(z.string()).describe('Commands that will be run, as they will be typed, in order.'),
  dependencies: z.array(z.string()).describe('Packages that will be added, with the reason.'),
  tests: z.array(z.strictObject({ path: z.string(), coverage: z.string().describe('What it shows.') })),
})
export type Plan = z.infer<typeof Plan>

/** Null if the text is not a plan. */
export function readPlan(text: string): Plan | null {
  if (!text.trimStart().startsWith('{')) return null
  try {
    return Plan.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/**
 * A plan in Markdown for people: the summary, then a list for each part, with one entry per file, command or dependency. Parts without
 * entries are left out.
 */
export function planText(plan: Plan): string {
  const named = (path: string, words: string): string => `\`${path}\`: ${words}`
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['Files to create', plan.files_to_create.map(({ path, purpose }) => named(path, purpose))],
    ['Files to modify', plan.files_to_modify.map(({ path, changes }) => named(path, changes))],
    ['Commands', plan.commands.map((command) => `\`${command}\``)],
    ['Dependencies', plan.dependencies],
    ['Tests', plan.tests.map(({ path, coverage }) => named(path, coverage))],
  ]
  const lists = parts.filter(([, entries]) => entries.length > 0)
  return [plan.summary, ...lists.map(([title, entries]) => `**${title}**\n\n${entries.map((entry) => `- ${entry}`).join('\n')}`)].join(
    '\n\n',
  )
}
