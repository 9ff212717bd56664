import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inWords, NONE, playwrightCounts, sum, vitestCounts, withExitCode } from './counts.ts'
import { tempFolder } from '../bootstrap/temp-folder.ts'

const report = (value: unknown): string => join(tempFolder({ 'report.json': JSON.stringify(value) }), 'report.json')

describe('the count over all suites', () => {
  test('adds the counts of the suites, and mentions skipped tests only if there are any', () => {
    const counts = sum([{ ...NONE, passed: 3 }, { ...NONE, passed: 2, failed: 1, failures: ['a.test.ts > adds: no'] }, NONE])
    expect(inWords(counts)).toBe('5 passed, 1 failed')
    expect(counts.failures).toEqual(['a.test.ts > adds: no'])
    expect(inWords({ ...counts, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped')
  })

  test('a file that could not be loaded counts as a failure, and a test that passed only on its retry is listed', () => {
    const file = report({
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 0,
      testResults: [
        { name: 'a.test.ts', status: 'passed', message: '', assertionResults: [{ status: 'passed', failureMessages: [] }] },
        {
          name: join(process.cwd(), 'b.test.ts'),
          status: 'failed',
          message: '',
          assertionResults: [
            { status: 'failed', fullName: 'b adds', failureMessages: ['\u001B[31mError: 3\u001B[39m\n    at b.test.ts'] },
            { status: 'passed', fullName: 'b blinks', failureMessages: ['Error: late'] },
          ],
        },
        { name: 'c.test.ts', status: 'failed', message: 'No such\tmodule', assertionResults: [] },
      ],
    })
    expect(vitestCounts(file)).toEqual({
      passed: 4,
      failed: 2,
      skipped: 1,
      failures: ['b.test.ts > b adds: Error: 3', 'c.test.ts > could not be loaded: No such module'],
      unsteady: ['b.test.ts > b blinks: Error: late'],
    })
  })

  const spec = (title: string, status: 'expected' | 'unexpected' | 'flaky', message?: string) => ({
    title,
    file: 'a.spec.ts',
    ok: status !== 'unexpected',
    tests: [{ status, results: [{}, { error: { message } }] }],
  })

  test('an end-to-end test that passes only on its retry counts as passed and is listed', () => {
    const inner = [{ specs: [spec('moves', 'unexpected', 'Error: 2'), spec('blinks', 'flaky', 'Error: 3')] }]
    const suites = [{ specs: [spec('opens', 'expected'), spec('closes', 'unexpected', 'Error: 1')], suites: inner }]
    const file = report({ stats: { expected: 5, unexpected: 2, flaky: 1, skipped: 3 }, suites })
    expect(playwrightCounts(file)).toEqual({
      passed: 6,
      failed: 2,
      skipped: 3,
      failures: ['a.spec.ts > closes: Error: 1', 'a.spec.ts > moves: Error: 2'],
      unsteady: ['a.spec.ts > blinks: Error: 3'],
    })
  })

  test('if more than three tests pass only on their retry, all of them count as failed', () => {
    const assertionResults = [1, 2, 3, 4].map((at) => ({ status: 'passed', fullName: `${at}`, failureMessages: ['Error: late'] }))
    const testResults = [{ name: 'a.test.ts', status: 'passed', message: '', assertionResults }]
    const unit = report({ numPassedTests: 9, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults })
    expect(vitestCounts(unit)).toEqual({
      passed: 5,
      failed: 4,
      skipped: 0,
      unsteady: [],
      failures: [1, 2, 3, 4].map((at) => `a.test.ts > ${at}: Error: late`),
    })
    const specs = [1, 2, 3, 4].map((at) => spec(`blinks ${at}`, 'flaky', 'Error: late'))
    const file = report({ stats: { expected: 5, unexpected: 0, flaky: 4, skipped: 0 }, suites: [{ specs }] })
    expect(playwrightCounts(file)).toEqual({
      passed: 5,
      failed: 4,
      skipped: 0,
      unsteady: [],
      failures: [1, 2, 3, 4].map((at) => `a.spec.ts > blinks ${at}: Error: late`),
    })
  })

  test('a failed run adds one failure only if it reports no failed test', () => {
    expect(withExitCode({ ...NONE, passed: 9, failed: 0 }, 1)).toEqual({ ...NONE, passed: 9, failed: 1 })
    expect(withExitCode({ ...NONE, passed: 9, failed: 2 }, 1)).toEqual({ ...NONE, passed: 9, failed: 2 })
    expect(withExitCode({ ...NONE, passed: 9, failed: 0 }, 0)).toEqual({ ...NONE, passed: 9, failed: 0 })
  })

  test('a run without a report is judged only by its exit code', () => {
    expect(withExitCode(vitestCounts(join(tempFolder(), 'none.json')), 1)).toEqual({ ...NONE, passed: 0, failed: 1 })
  })
})
