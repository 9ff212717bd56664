import { expect, test } from 'vitest'
import { writtenOutput } from '../../../renderer/ui/ledger/written-output.ts'
import type { CallItem } from '../../../shared/session/state.ts'

const ran = (output: string, exitCode: number | null): CallItem =>
  ({
    toolName: 'shell',
    output,
    details: { command: 'x', cwd: '/', exitCode, timedOut: false, terminal: true, rawBlob: null },
  }) as unknown as CallItem

test.each([
  ['one\ntwo\nExit code: 0 (12 ms)', 0, 'one\ntwo'],
  ['Exit code: 0 (12 ms)', 0, ''],
  ['Exit code: 1 (3 ms)\nExit code: 0 (12 ms)', 0, 'Exit code: 1 (3 ms)'],
  ['Exit code: 1 (3 ms)', 0, 'Exit code: 1 (3 ms)'],
  ['one\nTimed out after 100 ms', null, 'one'],
  ['one\nEnded by SIGINT after 100 ms', null, 'one'],
  ['one', 0, 'one'],
])('of %j with exit code %s people see %j', (output, exitCode, seen) => {
  expect(writtenOutput(ran(output, exitCode))).toBe(seen)
})

test('the output of any other tool is shown as it is', () => {
  expect(writtenOutput({ ...ran('Exit code: 0 (1 ms)', 0), toolName: 'grep' })).toBe('Exit code: 0 (1 ms)')
})
