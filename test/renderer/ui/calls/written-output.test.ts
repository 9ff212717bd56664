import { expect, onTestFinished, test } from 'vitest'
import { writtenOutput } from '../../../../renderer/ui/calls/command-words.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { createWorkbench, textOf, type Workbench } from '../../../tools/workbench.ts'

function open(): Workbench {
  const bench = createWorkbench()
  onTestFinished(() => bench.dispose())
  return bench
}

/** Runs a call of the real tool and returns it as an item of the ledger. */
async function called(bench: Workbench, toolName: string, args: object, run: object = {}): Promise<CallItem> {
  const { output, details } = await bench.call(toolName, args, run)
  return { toolName, args, output: textOf(output), details } as unknown as CallItem
}

const seen = async (toolName: string, args: object, run?: object): Promise<string> =>
  writtenOutput(await called(open(), toolName, args, run))

const TERMINAL = { terminal: { columns: 80, rows: 24, onOpen: () => {} } }

test.each([
  ['echo one; echo two', {}, 'one\ntwo'],
  ['true', {}, ''],
  ['exit 3', {}, ''],
  ['echo "Exit code: 0 (12 ms)"', {}, 'Exit code: 0 (12 ms)'],
  ['kill -INT $$', {}, ''],
  ['echo begun; sleep 60', { timeout_ms: 2_000 }, 'begun'],
  ['sleep 60', { timeout_ms: 300 }, ''],
])('for the command %j with %j the user sees %j, without exit status or advice for the model', async (command, more, expected) => {
  const args = { command, ...more }
  expect(await Promise.all([seen('shell', args), seen('shell', args, TERMINAL)])).toEqual([expected, expected])
})

test('the output that the user sees says that the command ended its shell', async () => {
  expect(await seen('bash', { command: 'echo begun; exit 4' })).toMatch(/^begun\nThe bash process ended with this command; /u)
})

/** Reads the newest background command until a read returns new output. Resolves with that read. */
async function firstRead(bench: Workbench): Promise<CallItem> {
  for (;;) {
    const call = await called(bench, 'bash_output', {})
    if ((call.details as { readonly printed: string }).printed === 'text') return call
  }
}

test('for a background command, the user sees only its output, not whether it still runs', async () => {
  const bench = open()
  await bench.call('shell', { command: 'echo tick; sleep 60', run_in_background: true })
  const first = await firstRead(bench)
  expect(first.output).toMatch(/^bg_1 is still running/u)
  expect(writtenOutput(first)).toBe('tick')
  expect(writtenOutput(await called(bench, 'bash_output', {}))).toBe('Nothing new was printed.')
  expect(writtenOutput(await called(bench, 'bash_output', { filter: 'tock' }))).toBe('Nothing new matches.')
  // Each text is one line, because bash writes to a terminal line by line and a read may come between two lines.
  for (const printed of ['(nothing new)', 'bg_1 is still running (process 1).']) {
    await bench.call('shell', { command: `printf '%s' '${printed}'`, run_in_background: true })
    expect(writtenOutput(await firstRead(bench))).toBe(printed)
  }
})

test('a command in the bash process of the session shows only what it printed', async () => {
  const bench = open()
  await bench.call('bash', { command: 'x=5' })
  expect(writtenOutput(await called(bench, 'bash_output', { command: 'echo $x' }))).toBe('5\n')
})

test('an output of another tool or of an older version is shown unchanged', () => {
  const output = 'one\nExit code: 0 (1 ms)'
  expect(writtenOutput({ toolName: 'grep', output, details: null } as unknown as CallItem)).toBe(output)
  const older = { command: 'x', cwd: '/', exitCode: 0, timedOut: false, terminal: true, rawBlob: null }
  expect(writtenOutput({ toolName: 'shell', args: { command: 'x' }, output, details: older } as unknown as CallItem)).toBe(output)
})
