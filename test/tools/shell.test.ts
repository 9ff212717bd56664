import { chmodSync, mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BlobHash } from '../../shared/lib/ids.ts'
import type { RunningTerminal } from '../../main/agent/ports/execution-environment.ts'
import { asNobody } from './as-nobody.ts'
import { commandFacts } from './command-facts.ts'
import { benchOfEachTest } from './bench-of-each-test.ts'
import { effectsOf, textOf } from './workbench.ts'

const bench = benchOfEachTest()

const run = (command: string, more: object = {}) => bench.call('shell', { command, ...more })
/** Removes the duration, the only part that differs from run to run. */
const timeless = (text: string): string => text.replaceAll(/\d+ ms/gu, 'N ms')

describe('shell', () => {
  it('P3-26: returns output, errors, exit code and duration, and an empty output is not an error', async () => {
    const { output, isError, details } = await run('echo out; echo err >&2')
    expect({ output: timeless(textOf(output)), isError, details }).toEqual({
      output: 'out\nstderr:\nerr\nExit code: 0 (N ms)',
      isError: false,
      details: {
        ...commandFacts({ command: 'echo out; echo err >&2', cwd: bench.root, exitCode: 0 }),
        forModel: [expect.stringMatching(/^Exit code: 0 \(\d+ ms\)$/u)],
      },
    })
  })

  it.each([
    ['exit 3', 3, 'Exit code: 3 (N ms)'],
    ['echo why >&2; false', 1, 'stderr:\nwhy\nExit code: 1 (N ms)'],
  ])('S-41, fault 24: %s is returned with its exit code, as an error for the model', async (command, exitCode, output) => {
    const result = await run(command)
    expect({ output: timeless(textOf(result.output)), isError: result.isError }).toEqual({ output, isError: true })
    expect(result.details).toMatchObject({ exitCode })
  })

  it('fault 24: a command that does not exist gives exit code 127 and the shell’s message', async () => {
    const { output, isError, details } = await run('no-such-program-xyz')
    expect([isError, details]).toEqual([true, expect.objectContaining({ exitCode: 127 })])
    expect(output).toMatch(/no-such-program-xyz: command not found/u)
  })

  it('S-31, fault 25: a timeout keeps earlier output, and gives the limit in ms and how to continue', async () => {
    const { output, isError, details } = await run('echo before; sleep 60', { timeout_ms: 2_000 })
    expect(timeless(textOf(output))).toBe(
      'before\n[ERROR: Command timed out after N ms. Partial output is shown above. Retry with a larger timeout_ms if it needs longer.]',
    )
    expect(output).toContain('after 2000 ms')
    expect([isError, details]).toEqual([true, expect.objectContaining({ timedOut: true, exitCode: null })])
  })

  // Only Linux can tell whether a process waits for input.
  it.skipIf(process.platform !== 'linux')('a password prompt ends at the limit where nobody can type, and one figure says so', async () => {
    let isMarked = false
    const begun = performance.now()
    const { output } = await bench.call(
      'shell',
      { command: 'read -s -p "Password: " x', timeout_ms: 6_000 },
      {
        terminal: { columns: 80, rows: 24, onOpen: () => {}, isUnattended: true },
        progress: (_tail, _bytes, waits) => (isMarked ||= waits === true),
      },
    )
    expect([performance.now() - begun < 30_000, isMarked]).toEqual([true, true])
    expect(textOf(output).match(/\d+ m?s\b/gu)).toEqual(['6000 ms'])
    expect(output).toContain('The command was waiting for input.')
  })

  it('T-03: a stop ends the command, and earlier output is kept', async () => {
    const stop = new AbortController()
    const running = bench.call('shell', { command: 'echo before; sleep 60' }, { signal: stop.signal, progress: () => stop.abort() })
    const { output, isError } = await running
    expect({ output: timeless(textOf(output)), isError }).toEqual({ output: 'before\nStopped after N ms', isError: true })
  })

  it('S-20, P3-29: runs in the given folder, relative to the working folder', async () => {
    mkdirSync(join(bench.root, 'sub'))
    expect(textOf((await run('pwd', { working_dir: 'sub' })).output)).toMatch(new RegExp(`^${join(bench.root, 'sub')}\n`, 'u'))
    expect(await run('pwd', { working_dir: 'missing' })).toMatchObject({
      isError: true,
      output: expect.stringMatching(/^The command was not run: /u),
    })
  })

  it('the effect has the exact command line, the real folder and the time limit', async () => {
    expect(effectsOf(await bench.prepare('shell', { command: 'rm -rf build', timeout_ms: 5000 }))).toEqual([
      { kind: 'command', command: 'rm -rf build', cwd: bench.root, outside: false, env: {}, timeoutMs: 5000, destructive: false },
    ])
    expect(effectsOf(await bench.prepare('shell', { command: 'ls', working_dir: tmpdir() }))).toEqual([
      { kind: 'command', command: 'ls', cwd: realpathSync(tmpdir()), outside: true, env: {}, timeoutMs: 10_000, destructive: false },
    ])
  })

  it('D-46, T-05: the call’s own limit is capped at 600 s', async () => {
    expect(effectsOf(await bench.prepare('shell', { command: 'ls', timeout: 99_999_999 }))).toMatchObject([{ timeoutMs: 600_000 }])
  })

  it.each([
    ['a\0b', 'The command contains a NUL character, which no shell accepts. Nothing was run.'],
    ['echo "a', 'bash: unexpected EOF while looking for matching " (syntax error). Nothing was run. Close the quote.'],
    [`grep "it's" a.txt 'b`, "bash: unexpected EOF while looking for matching ' (syntax error). Nothing was run. Close the quote."],
    ['  \n', 'The command is empty. Nothing was run.'],
    ['echo \ud800', 'The command contains half a character (a lone surrogate). Nothing was run.'],
  ])('%j is refused', async (command, output) => {
    expect(await run(command)).toEqual({ output, isError: true, details: null })
  })

  it('a long output is shown as head and tail, and stored completely in a blob', async () => {
    const { output, whole } = await run('seq 1 200000')
    const all = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join('')
    expect(textOf(output)).toMatch(/^1\n2\n[\s\S]*characters of output omitted[\s\S]*\n200000\nExit code: 0/u)
    expect(whole && Buffer.from(bench.blobs.get(whole.hash) ?? []).toString()).toBe(all)
    expect(whole?.bytes).toBe(all.length)
  })

  it.each(['openSpool', 'write', 'end'] as const)(
    'fault 54: if storing fails (%s fails), only the stored output is lost, not the command',
    async (which) => {
      const full = (): never => {
        throw Object.assign(new Error('disk full'), { name: 'StorageError' })
      }
      const openSpool = () =>
        which === 'openSpool' ? full() : { write: which === 'write' ? full : () => {}, end: which === 'end' ? full : () => null }
      const { output, isError, whole } = await bench.call('shell', { command: 'seq 1 200000; echo last' }, { openSpool })
      expect([isError, whole]).toEqual([false, undefined])
      expect(textOf(output)).toMatch(/\nlast\nExit code: 0/u)
    },
  )

  it('security 3.3: for an output above the store’s cap, the result says how much is stored', async () => {
    const hash = BlobHash.parse('0'.repeat(64))
    const openSpool = () => ({ write: () => {}, end: () => ({ hash, bytes: 1_000, capped: true }) })
    const { output, whole } = await bench.call('shell', { command: 'seq 1 200000' }, { openSpool })
    expect([textOf(output).endsWith('\n[Only the first 1000 bytes and the end of the output were kept.]'), whole]).toEqual([
      true,
      { hash, bytes: 1_000 },
    ])
  })

  it('a short output has no blob', async () => {
    expect((await run('seq 1 1000')).whole).toBeUndefined()
    expect(bench.blobs.size).toBe(0)
  })
})

