import { plansCommand, type WorkPlan } from './work-plan.ts'

/** What the tests of a plan have shown so far. The numbers are ledger steps. */
export interface TestRuns {
  /** Whether a test was written after the plan was signed. */
  readonly written: boolean
  /** The step in which the tests failed after they were written. Null if this was not seen yet. */
  readonly red: number | null
  /** The step in which the tests passed after they had failed. Null if this was not seen yet, or if the tests have failed again since. */
  readonly green: number | null
}

export const NO_RUNS: TestRuns = { written: false, red: null, green: null }

const TEST_PATH = /(^|\/)(tests?|__tests__|specs?)\/|(^|[/._-])(test|spec)s?\.[^/]+$|(^|\/)test_[^/]+$|_test\.[^/.]+$/u
const TEST_COMMAND = /\b(tests?|specs?|jest|vitest|mocha|ava|tap|pytest|unittest|rspec|phpunit|ctest|tox)\b/u

/** Whether a file contains tests: the plan lists it as a test file, or its name is typical of test files. */
export function isTestFile({ tests }: Pick<WorkPlan, 'tests'>, shown: string): boolean {
  return tests.some(({ path }) => shown === path || shown.endsWith(`/${path}`)) || TEST_PATH.test(shown)
}

/** Whether a command runs tests: it contains the name of a test tool, or the plan lists it as a test command. */
export function runsTests(plan: WorkPlan, command: string): boolean {
  return TEST_COMMAND.test(command) || (plan.tests.length > 0 && plansCommand({ ...plan, steps: [] }, command))
}

/** The test runs after another run that ended with `exitCode`. */
export function afterRun(runs: TestRuns, exitCode: number, step: number): TestRuns {
  if (!runs.written) return runs
  if (exitCode !== 0) return { ...runs, red: runs.red ?? step, green: null }
  return runs.red === null ? runs : { ...runs, green: step }
}
