import { expect, test } from 'vitest'
import { excerptStart, firstFailure } from '../../../shared/lib/lines/first-failure.ts'

test.each([
  ['node:test', ['✔ adds (0.1ms)', '\u001B[31m✖ splits (1.4ms)\u001B[39m', 'ℹ fail 1']],
  ['TAP', ['ok 1 - adds', 'not ok 2 - splits', '# fail 1']],
  ['vitest', [' ✓ a.test.ts (3 tests)', ' FAIL  b.test.ts > splits', 'AssertionError: expected 1']],
  ['jest', ['PASS a.test.js', 'FAIL b.test.js', '  ● splits']],
  ['go test', ['=== RUN   TestSplit', '--- FAIL: TestSplit (0.00s)', 'FAIL']],
  ['cargo test', ['test adds ... ok', 'test splits ... FAILED', 'failures:']],
  ['pytest', ['a.py::test_adds PASSED', 'E   AssertionError: assert 1 == 2', '1 failed, 1 passed']],
  ['Python', ['started', 'Traceback (most recent call last):', '  File "a.py", line 1']],
  ['Node', ['started', "TypeError: Cannot read properties of undefined (reading 'a')", '    at a.js:1:2']],
  ['gcc', ['cc -c a.c', 'a.c:3:5: error: expected expression', '1 error generated.']],
  ['tsc', ['Starting', "src/a.ts(3,4): error TS2322: Type 'string' is not assignable to type 'number'.", 'Found 1 error.']],
  ['rustc', ['   Compiling a v0.1.0', 'error[E0308]: mismatched types', ' --> src/a.rs:3:5']],
  ['eslint', ['/ws/a.js', '  3:5  error  Unexpected console statement  no-console', '✖ 1 problem']],
])('the first line about a failure in the output of %s', (_, lines) => {
  expect(firstFailure(lines)).toBe(1)
})

test.each([['ℹ fail 0'], ['0 errors'], ['Errors are written to errors.log'], ['no errors found'], ['error.js compiled']])(
  '“%s” is not about a failure',
  (line) => {
    expect(firstFailure([line])).toBe(null)
  },
)

test('the excerpt of a failed command begins at the first failure, and is never shorter than it could be', () => {
  const lines = ['ok 1', 'not ok 2', ...Array.from({ length: 20 }, (_, at) => `    at line ${at}`)]
  expect(excerptStart(lines, 8, true)).toBe(1)
  expect(excerptStart(lines, 8, false)).toBe(14)
  expect(excerptStart(['a', 'b', 'not ok 1'], 2, true)).toBe(1)
  expect(excerptStart(['a'], 8, true)).toBe(0)
})
