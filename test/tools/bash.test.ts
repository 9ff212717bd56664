import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commandFacts } from './command-facts.ts'
import { createWorkbench, effectsOf, textOf, type Workbench } from './workbench.ts'
import { isAlive } from '../support/is-alive.ts'

function open(): Workbench {
  const bench = createWorkbench()
  onTestFinished(() => bench.dispose())
  return bench
}

const said = async (bench: Workbench, name: string, args: unknown): Promise<string> => textOf((await bench.call(name, args)).output)
const printed = async (bench: Workbench, command: string): Promise<string> =>
  (await said(bench, 'bash', { command })).replace(/\n?Exit code: \d+ \(\d+ ms\)$/u, '')

/**
 * Reads the newest background command repeatedly until it has ended. Returns everything that it printed, without the status line at the
 * beginning of each result.
 */
async function readToEnd(bench: Workbench, args: object = {}): Promise<readonly string[]> {
  const lines: string[] = []
  for (let isOver = false; !isOver;) {
    const [standing = '', ...news] = (await said(bench, 'bash_output', args)).split('\n')
    lines.push(...news.filter((line) => !line.startsWith('(nothing new')))
    isOver = standing.includes('has ended')
  }
  return lines
}

/** Reads the newest background command until a read returns new output. Each read waits for output for only a second. */
async function firstRead(bench: Workbench, args: object = {}) {
  for (;;) {
    const { output, isError } = await bench.call('bash_output', args)
    if (!/\n\(nothing new.*$|unfiltered\.\n$/u.test(textOf(output))) return { text: textOf(output), isError }
  }
}

describe('bash', () => {
  it('R-18, D-21: keeps folder, variables and functions between calls, unlike shell', async () => {
    const bench = open()
    await bench.call('bash', { command: 'mkdir inner; cd inner; x=5; export Y=6; f() { echo "f $1"; }' })
    expect(await printed(bench, 'echo "$x $Y"; f 7; pwd')).toBe(`5 6\nf 7\n${bench.root}/inner`)
    expect(await said(bench, 'shell', { command: 'echo "[$x$Y]"; pwd' })).toContain(`[]\n${bench.root}\n`)
  })

  it('P3-26: reports output, errors, exit code, duration and details as shell does', async () => {
    const bench = open()
    const { output, isError, details } = await bench.call('bash', { command: 'echo out; echo err >&2; (exit 3)' })
    expect([textOf(output).replace(/\d+ ms/u, 'N ms'), isError]).toEqual(['out\nstderr:\nerr\nExit code: 3 (N ms)', true])
    expect(details).toEqual(commandFacts({ command: 'echo out; echo err >&2; (exit 3)', cwd: bench.root, exitCode: 3 }))
  })

  it('its effect is the command line and the shell’s current folder', async () => {
    const bench = open()
    mkdirSync(join(bench.root, 'inner'))
    await bench.call('bash', { command: 'cd inner' })
    expect(effectsOf(await bench.prepare('bash', { command: 'rm -rf *', timeout_ms: 5_000 }))).toEqual([
      {
        kind: 'command',
        command: 'rm -rf *',
        cwd: join(bench.root, 'inner'),
        outside: false,
        env: {},
        timeoutMs: 5_000,
        destructive: false,
        way: 'shell',
      },
    ])
    await bench.call('bash', { command: 'cd /' })
    expect(effectsOf(await bench.prepare('bash', { command: 'ls' }))).toMatchObject([{ cwd: '/', outside: true }])
  })

  it('runs no command if the shell’s folder differs from the signed folder', async () => {
    const bench = open()
    const prepared = await bench.prepare('bash', { command: 'touch here' })
    await bench.call('bash', { command: 'mkdir inner; cd inner' })
    const { output, isError } = await bench.commit(prepared)
    expect([textOf(output), isError]).toEqual([
      `The command was not run: the bash process is now in ${bench.root}/inner, not in ${bench.root}. Make the call again.`,
      true,
    ])
    expect([existsSync(join(bench.root, 'here')), existsSync(join(bench.root, 'inner/here'))]).toEqual([false, false])
  })

  it.each([
    ['the command exits the shell', { command: 'exit 3' }],
    ['the command times out', { command: 'sleep 60', timeout_ms: 200 }],
    ['the shell kills itself', { command: 'kill -9 $$' }],
  ])('if %s, the result reports it, and the next call gets a new shell in the same folder', async (_, args) => {
    const bench = open()
    await bench.call('bash', { command: 'mkdir inner; cd inner; x=5' })
    const { output, isError } = await bench.call('bash', args)
    expect([
      isError,
      textOf(output).endsWith(`background jobs are gone. The next call starts a new process in ${bench.root}/inner.`),
    ]).toEqual([true, true])
    const next = await said(bench, 'bash', { command: 'echo "[$x]"; pwd' })
    expect([next.startsWith(`[]\n${bench.root}/inner\n`), next.includes('This command ran in a new bash process')]).toEqual([true, true])
  })

  it('a shell whose folder is deleted is replaced by a shell in the working folder', async () => {
    const bench = open()
    await bench.call('bash', { command: 'mkdir inner; cd inner' })
    await bench.call('bash', { command: 'exit' })
    rmdirSync(join(bench.root, 'inner'))
    await bench.call('bash', { command: 'pwd' })
    expect(await printed(bench, 'pwd')).toBe(bench.root)
  })

  it.each(["echo 'open", 'if then', 'break', ')'])('keeps its state after %j', async (command) => {
    const bench = open()
    await bench.call('bash', { command: 'x=kept' })
    await bench.call('bash', { command })
    expect(await printed(bench, 'echo $x')).toBe('kept')
  })

  it('a stop ends the command and keeps earlier output', async () => {
    const bench = open()
    const stop = new AbortController()
    const { output, shown, isError } = await bench.call(
      'bash',
      { command: 'echo before; sleep 60' },
      { signal: stop.signal, progress: () => stop.abort() },
    )
    expect([textOf(output).startsWith('before\nStopped after '), shown, isError]).toEqual([true, 'before\n', true])
  })

  it.each([
    ['timeout', { cmd: 'sleep 60', timeout: 0.15 }, 'timed out after'],
    ['background', { command: 'true', background: true }, 'Started in the background as bg_1'],
  ])('R-18, D-51: accepts another agent’s %s', async (_, args, words) => {
    expect(await said(open(), 'bash', args)).toContain(words)
  })
})

describe('background commands', () => {
  it.each(['shell', 'bash'])('%s starts a background command, and bash_output reads its new output', async (name) => {
    const bench = open()
    const { output, details } = await bench.call(name, {
      command: 'echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 4',
      run_in_background: true,
    })
    expect(textOf(output)).toMatch(/^Started in the background as bg_1 \(process \d+\)\. Read its output with bash_output \{"id":"bg_1"\}/u)
    expect(details).toMatchObject({ background: 'bg_1', exitCode: null })
    expect((await firstRead(bench, { id: 'bg_1' })).text).toMatch(/^bg_1 is still running \(process \d+\)\.\none$/u)
    await bench.call('shell', { command: 'touch go' })
    expect(await readToEnd(bench)).toEqual(['two'])
    expect((await said(bench, 'bash_output', {})).replace(/\d+ ms/u, 'N ms')).toBe('bg_1 has ended: exit code 4 (N ms).\n(nothing new)')
  })

  it('have no time limit unless the call sets one, and outlive the turn', async () => {
    const bench = open()
    const stop = new AbortController()
    const prepared = await bench.prepare('shell', { command: 'sleep 60', run_in_background: true })
    expect(effectsOf(prepared)).toMatchObject([{ way: 'background', timeoutMs: 2 ** 31 }])
    await bench.commit(prepared, { signal: stop.signal })
    stop.abort()
    expect(await said(bench, 'bash_output', {})).toMatch(/^bg_1 is still running/u)
    await bench.call('shell', { command: 'sleep 60', run_in_background: true, timeout_ms: 100 })
    let read = ''
    while (!read.includes('bg_2 timed out')) read = await said(bench, 'bash_output', { id: 'bg_2' })
    expect(read).toContain('timed out after')
  })

  it('start in the shell’s folder if bash starts them', async () => {
    const bench = open()
    await bench.call('bash', { command: 'mkdir inner; cd inner' })
    await bench.call('bash', { command: 'pwd', run_in_background: true })
    expect(await readToEnd(bench)).toEqual([`${bench.root}/inner`])
  })

  it('D-25, R-20: kill_shell ends a background command and its child processes, or the shell', async () => {
    const bench = open()
    await bench.call('shell', { command: 'setsid sleep 60 & echo $!; wait', run_in_background: true })
    const pid = Number(/\n(\d+)/u.exec((await firstRead(bench)).text)?.[1])
    expect([isAlive(pid), await said(bench, 'kill_shell', { shell_id: 'bg_1' }), isAlive(pid)]).toEqual([true, 'bg_1 was stopped.', false])
    expect(await said(bench, 'bash_output', { id: 'bg_1' })).toMatch(/^bg_1 was stopped after \d+ ms\./u)
    expect(await said(bench, 'kill_shell', { id: 'bg_1' })).toBe('bg_1 had already ended.')
    expect(await said(bench, 'kill_shell', {})).toBe(
      `Nothing is running in the background, and no persistent bash process is running. The next process starts in ${bench.root}.`,
    )
    const shell = Number(await printed(bench, 'echo $$'))
    expect([await said(bench, 'kill_shell', {}), isAlive(shell)]).toEqual([
      `The persistent bash process was stopped. The next process starts in ${bench.root}.`,
      false,
    ])
  })

  it('kill_shell without an id ends the background command that was started last, and the lasting shell stays', async () => {
    const bench = open()
    const shell = Number(await printed(bench, 'echo $$'))
    for (const seconds of [60, 61]) await bench.call('shell', { command: `sleep ${seconds}`, run_in_background: true })
    expect([await said(bench, 'kill_shell', {}), isAlive(shell)]).toEqual(['bg_2 was stopped.', true])
    expect([await said(bench, 'kill_shell', {}), isAlive(shell)]).toEqual(['bg_1 was stopped.', true])
    await said(bench, 'kill_shell', {})
    expect(isAlive(shell)).toBe(false)
  })

  it.each([
    ['by exit', { command: 'exit' }],
    ['by its time limit', { command: 'sleep 60', timeout_ms: 100 }],
  ])('R-18, R-20: if the shell ended outside the working folder, %s starts a new shell in the working folder', async (_, args) => {
    const bench = open()
    await bench.call('bash', { command: 'cd /' })
    expect(await said(bench, 'bash', args)).toContain(`The next call starts a new process in ${bench.root}.`)
    expect(effectsOf(await bench.prepare('bash', { command: 'pwd' }))).toMatchObject([{ cwd: bench.root, outside: false }])
    expect(await said(bench, 'bash', { command: 'pwd' })).toMatch(new RegExp(`^${bench.root}\n`, 'u'))
  })

  it.each([
    ['working_dir', 'bash'],
    ['cwd', 'bash'],
    ['directory', 'bash'],
    ['directory', 'shell'],
    ['dir', 'shell'],
  ])('D-51: %s sets the folder in which %s runs, relative to the working folder', async (name, tool) => {
    const bench = open()
    mkdirSync(join(bench.root, "b's/c"), { recursive: true })
    for (const to of ["b's", "b's/c", '.']) {
      expect(await said(bench, tool, { command: 'pwd', [name]: to })).toMatch(
        new RegExp(`^${join(bench.root, to).replace(/\/$/u, '')}\n`, 'u'),
      )
    }
    expect(effectsOf(await bench.prepare(tool, { command: 'pwd', [name]: '/' }))).toMatchObject([{ cwd: '/', outside: true }])
    expect(await said(bench, tool, { command: 'pwd', [name]: 'none' })).toContain('none')
  })

  it('R-20: after kill_shell the next shell is in the working folder, even if the old shell was outside', async () => {
    const bench = open()
    await bench.call('bash', { command: 'cd /; x=5' })
    expect(effectsOf(await bench.prepare('bash', { command: 'pwd' }))).toMatchObject([{ cwd: '/', outside: true }])
    await bench.call('kill_shell', {})
    expect(effectsOf(await bench.prepare('bash', { command: 'pwd' }))).toMatchObject([{ cwd: bench.root, outside: false }])
    expect(await said(bench, 'bash', { command: 'echo "[$x]"; pwd' })).toMatch(/^\[\]\n.*\n[^]*This command ran in a new bash process/u)
  })

  it.each([
    ['overwritten text', String.raw`aaaaaa\rbb\nstep 1\rstep 2\n`, ['bbaaaa', 'step 2']],
    ['a spinner', String.raw`work |\b/\b-\b done\n`, ['work  done']],
    ['erased text', String.raw`50%% of it\r\033[Kdone\033[1K\r\033[2Kok\n`, ['ok']],
    ['colors, titles, bells and NUL', String.raw`\033]0;T\007a\033[31mred\033[0m\a\0word\033(B\n`, ['aredword']],
    ['cursor movements to columns', String.raw`abc\033[2DX\033[6GY\033[2D\033[PZ\n`, ['aXc Z']],
    ['line breaks and an incomplete sequence', String.raw`a\tb  \r\n你好\rx\033[3`, ['a\tb', 'x好']],
  ])('background output is returned as a terminal would show its lines: %s', async (_, format, lines) => {
    const bench = open()
    await bench.call('shell', { command: `printf '${format}'`, run_in_background: true })
    expect(await readToEnd(bench, {})).toEqual(lines)
  })

  it.each([
    ['color sequence', '\\033[3', '1mred'],
    ['title', '\\033]0;build', ' 3\\007red'],
    ['end of a title', '\\033]0;build\\033', '\\\\red'],
    ['choice of a character set', '\\033(', 'Bred'],
  ])('an incomplete %s is not returned until it is complete', async (_, begun, rest) => {
    const bench = open()
    await bench.call('shell', {
      command: `printf 'begun\\n${begun}'; until [ -e go ]; do sleep 0.02; done; printf '${rest}\\n'`,
      run_in_background: true,
    })
    expect((await firstRead(bench)).text).toMatch(/^bg_1 is still running \(process \d+\)\.\nbegun$/u)
    await bench.call('shell', { command: 'touch go' })
    expect(await readToEnd(bench)).toEqual(['red'])
  })

  it('an unknown id is reported with the existing ids', async () => {
    const bench = open()
    expect(await said(bench, 'bash_output', {})).toBe('Nothing was started in the background in this session.')
    await bench.call('shell', { command: 'true', run_in_background: true })
    expect(await said(bench, 'bash_output', { id: 'bg_9' })).toBe('There is no background command "bg_9". There are: bg_1.')
    expect(await said(bench, 'kill_shell', { id: 'x' })).toBe('There is no background command "x". There are: bg_1.')
  })

  it('a filter shows only matching lines, and an invalid or slow filter fails in bounded time', async () => {
    const bench = open()
    const start = (command: string): Promise<unknown> => bench.call('shell', { command, run_in_background: true })
    await start('seq 30')
    expect(await readToEnd(bench, { filter: '^1.?$' })).toEqual(['1', ...Array.from({ length: 10 }, (_, index) => `${index + 10}`)])
    await start(`printf '${'a'.repeat(40)}b\\n'`)
    expect(await firstRead(bench, { filter: '^(a+)+$' })).toEqual({ text: expect.stringContaining('cannot be used'), isError: true })
    await start('echo kept')
    expect((await firstRead(bench, { filter: '(' })).text).toMatch(/^The filter "\(" cannot be used: .*\nkept\n$/su)
  })

  it('colors, cursor moves and progress bars are removed from the output', async () => {
    const bench = open()
    await bench.call('shell', { command: String.raw`printf '\033[31mred\033[0m\n10%%\r50%%\r100%%\ndone\n'`, run_in_background: true })
    expect(await readToEnd(bench)).toEqual(['red', '100%', 'done'])
  })

  it('R-19, D-25: bash_output with a command runs it in the shell and returns only its output', async () => {
    const bench = open()
    await bench.call('bash', { command: 'x=5' })
    expect(await said(bench, 'bash_output', { command: 'echo "[$x]"' })).toBe('[5]\n')
    expect(effectsOf(await bench.prepare('bash_output', { command: 'rm -rf *' }))).toMatchObject([{ kind: 'command', command: 'rm -rf *' }])
    expect(effectsOf(await bench.prepare('bash_output', {}))).toEqual([])
  })

  it('mark the session’s shells as in use while they run, as a running bash does', async () => {
    const bench = open()
    const standings = [bench.shells.isInUse()]
    for (const [name, args] of [
      ['bash', { command: 'true' }],
      ['kill_shell', {}],
      ['shell', { command: 'sleep 60', run_in_background: true }],
      ['kill_shell', { id: 'bg_1' }],
      ['bash', { command: 'exit 3' }],
    ] as const) {
      await bench.call(name, args)
      standings.push(bench.shells.isInUse())
    }
    expect(standings).toEqual([false, true, false, true, false, false])
  })

  it('all end with the session', async () => {
    const bench = open()
    await bench.call('shell', { command: 'echo $$; sleep 60', run_in_background: true })
    const pids = [Number(/\n(\d+)/u.exec((await firstRead(bench)).text)?.[1]), Number(await printed(bench, 'echo $$'))]
    await bench.shells.close()
    expect([pids.map(isAlive), bench.env.running()]).toEqual([[false, false], []])
  })
})
