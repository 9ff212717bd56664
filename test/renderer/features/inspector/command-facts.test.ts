import { expect, test } from 'vitest'
import { commandLine, openBlocks } from '../../../../renderer/features/inspector/command-facts.ts'
import type { ToolCallId } from '../../../../shared/lib/ids.ts'
import type { CallItem, CallStatus } from '../../../../shared/session/state.ts'

const command = (step: number, status: CallStatus, startedAt: number | null): CallItem => ({
  kind: 'call',
  id: `${step}`,
  at: step,
  toolCallId: `call-${step}` as ToolCallId,
  step,
  toolName: 'shell',
  args: { command: 'npm test' },
  status,
  effects: [],
  approval: null,
  signedBy: null,
  files: [],
  startedAt,
  endedAt: null,
  durationMs: null,
  output: '',
  outputBlob: null,
  isError: false,
  details: null,
  tail: null,
})

test('running commands and the two newest finished commands are expanded, but refused commands never are', () => {
  const calls = [command(1, 'running', 1), command(2, 'done', 2), command(3, 'refused', null), command(4, 'done', 4), command(5, 'done', 5)]
  expect(openBlocks(calls)).toEqual(new Set(['call-4', 'call-5', 'call-1']))
})

test('the signed command is shown, or the requested command if nothing was signed', () => {
  const asked = command(1, 'preparing', null)
  expect(commandLine(asked)).toEqual({ command: 'npm test', cwd: null })
  const effects = [
    { kind: 'command', command: 'npm test -- --ci', cwd: '/p', outside: false, env: {}, timeoutMs: 1, destructive: false },
  ] as const
  expect(commandLine({ ...asked, effects })).toEqual({ command: 'npm test -- --ci', cwd: '/p' })
})
