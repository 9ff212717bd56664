import { expect, test } from 'vitest'
import { writtenOutput } from '../../../../renderer/ui/calls/commands.ts'
import type { CallItem } from '../../../../shared/session/state.ts'

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

test('what the model is told to do about a time limit is not what the command wrote; what became of its shell is worth knowing', () => {
  const note = '[ERROR: Command timed out after 300 ms. Partial output is shown above. Retry with a larger timeout_ms if it needs longer.]'
  const timedOut = (output: string): CallItem => {
    const call = ran(output, null)
    return { ...call, details: { ...(call.details as object), timedOut: true } }
  }
  expect(writtenOutput(timedOut(`begun\n${note}\nTimed out after 301 ms`))).toBe('begun')
  expect(writtenOutput(timedOut(`${note}\nTimed out after 301 ms`))).toBe('')
  const gone = 'The bash process ended with this command; its variables, functions and background jobs are gone.'
  expect(writtenOutput(timedOut(`begun\n${note}\nTimed out after 301 ms\n${gone}`))).toBe(`begun\n${gone}`)
})

test('of a background command’s output the line that says how it stands is left out: it stands beside it', () => {
  const read = (output: string): CallItem =>
    ({
      toolName: 'bash_output',
      args: {},
      output,
      details: { id: 'bg_1', command: 'x', running: true, exitCode: null },
    }) as unknown as CallItem
  expect(writtenOutput(read('bg_1 is still running (process 12).\ntick 1\ntick 2'))).toBe('tick 1\ntick 2')
  expect(writtenOutput(read('bg_1 is still running (process 12).\n(nothing new)'))).toBe('Nothing new was printed.')
})

test('the output of any other tool is shown as it is', () => {
  expect(writtenOutput({ ...ran('Exit code: 0 (1 ms)', 0), toolName: 'grep' })).toBe('Exit code: 0 (1 ms)')
})
