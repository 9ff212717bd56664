import { wordList } from '../../../shared/lib/word-list.ts'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openInEditor } from '../../../main/environment/open-in-editor.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { ownFolders, ownProgram, useNoProgramsFrom } from '../../../main/environment/own-programs/own-programs.ts'
import { findRipgrep } from '../../../main/environment/search/ripgrep/ripgrep.ts'
import { hasNoCopies, openCopies } from '../copy/support.ts'

/** Everything that Countersign starts, and what those programs and scripts start in turn. */
const NAMES = wordList(`
  unshare setpriv bwrap mount mkdir find head wc tar getfattr setfattr socat cp mkfifo rm git git-remote-https ssh gpg rg sh bash
  env node ps id chmod cat code zed kate xdg-open
`)

/** Plants every name in a folder. Each program writes its name next to the project, which no command in a copy can do. */
function plant(bin: string, marks: string): void {
  mkdirSync(bin, { recursive: true })
  for (const name of NAMES) {
    writeFileSync(join(bin, name), `#!/bin/bash\n: 2>/dev/null >${marks}/${name}\nPATH=/usr/bin:/bin exec ${name} "$@"\n`)
    chmodSync(join(bin, name), 0o755)
  }
}

/** The ways in which a folder of a project comes into PATH. `base` is next to the project. Each entry comes before those of the system. */
function waysIntoPath(folder: string, base: string): readonly string[] {
  symlinkSync(join(folder, 'bin'), join(base, 'linked'))
  mkdirSync(join(base, 'links'))
  for (const name of NAMES) symlinkSync(join(folder, 'bin', name), join(base, 'links', name))
  const virtualenv = join(folder, '.venv', 'bin')
  const packages = join(folder, 'node_modules', '.bin')
  const direnv = `${join(folder, 'tools')}/`
  const relative = ['bin', './bin', '.']
  const meansCurrentFolder = ''
  return [
    virtualenv,
    packages,
    direnv,
    `${folder}/../project/bin`,
    ...relative,
    meansCurrentFolder,
    join(base, 'linked'),
    join(base, 'links'),
  ]
}

function planted() {
  const { base, folder, copies } = openCopies({ 'a.txt': 'one\n', 'src/b.ts': 'export const two = 2\n' })
  const marks = join(base, 'marks')
  mkdirSync(marks)
  execFileSync('/usr/bin/git', ['init', '-q', folder])
  for (const bin of ['.venv/bin', 'node_modules/.bin', 'tools', 'bin', '.']) plant(join(folder, bin), marks)
  const current = process.cwd()
  process.chdir(folder)
  onTestFinished(() => process.chdir(current))
  vi.stubEnv('PATH', [...waysIntoPath(folder, base), process.env['PATH']].join(':'))
  vi.stubEnv('DISPLAY', ':99')
  return { folder, copies, ran: () => readdirSync(marks).toSorted() }
}

afterEach(() => vi.unstubAllEnvs())

describe.skipIf(hasNoCopies)('a program that was planted in a project does not run outside the copy (X1)', () => {
  it('in whatever way its folder came into PATH', async () => {
    const { folder, copies, ran } = planted()
    expect(await copies.support()).toMatchObject({ kind: 'present' })
    const changed = await copies.run('rm -r src; mkdir src; echo three > src/c.ts', { isFilled: true })
    expect(await changed.apply()).toEqual({ kind: 'applied' })
    const inside = await copies.run('PATH="$PWD/bin:$PATH"; git --version', { hosts: ['example.org'] })
    expect(inside.result).toMatchObject({ exitCode: 0 })
    const env = createLocalExecutionEnvironment(folder)
    const confined = await copies.confine({ hosts: ['example.org'] })
    const background = await env.execCommand('echo begun', { confinement: confined })
    expect(background).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('begun') as string })
    await confined.close()
    expect((await env.spawn(['git', 'status', '--short'])).exitCode).toBe(0)
    expect((await env.spawn(['sh', '-c', 'git --version; ps'])).exitCode).toBe(0)
    expect((await env.grep('three', '.')).matches).toHaveLength(1)
    await openInEditor('automatic', join(folder, 'a.txt'), 1)
    const shell = await env.openShell()
    await shell.close()
    await env.cleanup()
    expect(ran()).toEqual([])
  })

  it('while the command itself still gets the programs of the project', async () => {
    const { copies } = planted()
    expect((await copies.run('type -p git')).result.stdout.trim()).toMatch(/\/project\/\.venv\/bin\/git$/u)
  })
})

describe('a program that Countersign starts', () => {
  let base: string
  beforeEach(() => {
    base = openCopies().base
    useNoProgramsFrom(join(base, 'project'))
  })
  const make = (file: string, mode = 0o755): string => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '#!/bin/sh\n')
    chmodSync(file, mode)
    return file
  }

  it('is one of the user’s tool folders if no project contains it', () => {
    const file = make(join(base, 'tools', 'own-tool'))
    expect(ownProgram('own-tool', join(base, 'tools'))).toBe(file)
  })

  it('comes from the system’s folders before others', () => {
    make(join(base, 'tools', 'sh'))
    expect(ownFolders(`${join(base, 'tools')}:/usr/bin`)).toBe(`/usr/bin:${join(base, 'tools')}`)
  })

  it('is no longer one of a folder that is opened as a project later', () => {
    make(join(base, 'later', 'bin', 'late-tool'))
    expect(ownProgram('late-tool', join(base, 'later', 'bin'))).not.toBeNull()
    useNoProgramsFrom(join(base, 'later'))
    expect(ownProgram('late-tool', join(base, 'later', 'bin'))).toBeNull()
  })

  it('is checked again after it was replaced', () => {
    const file = make(join(base, 'tools', 'swapped'))
    expect(ownProgram('swapped', join(base, 'tools'))).toBe(file)
    const planted = make(join(base, 'project', 'planted'))
    rmSync(file)
    symlinkSync(planted, file)
    expect(ownProgram('swapped', join(base, 'tools'))).toBeNull()
  })

  it.each([
    ['everybody may write', (file: string) => chmodSync(file, 0o777)],
    ['everybody may replace', (file: string) => chmodSync(dirname(file), 0o777)],
  ])('is none that %s', (_, open) => {
    const file = make(join(base, 'tools', 'shared'))
    open(file)
    expect(ownProgram('shared', join(base, 'tools'))).toBeNull()
  })

  it('may be given by its absolute path, which is checked in the same way', async () => {
    expect(ownProgram(make(join(base, 'project', 'rg')))).toBeNull()
    expect(await findRipgrep()).not.toBeNull()
  })
})
