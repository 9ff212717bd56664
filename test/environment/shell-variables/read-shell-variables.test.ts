import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readShellVariables } from '../../../main/environment/shell-variables/read-shell-variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-shell-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a shell: its arguments are those that a real shell gets, so `$2` is the command. */
function shellOf(name: string, script: string): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/bash\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

const ask = (shell: string, limitMs?: number) =>
  readShellVariables({
    shell,
    env: { PATH: '/usr/bin:/bin', HOME: folder, STARTED: 'yes' },
    folder,
    ...(limitMs !== undefined && { limitMs }),
  })

describe.skipIf(process.platform === 'win32')('the variables of the user’s shell', () => {
  it.each([
    ['prints nothing else', 'eval "$2"'],
    ['prints noise before and after', 'echo "Welcome"; echo "PATH=/evil"; eval "$2"; echo "PATH=/evil"; echo bye'],
    ['prints zero bytes around', String.raw`printf 'a\0PATH=/evil\0'; eval "$2"; printf 'PATH=/evil\0'`],
    ['prints the command before it runs it, as fish does when it traces', 'echo "$2"; echo "> $2"; eval "$2"'],
    ['prints everything in small pieces', 'eval "$2" | while IFS= read -r -n1 -d "" c || [ -n "$c" ]; do :; done; eval "$2"'],
    ['leaves a program behind that keeps the output open', 'eval "$2"; sleep 30 & disown; exit'],
    ['never ends after its answer', 'eval "$2"; exec sleep 30'],
  ])('are read from a shell that %s', async (_, script) => {
    const shell = shellOf('noisy', `export PATH="$PATH:/opt/nvm" LINES_OF=$'one\\nPATH=/two'\n${script}`)
    const read = await ask(shell, 5_000)
    expect(read).toMatchObject({ ok: true, value: { PATH: '/usr/bin:/bin:/opt/nvm', LINES_OF: 'one\nPATH=/two', STARTED: 'yes' } })
  })

  it('are those after the start files of a real login shell', async () => {
    writeFileSync(join(folder, '.bash_profile'), 'export FROM_PROFILE=1; PATH="$HOME/bin:$PATH"; echo hello from the profile\n')
    expect(await ask('/bin/bash')).toMatchObject({
      ok: true,
      value: { FROM_PROFILE: '1', PATH: expect.stringContaining(`${folder}/bin:`) },
    })
  })

  it('tcsh gets no -l, because it would refuse the other arguments', async () => {
    const read = await ask(shellOf('tcsh', 'export ARGUMENTS="$1"; eval "$2"'))
    expect(read).toMatchObject({ ok: true, value: { ARGUMENTS: '-ic' } })
  })

  it.each([
    ['hangs', 'sleep 60', 'did not answer within 0.3 s. One of its start files may wait for something.'],
    ['ends with an error', 'exit 3', 'ended without printing its variables (exit code 3).'],
    ['does not know the option', 'echo "bad option"; exit 0', 'ended without printing its variables (exit code 0).'],
    ['is killed', 'kill -9 $$', 'ended without printing its variables (SIGKILL).'],
    ['prints without end', 'yes', 'printed more than 4 MB before its variables.'],
  ])('a shell that %s: the reason is said', async (name, script, why) => {
    const shell = shellOf('failing', script)
    const read = await ask(shell, name === 'hangs' ? 300 : 8_000)
    expect(read).toEqual({ ok: false, failure: `${shell} ${why}` })
  })

  it('a shell that does not exist: the reason is said', async () => {
    expect(await ask('/nowhere/zsh')).toMatchObject({ ok: false, failure: expect.stringContaining('/nowhere/zsh could not be started') })
    expect(await ask('zsh')).toEqual({ ok: false, failure: 'The shell zsh is not an absolute path.' })
  })
})
