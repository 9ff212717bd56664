import { plansCommand, type WorkPlan } from './work-plan.ts'

/** What the tests of a plan have shown so far; the numbers are ledger steps. */
export interface TestRuns {
  /** A test was written since the plan was signed. */
  readonly written: boolean
  /** They failed after they were written; null: not seen yet. */
  readonly red: number | null
  /** They passed after that; null: not seen yet, or they failed again since. */
  readonly green: number | null
}

export const NO_RUNS: TestRuns = { written: false, red: null, green: null }

const TEST_PATH = /(^|\/)(tests?|__tests__|specs?)\/|(^|[/._-])(test|spec)s?\.[^/]+$|(^|\/)test_[^/]+$|_test\.[^/.]+$/u
const TEST_COMMAND = /\b(tests?|specs?|jest|vitest|mocha|ava|tap|pytest|unittest|rspec|phpunit|ctest|tox)\b/u

/** A file of tests: named so in the plan, or by its usual name. */
export function isTestFile({ tests }: Pick<WorkPlan, 'tests'>, shown: string): boolean {
  return tests.some(({ path }) => shown === path || shown.endsWith(`/${path}`)) || TEST_PATH.test(shown)
}

/** A command that runs tests: by its text, or because the plan uses it as a test. */
export function runsTests(plan: WorkPlan, command: string): boolean {
  return TEST_COMMAND.test(command) || (plan.tests.length > 0 && plansCommand({ ...plan, steps: [] }, command))
}

/** After a run of the tests that ended with `exitCode`. */
export function afterRun(runs: TestRuns, exitCode: number, step: number): TestRuns {
  if (!runs.written) return runs
  if (exitCode !== 0) return { ...runs, red: runs.red ?? step, green: null }
  return runs.red === null ? runs : { ...runs, green: step }
}
