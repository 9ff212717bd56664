import { completePlan, type GivenPlan, type GivenStep, type WorkPlan } from './work-plan.ts'

export interface PlanDocument {
  readonly plan: WorkPlan
  /** The user's condition for the plan. Null if there is none. */
  readonly condition: string | null
}

const ITEM = /^ {0,3}(?:\d{1,3}[.)]|[-*+])\s+(?:\[[ x]\]\s+)?(.+)$/u
const HEADING = /^#+ /u
const NAME = /^# /u
const NUMBERED = /^ {0,3}\d{1,3}[.)]\s/u
const SECTION = /^##\s+(files to create|files to modify|commands|tests|dependencies|open questions|condition)\s*$/iu

/**
 * A plan that a model wrote as Markdown: the top-level numbered items are its steps, or the bullets if nothing is numbered. It is
 * named after the request, because headings such as "Goal" are not names. If `request` is empty, the level-1 heading is the name.
 */
export function planFromMarkdown(text: string, request: string): WorkPlan {
  const { plan } = planDocument(text)
  return request === '' ? plan : { ...plan, title: request }
}

/**
 * Reads a plan that a user, a model or `planMarkdown` wrote. A section is read as one of the plan's lists only if it has a heading that
 * `planMarkdown` writes.
 */
export function planDocument(text: string): PlanDocument {
  const { head, sections } = divided(text)
  const lines = head.split('\n')
  const isNumbered = lines.some((line) => NUMBERED.test(line))
  const steps: { title: string; details: string[] }[] = []
  const before: string[] = []
  const after: string[] = []
  // Where a line that is no step belongs: a heading behind a step ends the step, and what follows is the plan's own.
  let into = before
  // A heading that only divides steps has no text of its own, and is left out.
  let waiting: string | null = null
  for (const line of lines) {
    const item = isNumbered && !NUMBERED.test(line) ? null : ITEM.exec(line)
    if (item) {
      const details: string[] = []
      steps.push({ title: plain(item[1] ?? ''), details })
      into = details
      waiting = null
    } else if (into !== before && HEADING.test(line)) {
      waiting = plain(line.replace(HEADING, ''))
      into = after
    } else {
      if (waiting !== null && line.trim() !== '') {
        after.push('', `${waiting}:`, '')
        waiting = null
      }
      if (waiting === null) into.push(into === before ? line : line.trim())
    }
  }
  const heading = before.find((line) => NAME.test(line))?.replace(NAME, '')
  const summary = [...before.filter((line) => !line.startsWith('#')), ...after].join('\n').trim()
  const plan = completePlan({
    ...(heading !== undefined && { title: plain(heading) }),
    summary: steps.length === 0 ? head.trim() : summary,
    steps: steps.map(({ title, details }) => stepOf(title, details)),
    ...listsIn(sections),
  })
  return { plan, condition: sections.get('condition')?.join('\n').trim() || null }
}

function divided(text: string): { readonly head: string; readonly sections: ReadonlyMap<string, readonly string[]> } {
  const sections = new Map<string, string[]>()
  const head: string[] = []
  let into = head
  for (const line of text.split(/\r?\n/u)) {
    const name = SECTION.exec(line)?.[1]?.toLowerCase()
    if (name !== undefined) sections.set(name, (into = sections.get(name) ?? []))
    // Another heading of level 1 or 2 ends the section.
    else into = into !== head && /^#{1,2}\s/u.test(line) ? head : into
    if (name === undefined) into.push(line)
  }
  return { head: head.join('\n'), sections }
}

const FIELD = /^(Files|Commands|Shown by):\s+(.+)$/u

/** A step with its files and commands: from the lines that `planMarkdown` writes or, without them, from text quoted as code. */
function stepOf(title: string, details: readonly string[]): GivenStep {
  const field = (name: string): string | undefined => details.map((line) => FIELD.exec(line)).find((found) => found?.[1] === name)?.[2]
  const files = field('Files')
  const commands = field('Commands')
  const check = field('Shown by')
  const words = details
    .filter((line) => !FIELD.test(line))
    .join('\n')
    .trim()
  const guessed = files === undefined && commands === undefined ? codesIn(`${title} ${words}`) : []
  return {
    title,
    details: words,
    files: files === undefined ? guessed.filter(isPath) : codesIn(files),
    commands: commands === undefined ? guessed.filter((one) => /\s/u.test(one)) : codesIn(commands),
    ...(check !== undefined && { check }),
  }
}

function listsIn(sections: ReadonlyMap<string, readonly string[]>): Omit<GivenPlan, 'title' | 'summary' | 'steps'> {
  const items = (name: string): readonly string[] => (sections.get(name) ?? []).flatMap((line) => ITEM.exec(line)?.[1]?.trim() ?? [])
  const named = (name: string): readonly (readonly [string, string])[] =>
    items(name).map((item) => {
      const [, path = item, words = ''] = /^`([^`]+)`:?\s*(.*)$/su.exec(item) ?? []
      return [path, words]
    })
  const tests = named('tests')
  const isCommand = ([path]: readonly [string, string]): boolean => /\s/u.test(path)
  return {
    files_to_create: named('files to create').map(([path, purpose]) => ({ path, purpose })),
    files_to_modify: named('files to modify').map(([path, changes]) => ({ path, changes })),
    commands: [...named('commands').map(([command]) => command), ...tests.filter(isCommand).map(([command]) => command)],
    tests: tests.filter((test) => !isCommand(test)).map(([path, coverage]) => ({ path, coverage })),
    dependencies: [...items('dependencies')],
    open_questions: [...items('open questions')],
  }
}

const codesIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/gu)].map((match) => match[1] ?? '')

const plain = (words: string): string => words.replaceAll('**', '').trim()

const isPath = (text: string): boolean =>
  !/\s/u.test(text) && (text.includes('/') || /\.[a-z0-9]{1,5}$/iu.test(text)) && !text.includes('(')
