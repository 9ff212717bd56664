import { commandsOf, plansCommand, type WorkPlan } from './work-plan.ts'

/** What the tests of a plan have shown so far. The numbers are ledger steps. */
export interface TestRuns {
  /** Whether a test was written after the plan was signed. */
  readonly written: boolean
  /** The step in which the tests failed after they were written. Null if this has not happened yet. */
  readonly red: number | null
  /**
   * The step in which the tests passed after they had failed. Null if this has not happened yet, or if the tests have failed again since.
   */
  readonly green: number | null
}

export const NO_RUNS: TestRuns = { written: false, red: null, green: null }

const TEST_PATH = /(^|\/)(tests?|__tests__|specs?)\/|(^|[/._-])(test|spec)s?\.[^/]+$|(^|\/)test_[^/]+$|_test\.[^/.]+$/u
const TEST_COMMAND = /\b(tests?|specs?|jest|vitest|mocha|ava|tap|pytest|unittest|rspec|phpunit|ctest|tox)\b/u

/** Whether a file contains tests: the plan lists it as a test file, or its name is typical of test files. */
export function isTestFile({ tests }: Pick<WorkPlan, 'tests'>, shown: string): boolean {
  return tests.some(({ path }) => shown === path || shown.endsWith(`/${path}`)) || TEST_PATH.test(shown)
}

/** Programs that show, search, check or move files. Their arguments often contain the name of a test tool. */
const FILE_PROGRAM =
  /^(?:cat|chmod|cp|diff|echo|find|git|grep|head|less|ls|mkdir|mv|printf|rg|rm|sed|stat|tail|tee|test|touch|tree|wc)(?= |$)/u

/** Programs at the beginning of a pipeline that only print its input. */
const PRINTERS = /^(?:(?:cat|echo|printf|yes)(?: (?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^'"\\|])*)?\|&? ?)+/u

/**
 * Whether a line runs tests: one of its commands contains the name of a test tool, or the plan lists the line as a test command. What a
 * pipeline prints into its first other program does not count.
 */
export function runsTests(plan: WorkPlan, line: string): boolean {
  const commands = commandsOf(withoutHereDocuments(line)).map((command) => command.replace(PRINTERS, ''))
  if (commands.some((command) => TEST_COMMAND.test(command) && !FILE_PROGRAM.test(command))) return true
  return plan.tests.length > 0 && commands.length > 0 && plansCommand({ ...plan, steps: [] }, commands.join('\n'))
}

const HERE_DOCUMENT = /(?<!<)<<-?[\t ]*(["']?)(\w+)\1/u

/** The text without lines that are the input of a command, because they may be the text of tests. */
function withoutHereDocuments(text: string): string {
  const lines = text.split('\n')
  const last = new Map(lines.map((line, at) => [line.trim(), at]))
  const kept: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    kept.push(line)
    const end = HERE_DOCUMENT.exec(line)?.[2]
    if (end === undefined || (last.get(end) ?? 0) <= at) continue
    do at++
    while (lines[at]?.trim() !== end)
  }
  return kept.join('\n')
}

/** Returns the test runs, updated with a further run, which ended with `exitCode` in `step`. */
export function afterRun(runs: TestRuns, exitCode: number, step: number): TestRuns {
  if (!runs.written) return runs
  if (exitCode !== 0) return { ...runs, red: runs.red ?? step, green: null }
  return runs.red === null ? runs : { ...runs, green: step }
}
