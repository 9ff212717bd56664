import { mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ExecutionEnvironment, LastingShell } from '../../../main/agent/ports/execution-environment.ts'
import type { LocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { createEndWord } from '../../../main/environment/shell/shell-output.ts'
import { ENVIRONMENTS } from '../host-environment.ts'
import { failureOf, tempFolder } from '../support.ts'
import { isAlive } from '../../support/is-alive.ts'

const TERMINAL = { columns: 80, rows: 24 }

describe.each(ENVIRONMENTS)('%s', (_environment, make) => {
  function environment(): ExecutionEnvironment {
    const env = make(tempFolder())
    onTestFinished(() => env.cleanup())
    return env
  }

  describe.for([
    ['on pipes', {}],
    ['in a terminal', { terminal: TERMINAL }],
  ] as const)('R-18: a lasting shell %s', ([, options]) => {
    const open = async (): Promise<LastingShell> => environment().openShell(options)
    const printed = async (shell: LastingShell, command: string): Promise<string> => (await shell.run(command)).stdout.trimEnd()

    it('folder, variables, functions, aliases, options and background jobs persist', async () => {
      const shell = await open()
      await shell.run(
        'mkdir -p "deep er"; cd "deep er"; x=5; export Y=6; list=(a "b c"); f() { echo "f:$1"; }; alias g="f alias"; shopt -s nullglob',
      )
      await shell.run('sleep 60 &')
      expect(await printed(shell, 'echo "$x $Y ${#list[@]} $(basename "$PWD")"; f 1; g; echo none*; jobs | wc -l | tr -d " "')).toBe(
        '5 6 2 deep er\nf:1\nf:alias\n\n1',
      )
      expect(shell.workingDirectory().endsWith('/deep er')).toBe(true)
    })

    it('the result of a command has its status, output and folder', async () => {
      const shell = await open()
      expect(await shell.run('echo out; (exit 7)')).toEqual({
        stdout: 'out\n',
        stderr: '',
        exitCode: 7,
        signal: null,
        timedOut: false,
        aborted: false,
        durationMs: expect.any(Number),
        bytes: 'terminal' in options ? 5 : 4,
        complete: true,
        shellEnded: false,
      })
    })

    it.for([
      ['an unterminated quote', 'echo "abc', 'unexpected EOF'],
      ['a syntax error', 'if then', 'syntax error'],
      ['a command that does not exist', 'no_such_thing', 'bash: line 1: no_such_thing: command not found'],
    ] as const)('survives %s, and shows bash’s own message', async ([, command, words]) => {
      const shell = await open()
      await shell.run('x=kept')
      const { stdout, stderr, exitCode, shellEnded } = await shell.run(command)
      expect([`${stdout}${stderr}`.includes(words), exitCode !== 0, shellEnded]).toEqual([true, true, false])
      expect(await printed(shell, 'echo $x')).toBe('kept')
    })

    it.for(['false', 'false | true', 'true | false'])('a syntax error after %j shows the original line', async (before) => {
      const shell = await open()
      await shell.run('done')
      await shell.run(before)
      for (const line of ['done', 'true | )']) {
        const { stdout, stderr, exitCode } = await shell.run(line)
        const token = line.at(-1) === ')' ? ')' : 'done'
        expect([`${stdout}${stderr}`.replaceAll('bash: eval: ', 'bash: '), exitCode]).toEqual([
          `bash: line 1: syntax error near unexpected token \`${token}'\nbash: line 1: \`${line}'\n`,
          2,
        ])
      }
      const { stdout, stderr } = await shell.run('echo "$? $LINENO"\nnowhere_found')
      expect(stdout + stderr).toBe('2 1\nbash: line 2: nowhere_found: command not found\n')
    })

    it.for([
      'break',
      'continue 7',
      'break 2',
      'return',
      'set --',
      'IFS=x',
      'unset PWD',
      'exec 3>/dev/null',
      'trap "echo debug >/dev/null" DEBUG',
    ])('keeps working after %s', async (command) => {
      const shell = await open()
      await shell.run(command)
      await shell.run('cd /')
      expect([await printed(shell, 'echo "$((1 + 1))"'), shell.workingDirectory()]).toEqual(['2', '/'])
    })

    it('fault 33: output that imitates our markers confuses neither this command nor the next', async () => {
      const shell = await open()
      const { stdout, exitCode } = await shell.run(
        String.raw`set; declare -f; printf '0 /\0'; printf '%s' "$__countersign"; printf 'last'; (exit 3)`,
      )
      expect([stdout.endsWith('last'), exitCode]).toEqual([true, 3])
      expect(await printed(shell, 'printf "%s" next')).toBe('next')
    })

    it('R-18: $? and PIPESTATUS persist', async () => {
      const shell = await open()
      const told: string[] = []
      for (const command of ['false', '(exit 7)', 'false | (exit 4) | true', 'true', 'true | (exit 3)', '! false', 'echo | if']) {
        await shell.run(command)
        told.push(await printed(shell, 'echo "$? ${PIPESTATUS[*]}"'))
      }
      expect(told).toEqual(['1 1', '7 7', '0 1 4 0', '0 0', '3 0 3', '0 0', '2 2'])
    })

    it.for(['echo "a |\nb"', 'echo a \\', 'echo "|" # b', 'echo a | cat <<X\n|\nX', 'true | cat &', 'f() (echo "|"); f'])(
      'a pipe in %j works as in a one-time command',
      async (command) => {
        const shell = await open()
        await shell.run('x=5')
        const { stdout, exitCode } = await shell.run(command)
        expect([stdout, exitCode]).toEqual([(await environment().execCommand(command)).stdout, 0])
        expect(await printed(shell, 'echo $x')).toBe('5')
      },
    )

    it.for(['cat |', 'echo a &&', 'f | g()'])('%j is incomplete and fails, as in any shell', async (command) => {
      const shell = await open()
      expect([(await shell.run(command)).exitCode, await printed(shell, 'echo on')]).toEqual([2, 'on'])
    })

    it('a DEBUG trap and tracing persist, and do not show our own commands', async () => {
      const shell = await open()
      const run = async (command: string): Promise<unknown> => {
        const { stdout, stderr, exitCode } = await shell.run(command)
        return { printed: stdout + stderr, exitCode }
      }
      expect(await run('trap "echo D" DEBUG; echo z')).toEqual({ printed: 'D\nz\n', exitCode: 0 })
      expect(await run('echo y')).toEqual({ printed: 'D\ny\n', exitCode: 0 })
      await shell.run('if then')
      expect(await run('false')).toEqual({ printed: 'D\n', exitCode: 1 })
      await shell.run('trap - DEBUG; set -x')
      expect(await run('echo x; false')).toEqual({
        printed: expect.stringMatching(/^(?:x\n\+\+ echo x\n|\+\+ echo x\nx\n)\+\+ false\n$/u),
        exitCode: 1,
      })
      expect(await run('echo $?')).toMatchObject({ printed: expect.stringMatching(/^(?:1\n\+\+ echo 1\n|\+\+ echo 1\n1\n)$/u) })
      await shell.run('set +x')
      expect(await run('echo w')).toEqual({ printed: 'w\n', exitCode: 0 })
    })

    it('a command cannot reach the pipes that we use to control the shell', async () => {
      const shell = await open()
      const open198 = await printed(
        shell,
        'for fd in 196 197 198 199; do { true >&$fd; } 2>/dev/null && echo $fd; done; bash -c "ls /proc/self/fd"',
      )
      expect(/\b19[6-9]\b/.test(open198)).toBe(false)
    })

    it.for([
      ['exit', 'echo bye; exit 3', { exitCode: 3, signal: null, stdout: 'bye\n' }],
      ['a failure under set -e', 'set -e; false; echo never', { exitCode: 1, signal: null, stdout: '' }],
      ['exec', 'exec echo instead', { exitCode: 0, signal: null, stdout: 'instead\n' }],
      ['kill -9 of itself', 'kill -9 $$', { exitCode: null, signal: 'SIGKILL', stdout: '' }],
    ] as const)('reports that %s ended the shell, and accepts no more commands', async ([, command, expected]) => {
      const shell = await open()
      expect(await shell.run(command)).toMatchObject({ ...expected, shellEnded: true })
      expect([shell.isAlive(), (await failureOf(shell.run('echo'))).code]).toEqual([false, 'ESHELLENDED'])
    })

    it('a time limit ends the shell with everything it started, and keeps the output', async () => {
      const shell = await open()
      const { stdout: pid } = await shell.run('sleep 60 & echo $!')
      const result = await shell.run('echo before; sleep 60; echo never', { timeoutMs: 2_000 })
      expect(result).toMatchObject({ timedOut: true, shellEnded: true, exitCode: null })
      expect([result.stdout.startsWith('before\n'), `${result.stdout}${result.stderr}`.includes('timed out after 2000 ms')]).toEqual([
        true,
        true,
      ])
      expect(isAlive(Number(pid))).toBe(false)
    })

    it('an abort ends the shell, too', async () => {
      const shell = await open()
      const stop = new AbortController()
      const running = shell.run('echo before; sleep 60', { signal: stop.signal, onOutput: () => stop.abort() })
      expect(await running).toMatchObject({ stdout: 'before\n', aborted: true, shellEnded: true })
    })

    it('commands run one after another', async () => {
      const shell = await open()
      const results = await Promise.all(['sleep 0.2; echo 1', 'echo 2', 'echo 3'].map((command) => printed(shell, command)))
      expect(results).toEqual(['1', '2', '3'])
    })

    it('what a background job prints after its command has ended is included in the next command’s output, in order', async () => {
      const shell = await open()
      await shell.run('(until [ -e go ]; do sleep 0.02; done; echo from behind; touch printed) &')
      expect(await printed(shell, 'touch go; until [ -e printed ]; do sleep 0.05; done; echo mine')).toBe('from behind\nmine')
    })

    it('a long command and a long output are passed on completely', async () => {
      const shell = await open()
      const long = 'x'.repeat(150_000)
      const { bytes, complete } = await shell.run(`v=${long}; for i in 1 2 3; do echo "$v"; done`)
      expect([bytes, complete]).toEqual([450_003 + ('terminal' in options ? 3 : 0), true])
      expect(await printed(shell, 'echo ${#v}')).toBe('150000')
    })

    it('no process or file is left when the shell is closed or its environment ends', async () => {
      const own = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith(`countersign-shell-${process.pid}.`))
      const before = own()
      const env = environment()
      const closed = await env.openShell(options)
      const ended = await env.openShell(options)
      const pids = await Promise.all(
        [closed, ended].map(async (shell) => (await shell.run('sleep 60 & echo $$ $!')).stdout.trim().split(' ').map(Number)),
      )
      await closed.close()
      await env.cleanup()
      expect([pids.flat().filter(isAlive), closed.isAlive()]).toEqual([[], false])
      expect(own()).toEqual(before)
      const { running = () => [] } = env as Partial<LocalExecutionEnvironment>
      expect(running()).toEqual([])
    })
  })

  it('on pipes stdin is empty, and stdout and stderr are separate', async () => {
    const shell = await environment().openShell()
    expect(await shell.run('read x; echo "[$x]"; echo err >&2')).toMatchObject({ stdout: '[]\n', stderr: 'err\n', exitCode: 0 })
  })

  it('in a terminal, each command has its own screen and accepts typed input', async () => {
    const shell = await environment().openShell({ terminal: TERMINAL })
    await shell.run('echo first; x=kept')
    const exits: (number | null)[] = []
    let screen = ''
    const { stdout } = await shell.run('read y; echo "$x $y"; (exit 4)', {
      onTerminal(terminal) {
        terminal.onData((data) => {
          if (data.includes('kept')) screen = terminal.screen()
        })
        terminal.onExit((exitCode) => exits.push(exitCode))
        terminal.write('typed\r')
      },
    })
    expect([stdout, screen.includes('first'), exits]).toEqual(['typed\nkept typed\n', false, [4]])
  })

  it('a shell whose folder is deleted continues, but no new shell can be opened there', async () => {
    const env = environment()
    mkdirSync(join(env.workingDirectory(), 'gone'))
    const shell = await env.openShell({ workingDir: 'gone' })
    await shell.run('rmdir ../gone')
    expect(await shell.run('pwd; echo still')).toMatchObject({ stdout: expect.stringContaining('still'), shellEnded: false })
    expect(await failureOf(env.openShell({ workingDir: 'gone' }))).toMatchObject({ code: 'ENOENT' })
  })

  it('without bash, opening a shell fails with a message', async () => {
    const env = make(tempFolder(), { shell: '/no/bash' })
    expect(await failureOf(env.openShell())).toMatchObject({ code: 'ENOSHELL' })
  })
})

it('the end marker is found in chunks of any size, and nothing else is mistaken for it', () => {
  const word = 'abcab'
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd') }),
      fc.array(fc.nat(9)),
      (before, behind, cuts) => {
        const whole = Buffer.from(before + word + behind)
        const at = (before + word).indexOf(word)
        const scan = createEndWord(word)
        let passed = ''
        let rest = ''
        for (let from = 0, turn = 0; from < whole.length; turn++) {
          const piece = whole.subarray(from, from + 1 + (cuts[turn % Math.max(1, cuts.length)] ?? 0))
          from += piece.length
          const found = scan.take(piece)
          passed += found.before.toString()
          if (found.behind === null) continue
          rest = found.behind.toString() + whole.subarray(from).toString()
          break
        }
        expect([passed, rest]).toEqual([whole.toString().slice(0, at), whole.toString().slice(at + word.length)])
      },
    ),
  )
})
