import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunningTerminal } from '../../main/agent/ports/execution-environment.ts'
import { ENVIRONMENTS, type Make } from './host-environment.ts'
import { asNobody, tempFolder } from './support.ts'

const node = JSON.stringify(process.execPath)

/**
 * Runs a command in a terminal until it is marked as waiting, then answers. Writes the file `unmarked` once the command is no longer marked.
 * Returns all marks and the output.
 */
async function asked(
  make: Make,
  command: string,
  answer: string,
): Promise<{ readonly marks: readonly boolean[]; readonly stdout: string }> {
  const folder = tempFolder()
  const env = make(folder)
  const marks: boolean[] = []
  let terminal: RunningTerminal | null = null
  const { stdout } = await env.execCommand(command, {
    timeoutMs: 60_000,
    terminal: { columns: 80, rows: 24, onOpen: (opened) => (terminal = opened) },
    onWaiting(waits) {
      marks.push(waits)
      if (waits) terminal?.write(answer)
      else writeFileSync(join(folder, 'unmarked'), '')
    },
  })
  await env.cleanup()
  return { marks, stdout }
}

// Only Linux can tell whether a process waits for input.
describe.skipIf(process.platform !== 'linux').each(ENVIRONMENTS)('issue 3: a command that waits for input (%s)', (_environment, make) => {
  it.for([
    ['bash’s read', 'read x; echo "[$x]"'],
    ['bash’s read with a prompt', 'read -p "Name? " x; echo "[$x]"'],
    ['bash’s read with line editing', 'read -e x; echo "[$x]"'],
    ['a child process that reads', 'bash -c \'sleep 0.1; read x; echo "[$x]"\''],
    ['Python’s input()', `python3 -c 'print("[" + input() + "]")'`],
    ['Python’s input() with line editing', `python3 -c 'import readline; print("[" + input("? ") + "]")'`],
    ['a password prompt', `python3 -c 'import getpass; print("[" + getpass.getpass() + "]")'`],
    [
      'Node’s readline question',
      `${node} -e 'const r = require("node:readline").createInterface({ input: process.stdin, output: process.stdout }); r.question("Who? ", (x) => { console.log("[" + x + "]"); r.close() })'`,
    ],
  ] as const)('is marked, and continues when it gets input: %s', async ([, command]) => {
    const { marks, stdout } = await asked(make, command, 'Ada\r')
    expect([marks[0], stdout.includes('[Ada]')]).toEqual([true, true])
  })

  it('is no longer marked as waiting once input arrives', async () => {
    const { marks } = await asked(make, 'read x; until [ -e unmarked ]; do sleep 0.1; done', 'Ada\r')
    expect(marks).toEqual([true, false])
  })

  // Some systems do not have su.
  it.skipIf(!existsSync('/usr/bin/su'))(
    'a program that we may not inspect, because it has different rights, counts as waiting when its last line is a question',
    () => {
      const folder = tempFolder()
      chmodSync(folder, 0o777)
      const marks = asNobody(
        folder,
        `const marks = []
       let terminal = null
       const { stdout } = await env.execCommand('su root -c true', {
         timeoutMs: 60_000,
         terminal: { columns: 80, rows: 24, onOpen: (opened) => (terminal = opened) },
         onWaiting: (waits) => { marks.push(waits); if (waits) terminal.write('wrong\\r') },
       })
       return [marks[0], stdout.startsWith('Password:')]`,
      )
      expect(marks).toEqual([true, true])
    },
  )

  it('a stop while the command waits is reported as a stop', async () => {
    const env = make(tempFolder())
    const stop = new AbortController()
    const { stdout, aborted, waitedForInput } = await env.execCommand('printf "Name? "; read x', {
      signal: stop.signal,
      terminal: { columns: 80, rows: 24, onOpen: () => {} },
      onWaiting: (waits) => waits && stop.abort(),
    })
    expect({ stdout, aborted, waitedForInput }).toEqual({ stdout: 'Name? ', aborted: true, waitedForInput: true })
  })

  it('is not confused with a command that sleeps, computes, serves, waits for a child or reads something else', async () => {
    const commands = [
      ['sleep', 'sleep 4'],
      ['sleep after output that looks like a question', 'printf "Sure? [y/n] "; sleep 4'],
      ['work', 'for i in $(seq 40); do echo $i; sleep 0.1; done'],
      [
        'a server',
        `${node} -e 'require("node:http").createServer().listen(0, "127.0.0.1"); process.stdin.resume(); setTimeout(process.exit, 4000)'`,
      ],
      ['a wait for a child', 'sleep 4 & wait'],
      ['a read of something else', 'sleep 4 | cat'],
    ] as const
    const marked = await Promise.all(
      commands.map(async ([name, command]) => ((await asked(make, command, '')).marks.length > 0 ? [name] : [])),
    )
    expect(marked.flat()).toEqual([])
  })
})
