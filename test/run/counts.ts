import { isAbsolute, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { readJson } from '../../main/bootstrap/files.mjs'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** One line for each failed test: its file, its title, and the first line of the error. */
  readonly failures: readonly string[]
  /** One line of the same form for each test that failed and then passed when it was run again. These tests count as passed. */
  readonly unsteady: readonly string[]
}

export const NONE: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [] }

/** Maximum number of tests of a suite that may pass only the second time. If there are more, all of them count as failed. */
const UNSTEADY_LIMIT = 3

export function sum(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((total, { passed }) => total + passed, 0),
    failed: all.reduce((total, { failed }) => total + failed, 0),
    skipped: all.reduce((total, { skipped }) => total + skipped, 0),
    failures: all.flatMap(({ failures }) => failures),
    unsteady: all.flatMap(({ unsteady }) => unsteady),
  }
}

export function inWords({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Returns the counts with one failure added if the run failed without reporting a failed test (a file that does not load, a crash, an
 * error outside of tests).
 */
export function withExitCode(counts: Counts, exitCode: number): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** The parts of vitest's report that are used. */
interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly VitestFile[]
}

interface VitestFile {
  readonly name: string
  readonly status: string
  /** Why the file could not be loaded. Empty if it was loaded. */
  readonly message: string
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string; readonly failureMessages: readonly string[] }[]
}

/**
 * Returns the counts in vitest's JSON report. A file that could not be loaded counts as one failure. A test that passed when it was run
 * again keeps the errors of its first try.
 */
export function vitestCounts(file: string): Counts {
  const report = readJson(file) as VitestReport | null
  if (!report) return NONE
  const tests = report.testResults.flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ name, ...test })))
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const lines = (those: typeof tests): readonly string[] =>
    those.map(({ name, fullName, failureMessages }) => failureLine(name, fullName, failureMessages[0]))
  return limited({
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...lines(tests.filter(({ status }) => status === 'failed')),
      ...broken.map(({ name, message }) => failureLine(name, 'could not be loaded', message)),
    ],
    unsteady: lines(tests.filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)),
  })
}

function limited(counts: Counts): Counts {
  const { passed, failed, failures, unsteady } = counts
  if (unsteady.length <= UNSTEADY_LIMIT) return counts
  return {
    ...counts,
    passed: passed - unsteady.length,
    failed: failed + unsteady.length,
    failures: [...failures, ...unsteady],
    unsteady: [],
  }
}

/** Maximum number of characters of the error message in a failure's line. */
const ERROR_CHARS = 300

function failureLine(file: string, title: string, error = ''): string {
  const [first = ''] = stripVTControlCharacters(error).trimStart().split('\n', 1)
  return `${isAbsolute(file) ? relative(process.cwd(), file) : file} > ${title}: ${first.slice(0, ERROR_CHARS)}`.replaceAll(/\s+/g, ' ')
}

/** The part of Playwright's report that is used. */
interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number; readonly skipped: number }
  readonly suites: readonly PlaywrightSuite[]
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly ok: boolean
    readonly file: string
    readonly title: string
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
      readonly results: readonly { readonly error?: { readonly message?: string } }[]
    }[]
  }[]
}

/** Returns the counts in Playwright's JSON report. */
export function playwrightCounts(file: string): Counts {
  const report = readJson(file) as PlaywrightReport | null
  if (!report) return NONE
  const { expected, unexpected, flaky, skipped } = report.stats
  const failures = report.suites.flatMap((suite) => specLines(suite, ({ ok }) => !ok))
  const unsteady = report.suites.flatMap((suite) => specLines(suite, ({ tests }) => tests.some(({ status }) => status === 'flaky')))
  return limited({ passed: expected + flaky, failed: unexpected, skipped, failures, unsteady })
}

type PlaywrightSpec = PlaywrightSuite['specs'][number]

function specLines({ suites = [], specs }: PlaywrightSuite, isWanted: (spec: PlaywrightSpec) => boolean): readonly string[] {
  const error = ({ tests }: PlaywrightSpec): string | undefined =>
    tests.flatMap(({ results }) => results).find((one) => one.error)?.error?.message
  return [
    ...specs.filter(isWanted).map((spec) => failureLine(spec.file, spec.title, error(spec))),
    ...suites.flatMap((suite) => specLines(suite, isWanted)),
  ]
}
