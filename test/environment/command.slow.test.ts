import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ExecutionEnvironment, RunningTerminal } from '../../main/agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { drawn } from './drawn.ts'
import { ENVIRONMENTS } from './host-environment.ts'
import { failureOf, tempFolder } from './support.ts'

const inTerminal = (onOpen: (terminal: RunningTerminal) => unknown = () => {}) => ({
  terminal: { columns: 80, rows: 24, onOpen: (terminal: RunningTerminal): void => void onOpen(terminal) },
})

describe.each(ENVIRONMENTS)('%s', (_environment, make) => {
  function environment(options: Parameters<typeof make>[1] = {}): ExecutionEnvironment {
    const env = make(tempFolder(), options)
    onTestFinished(() => env.cleanup())
    return env
  }

  describe.each([
    ['on pipes', {}],
    ['in a terminal', inTerminal()],
  ])('%s', (_where, where) => {
    it('fault 24: a command that is not found, or fails with output, gives a result instead of an exception', async () => {
      const env = environment()
      expect(await env.execCommand('no-such-command-here', where)).toMatchObject({ exitCode: 127, timedOut: false })
      expect(await env.execCommand('echo text; exit 1', where)).toMatchObject({ stdout: 'text\n', exitCode: 1 })
      expect(await env.execCommand('kill -9 $$', where)).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
    })

    it('P2-45, S-31: at the time limit the partial output is kept, with a message', async () => {
      const result = await environment().execCommand('echo before; sleep 60', { timeoutMs: 2_000, ...where })
      expect(result).toMatchObject({ timedOut: true, aborted: false, exitCode: null, signal: 'SIGTERM' })
      expect(result.stdout + result.stderr).toBe(
        'before\n[ERROR: Command timed out after 2000 ms. Partial output is shown above. Retry with a larger timeout_ms if it needs longer.]',
      )
    })

    it('P2-46: an aborted command resolves with its partial output', async () => {
      const controller = new AbortController()
      const options = { ...where, signal: controller.signal, timeoutMs: 60_000, onOutput: () => controller.abort() }
      expect(await environment().execCommand('echo before; sleep 60', options)).toMatchObject({
        stdout: 'before\n',
        aborted: true,
        exitCode: null,
      })
    })

    it('a command counts as ended when its own process exits, even if a background process keeps its output open', async () => {
      const env = environment()
      const result = await env.execCommand('sleep 60 & echo $!; exit 5', { ...where, timeoutMs: 30_000 })
      expect([result.exitCode, result.durationMs < 20_000, result.timedOut]).toEqual([5, true, false])
    })

    it('fault 33: no output of a command is mistaken for its end or a timeout', async () => {
      const result = await environment().execCommand('echo "[ERROR: Command timed out after 1 ms."; echo exit 7; exit 4', where)
      expect(result).toMatchObject({ stdout: '[ERROR: Command timed out after 1 ms.\nexit 7\n', exitCode: 4, timedOut: false })
    })

    it('fault 29: output with colors, titles, links, clipboard requests and invalid UTF-8 reaches the model as plain text', async () => {
      const command = String.raw`printf '\033]0;title\007\033[31mred\033[0m \033]8;;http://x\033\\link\033]8;;\033\\ \033]52;c;ZXZpbA==\007\377 \342\202\254\n'`
      expect((await environment().execCommand(command, where)).stdout).toBe('red link \ufffd €\n')
    })

    it('T-21: a progress bar takes one line, a long line is never wrapped, and no scrolled-out line is lost', async () => {
      const command = String.raw`for i in 1 2 3; do printf '\r%d%%' $i; done; printf '\n'; printf 'x%.0s' $(seq 500); echo; seq 300; printf 'a\nb\033[1A\rc\n\n'`
      const { stdout } = await environment().execCommand(command, where)
      const numbers = Array.from({ length: 300 }, (_, index) => index + 1)
      expect(stdout).toBe(['3%', 'x'.repeat(500), ...numbers, 'c', 'b', ''].join('\n'))
    })

    it('fault 27: endless output uses bounded memory and ends at the time limit, and the number of omitted characters is reported', async () => {
      let bytes = 0
      const result = await environment().execCommand('yes', { ...where, timeoutMs: 600, spool: (piece) => (bytes += piece.length) })
      // Each line of output has three bytes, of which the text keeps two. On a busy machine the output may be so short that all of it is
      // kept.
      expect([result.timedOut, result.bytes, result.complete]).toEqual([true, bytes, (bytes / 3) * 2 <= 500_000])
      expect(result.stdout.length).toBeLessThan(600_000)
      if (!result.complete) expect(result.stdout).toMatch(/\n\[\.\.\. \d+ characters of output omitted here \.\.\.\]\n/)
    })

    it('a command passes its complete rendered text to the store, even if its result is truncated', async () => {
      let whole = ''
      const result = await environment().execCommand('seq 200000', {
        ...where,
        timeoutMs: 60_000,
        spoolText: (utf8) => (whole += Buffer.from(utf8).toString()),
      })
      const expected = `${Array.from({ length: 200_000 }, (_, index) => index + 1).join('\n')}\n`
      expect([whole === expected, result.complete, result.bytes >= expected.length]).toEqual([true, false, true])
      expect([result.stdout.startsWith('1\n2\n'), result.stdout.endsWith('199999\n200000\n')]).toEqual([true, true])
    })

    it('a command reports its progress while it runs: the last lines and the number of bytes so far', async () => {
      const reports: (readonly [string, number])[] = []
      const controller = new AbortController()
      const onProgress = (tail: string, bytes: number): void => {
        reports.push([tail, bytes])
        if (tail.endsWith('99%')) controller.abort()
      }
      await environment().execCommand(String.raw`printf 'one\n10%%'; while :; do printf '\r99%%'; sleep 0.1; done`, {
        ...where,
        signal: controller.signal,
        timeoutMs: 60_000,
        onProgress,
      })
      const [tail, bytes] = reports.at(-1) ?? []
      expect([tail, Number(bytes) >= 'one\n10%\r99%'.length]).toEqual(['one\n99%', true])
    })

    it('fault 31: a command fails with a message if its folder was deleted or is a file', async () => {
      const env = environment()
      await env.writeFile('file', 'x')
      mkdirSync(join(env.workingDirectory(), 'gone'))
      rmSync(join(env.workingDirectory(), 'gone'), { recursive: true })
      const missing = await failureOf(env.execCommand('true', { ...where, workingDir: 'gone' }))
      expect(missing).toEqual({
        code: 'ENOENT',
        message: `The working folder ${join(env.workingDirectory(), 'gone')} does not exist (ENOENT).`,
      })
      expect(await failureOf(env.execCommand('true', { ...where, workingDir: 'file' }))).toMatchObject({ code: 'ENOTDIR' })
    })

    it('fault 31: without a shell a command fails with ENOSHELL, and the message says what to do', async () => {
      const env = environment({ shell: '/nowhere/bash' })
      expect(await failureOf(env.execCommand('true', where))).toEqual({
        code: 'ENOSHELL',
        message: expect.stringContaining('/nowhere/bash'),
      })
    })

    it('fault 31: commands run even if HOME is not set', async () => {
      vi.stubEnv('HOME', undefined)
      expect(await environment().execCommand('echo "[$HOME]"', where)).toMatchObject({ stdout: '[]\n', exitCode: 0 })
    })
  })

  it('P2-44: the default time limit of a command is ten seconds, and an invalid limit is refused', async () => {
    const { checkedCommand } = await import('../../main/environment/process/command-result.ts')
    expect(checkedCommand('true')).toBe(10_000)
    const env = environment()
    for (const timeoutMs of [0, -1, Number.NaN])
      expect(await failureOf(env.execCommand('true', { timeoutMs }))).toMatchObject({ code: 'EINVAL' })
    expect(await env.execCommand('echo ok', { timeoutMs: Number.POSITIVE_INFINITY })).toMatchObject({ stdout: 'ok\n' })
    expect(await failureOf(env.execCommand('echo a\0b'))).toMatchObject({ code: 'EINVAL' })
  })

  it('the pid is reported before the first output', async () => {
    const order: unknown[] = []
    const result = await environment().execCommand('echo $$', {
      onStart: (pid) => order.push(`${pid}\n`),
      onOutput: ({ text }) => order.push(text),
    })
    expect(order).toEqual([result.stdout, result.stdout])
  })

  it('a program that closes its terminal before it ends keeps its exit code', async () => {
    const env = environment()
    const closes = 'exec python3 -c "import os, time; [os.close(fd) for fd in (0, 1, 2)]; time.sleep(0.1); os._exit(3)"'
    for (const [command, exitCode] of [
      [closes, 3],
      ['touch a.txt', 0],
    ] as const)
      expect(await env.execCommand(command, inTerminal())).toMatchObject({ exitCode, signal: null })
  })

  it('a terminal has a size and a screen, can be resized, and accepts typing', async () => {
    const env = environment()
    let terminal: RunningTerminal | undefined
    const exits: unknown[] = []
    const onOpen = (opened: RunningTerminal): void => {
      terminal = opened
      opened.onExit((exitCode) => exits.push(exitCode))
    }
    const result = await env.execCommand('stty size; read answer; stty size; echo "got $answer"; exit 6', {
      terminal: { columns: 100, rows: 30, onOpen },
      onOutput: ({ text }) => {
        if (text.includes('30 100')) {
          terminal?.resize(60, 20)
          terminal?.write('typed\r')
        }
      },
    })
    expect([result.stdout, result.exitCode, exits, terminal?.screen()]).toEqual([
      '30 100\ntyped\n20 60\ngot typed\n',
      6,
      [6],
      '30 100\ntyped\n20 60\ngot typed',
    ])
  })

  it('a terminal’s snapshot matches all output delivered before it', async () => {
    let terminal: RunningTerminal | undefined
    const onOpen = (opened: RunningTerminal): void => void (terminal = opened)
    await environment().execCommand(String.raw`printf '\033[31mred\033[0m plain\n'; exit 0`, inTerminal(onOpen))
    const snapshot = await terminal?.snapshot('screen and scrollback')
    expect(snapshot && (await drawn(snapshot))).toEqual(await drawn({ columns: 80, rows: 24, data: '\u001b[31mred\u001b[0m plain\r\n' }))
  })

  /** Blocks this process for this time, as a busy machine might. */
  function standStill(ms: number): void {
    for (const end = performance.now() + ms; performance.now() < end;);
  }

  it('a terminal is read to the end even if our process is blocked when the command ends', async () => {
    const lines = Array.from({ length: 3500 }, (_, at) => `${at + 1}`).join('\n')
    const env = environment()
    const result = await env.execCommand('sleep 0.5; seq 1 3500', {
      ...inTerminal((terminal) => {
        const stalls = setInterval(() => standStill(400), 1)
        terminal.onExit(() => clearInterval(stalls))
      }),
      timeoutMs: 20_000,
    })
    expect(result.stdout).toBe(`${lines}\n`)
  })

  it('the command’s output is read completely, however late it arrives, even if a background process holds the pipes open', async () => {
    const env = environment()
    const coming = env.execCommand('sleep 30 & head -c 60000 /dev/zero | tr "\\0" a; echo', { timeoutMs: 20_000 })
    const stalls = setInterval(() => standStill(400), 1)
    const { stdout, leftRunning } = await coming.finally(() => clearInterval(stalls))
    expect([stdout.length, leftRunning?.length]).toEqual([60_001, 1])
  })
})

it('if no pty is available, a command that requests a terminal runs on pipes', async () => {
  const opened: RunningTerminal[] = []
  const env = createLocalExecutionEnvironment(tempFolder(), { ptyHost: () => Promise.resolve(null) })
  onTestFinished(() => env.cleanup())
  const result = await env.execCommand(
    '[ -t 1 ] || echo no terminal; cat',
    inTerminal((terminal) => opened.push(terminal)),
  )
  expect([result.stdout, result.exitCode, opened]).toEqual(['no terminal\n', 0, []])
})