describe('a command that a window can watch', () => {
  const inTerminal = (onOpen: (terminal: RunningTerminal) => void = () => {}) => ({ terminal: { columns: 80, rows: 24, onOpen } })

  it('runs in a terminal, the model gets the rendered text, and the raw bytes are stored in a blob', async () => {
    const command = String.raw`test -t 1 && printf '10%%\r100%%\n\033[31mred\033[0m\n'`
    const { output, details } = await bench.call('shell', { command }, inTerminal())
    expect(timeless(textOf(output))).toBe('100%\nred\nExit code: 0 (N ms)')
    const { rawBlob } = details as { rawBlob: string }
    const [raw] = [...bench.blobs].filter(([key]) => key === rawBlob).map(([, bytes]) => Buffer.from(bytes).toString())
    expect(raw).toBe('10%\r100%\r\n\x1b[31mred\x1b[0m\r\n')
    expect(details).toMatchObject({ terminal: true, exitCode: 0 })
  })

  it('has no blob if it has no output', async () => {
    expect((await bench.call('shell', { command: 'true' }, inTerminal())).details).toMatchObject({ terminal: true, rawBlob: null })
  })
})

it('fault 22: if the folder is inaccessible, the message says so and does not name a missing shell as the reason', async () => {
  mkdirSync(join(bench.root, 'closed'))
  chmodSync(join(bench.root, 'closed'), 0)
  expect(asNobody([bench.root], bench.root, `return (await bench.call('shell', { command: 'pwd', working_dir: 'closed' })).output`)).toBe(
    `The command was not run: Could not run in ${bench.root}/closed: permission denied (EACCES).`,
  )
})
