import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inWords, NONE, playwrightCounts, sum, vitestCounts, withExitCode } from './counts.ts'
import { tempFolder } from '../bootstrap/temp-folder.ts'

const report = (value: unknown): string => join(tempFolder({ 'report.json': JSON.stringify(value) }), 'report.json')

describe('the count over all suites', () => {
  test('adds the counts of the suites, and mentions skipped tests only if there are any', () => {
    const counts = sum([{ passed: 3, failed: 0, skipped: 0 }, { passed: 2, failed: 1, skipped: 0 }, NONE])
    expect(inWords(counts)).toBe('5 passed, 1 failed')
    expect(inWords({ ...counts, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped')
  })

  test('a test file that could not be loaded counts as a failure', () => {
    const file = report({
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 0,
      testResults: [
        { status: 'passed', assertionResults: [{ status: 'passed' }] },
        { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
        { status: 'failed', assertionResults: [] },
      ],
    })
    expect(vitestCounts(file)).toEqual({ passed: 4, failed: 2, skipped: 1 })
  })

  test('a flaky end-to-end test counts as passed', () => {
    const file = report({ stats: { expected: 5, unexpected: 2, flaky: 1, skipped: 3 } })
    expect(playwrightCounts(file)).toEqual({ passed: 6, failed: 2, skipped: 3 })
  })

  test('a run that failed without a failed test is a failure, and one that named its failures is not counted twice', () => {
    expect(withExitCode({ passed: 9, failed: 0, skipped: 0 }, 1)).toEqual({ passed: 9, failed: 1, skipped: 0 })
    expect(withExitCode({ passed: 9, failed: 2, skipped: 0 }, 1)).toEqual({ passed: 9, failed: 2, skipped: 0 })
    expect(withExitCode({ passed: 9, failed: 0, skipped: 0 }, 0)).toEqual({ passed: 9, failed: 0, skipped: 0 })
  })

  test('a run without a report counts only by its exit code', () => {
    expect(withExitCode(vitestCounts(join(tempFolder(), 'none.json')), 1)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})
