import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BashState } from '../../../main/agent/ports/command-copies.ts'
import { hasNoCopies, openCopies } from './support.ts'

/** Opens a bash whose commands run in copies. Each copy is dropped. */
function openBash(files: Readonly<Record<string, string>> = {}) {
  const opened = openCopies(files)
  let before: BashState | null = null
  const run = async (command: string) => {
    const ended = await opened.copies.run(command, { state: { before } })
    before = ended.stateAfter
    await ended.drop()
    return { ...ended.result, state: before }
  }
  return { ...opened, run }
}

describe.skipIf(hasNoCopies)('a bash whose commands run in copies', () => {
  it.each([
    ['the folder', 'cd d', 'pwd', /\/project\/d\n$/],
    ['the last folder', 'cd d; cd ..', 'cd - >/dev/null; pwd', /\/project\/d\n$/],
    ['a folder with an odd name', `cd $'q"u\\'o te'`, 'cat f', /^odd$/],
    ['an exported variable', 'export A="a b\n$x\'"', 'bash -c \'printf %s "$A"\'', /^a b\n'$/],
    ['a variable that is not exported', 'A=1', 'echo "$A"; env | grep ^A= || true', /^1\n$/],
    ['arrays', 'A=(1 "2 3"); declare -A M=([k]="v w")', 'printf "%s," "${A[@]}" "${M[k]}"', /^1,2 3,v w,$/],
    ['IFS', 'IFS=,', 'x=a,b; set -- $x; echo $#', /^2\n$/],
    ['a function with an extended pattern', 'shopt -s extglob; f() { [[ $1 == +(a|b) ]] && echo yes; }', 'f abab', /^yes\n$/],
    ['an exported function', 'f() { echo f; }; export -f f', 'bash -c f', /^f\n$/],
    ['an alias', 'alias hi="echo hello"', 'hi', /^hello\n$/],
    [
      'options',
      'set -o pipefail -u',
      'false | true; echo $?; echo "${NONE-unset}"; set -o | grep -c "\\bon$" >/dev/null; echo $-',
      /^1\nunset\n\w*u\w*\n$/,
    ],
    ['a read-only variable', 'readonly R=1', '(R=2) 2>/dev/null; echo $R', /^1\n$/],
  ])('keeps %s', async (_name, first, second, shown) => {
    const { run } = openBash({ 'd/f': '1', 'q"u\'o te/f': 'odd' })
    expect(await run(first)).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await run(second)).stdout).toMatch(shown)
  })

  it('keeps its state even if the home folder allows no overlay', async () => {
    const home = process.env['HOME']
    // An overlay cannot use this file system as its lower layer.
    process.env['HOME'] = '/proc/self'
    onTestFinished(() => void (home === undefined ? delete process.env['HOME'] : (process.env['HOME'] = home)))
    const { run } = openBash()
    expect(await run('A=1')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await run('echo $A')).toMatchObject({ stdout: '1\n', stderr: '' })
  })

  it('keeps its state after commands that do not change it', async () => {
    const { run, folder } = openBash({ 'd/f': '1' })
    await run('cd d; export A=1; f() { echo "f $A"; }; alias g=f')
    for (let round = 0; round < 3; round++) await run('true')
    expect((await run('pwd; g')).stdout).toBe(`${join(realpathSync(folder), 'd')}\nf 1\n`)
  })

  it('returns only the command’s exit code, output and errors', async () => {
    const { run } = openBash()
    expect(await run('set -x')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
    expect(await run('echo out; (exit 3)')).toMatchObject({ exitCode: 3, stdout: 'out\n', stderr: '++ echo out\n++ exit 3\n' })
    expect(await run('set +x; if')).toMatchObject({
      exitCode: expect.any(Number),
      stdout: '',
      stderr: expect.stringContaining('syntax error'),
    })
  })

  it('loses its state on `exit`, and the next command starts a new bash', async () => {
    const { run } = openBash()
    await run('A=1')
    expect(await run('exit 4')).toMatchObject({ exitCode: 4, state: null })
    expect((await run('echo "[$A]"')).stdout).toBe('[]\n')
  })

  it('does not save a secret that a command writes in place of the bash state', async () => {
    const { copies } = openCopies()
    const link = await copies.run('rm -f /run/countersign-state/after; ln -s /etc/passwd /run/countersign-state/after; exec true', {
      state: { before: null },
    })
    expect(link.stateAfter).toBeNull()
    const fifo = await copies.run('mkfifo /run/countersign-state/after; kill -9 $$', { state: { before: null } })
    expect(fifo.stateAfter).toBeNull()
  })

  it('starts in the given folder, with the rest of its state unchanged', async () => {
    const { copies, folder } = openCopies({ 'd/f': '', "it's/f": '' })
    const { stateAfter } = await copies.run('cd d; A=1', { state: { before: null } })
    if (stateAfter === null) throw new Error('There is no state.')
    expect(stateAfter.folder).toBe(join(realpathSync(folder), 'd'))
    const workingDir = join(realpathSync(folder), "it's")
    const next = await copies.run('pwd; echo $A; cd - >/dev/null; pwd', { state: { before: stateAfter }, workingDir })
    expect(next.result.stdout).toBe(`${workingDir}\n1\n${stateAfter.folder}\n`)
  })

  it('returns its state only on request', async () => {
    const { copies } = openCopies()
    expect((await copies.run('ls /run')).stateAfter).toBeNull()
  })
})
