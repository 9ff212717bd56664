import { readJson } from '../../main/bootstrap/files.mjs'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const NONE: Counts = { passed: 0, failed: 0, skipped: 0 }

export function sum(all: readonly Counts[]): Counts {
  return all.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }), NONE)
}

export function inWords({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** A run that failed without naming a test (a file that does not load, a crash, an error outside of tests) counts as one failure. */
export function withExitCode(counts: Counts, exitCode: number): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** The parts of vitest's report that are read. */
interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[]
}

/** Counts in vitest's JSON report; a file that could not be loaded counts as one failure. */
export function vitestCounts(file: string): Counts {
  const report = readJson(file) as VitestReport | null
  if (!report) return NONE
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** The part of Playwright's report that is read. */
interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number; readonly skipped: number }
}

/** Counts in Playwright's JSON report. */
export function playwrightCounts(file: string): Counts {
  const report = readJson(file) as PlaywrightReport | null
  if (!report) return NONE
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected + flaky, failed: unexpected, skipped }
}
