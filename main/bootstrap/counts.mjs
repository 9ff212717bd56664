import { readJson } from './json-file.mjs'

/** @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Counts */

/** @type {Counts} */
export const NONE = { passed: 0, failed: 0, skipped: 0 }

/**
 * @param {readonly Counts[]} all
 * @returns {Counts}
 */
export function sum(all) {
  return all.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }), NONE)
}

/** @param {Counts} counts */
export function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * A run that failed without naming a test (a file that does not load, a crash, an error outside of tests) counts as one.
 * @param {Counts} counts
 * @param {number} exitCode
 * @returns {Counts}
 */
export function withExitCode(counts, exitCode) {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/**
 * The parts that we read of the test runners' reports.
 * @typedef {{ readonly status: string, readonly assertionResults: readonly { readonly status: string }[] }} VitestFile
 * @typedef {{ readonly numPassedTests: number, readonly numFailedTests: number, readonly numPendingTests: number, readonly numTodoTests: number, readonly testResults: readonly VitestFile[] }} VitestReport
 * @typedef {{ readonly expected: number, readonly unexpected: number, readonly flaky: number, readonly skipped: number }} PlaywrightStats
 */

/**
 * Counts in vitest's JSON report; a file that could not be loaded counts as one failure.
 * @param {string} file
 * @returns {Counts}
 */
export function vitestCounts(file) {
  /** @type {VitestReport | null} */
  const report = readJson(file)
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

/**
 * Counts in Playwright's JSON report.
 * @param {string} file
 * @returns {Counts}
 */
export function playwrightCounts(file) {
  /** @type {{ readonly stats: PlaywrightStats } | null} */
  const report = readJson(file)
  if (!report) return NONE
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected + flaky, failed: unexpected, skipped }
}
