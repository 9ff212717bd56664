import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { hasNoCopies, openCopies, treeOf } from './support.ts'

describe.skipIf(hasNoCopies)('applying', () => {
  it('makes the folder exactly what the command saw, including modes, links, replaced folders and unusual names', async () => {
    const files = { 'm.txt': '1', 'gone/a': '2', 'gone/b/c': '3', 'repl/x': '4', 'kind/f': '5', 'to-folder': '6', same: '7' }
    const { copies, folder } = openCopies(files)
    symlinkSync('nowhere', join(folder, 'link'))
    const list = `find . -mindepth 1 -printf '%P %y %m %l\\n' | sort; find . -type f -exec sha256sum {} + | sort`
    const ended = await copies.run(
      `echo 2 >> m.txt; rm -r gone repl kind to-folder; mkdir -p repl/new to-folder/in; echo k > kind; echo i > to-folder/in/f
       chmod 700 m.txt; mkdir ro; echo r > ro/r; chmod 500 ro; ln -sfn elsewhere link; echo n > $'line\\nbreak'; echo q > '"q"'; ${list}`,
    )
    expect(ended.result.exitCode).toBe(0)
    expect(await ended.apply()).toEqual({ kind: 'applied' })
    expect(execFileSync('bash', ['-c', list], { cwd: folder, encoding: 'utf8' })).toBe(ended.result.stdout)
    expect(ended.result.stdout).toContain('repl/new d 755')
  })

  it('keeps modification times, so make does not rebuild', async () => {
    const { copies, folder } = openCopies({ a: '1', b: '2' })
    utimesSync(join(folder, 'b'), 5_000, 5_000)
    const ended = await copies.run('touch -d @1000.5 a; mv b c')
    expect(await ended.apply()).toEqual({ kind: 'applied' })
    expect([statSync(join(folder, 'a')).mtimeMs, statSync(join(folder, 'c')).mtimeMs]).toEqual([1_000_500, 5_000_000])
  })

  it('applies only the chosen paths, with their parent folders', async () => {
    const { copies, folder } = openCopies({ a: '1', 'd/x': '2', 'd/y': '3' })
    const ended = await copies.run('echo 2 > a; mkdir -p n/m; echo f > n/m/f; echo g > n/g; rm -r d')
    expect(await ended.apply(['n/m/f', 'd', 'd/x'])).toEqual({ kind: 'applied' })
    expect(Object.keys(treeOf(folder))).toEqual(['a', 'd', 'd/y', 'n', 'n/m', 'n/m/f'])
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('1')
  })

  it('applies even files that the command made unreadable', async () => {
    const { copies, folder } = openCopies()
    const ended = await copies.run('mkdir closed; echo 1 > closed/f; echo 2 > g; chmod 0 closed/f closed g')
    expect(await ended.apply()).toEqual({ kind: 'applied' })
    expect(['closed', 'g'].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0, 0])
    chmodSync(join(folder, 'closed'), 0o700)
    chmodSync(join(folder, 'closed', 'f'), 0o600)
    expect(readFileSync(join(folder, 'closed', 'f'), 'utf8')).toBe('1\n')
  })

  it('removes the copy completely, as does dropping the copy', async () => {
    const { copies, layers } = openCopies({ a: '1' })
    await (await copies.run('mkdir -p x/y; chmod 000 x; echo 2 > a')).apply()
    await (await copies.run('mkdir -p z/y; echo > z/y/f; chmod 000 z/y z')).drop()
    // The folder that commands share as `/tmp` stays until the cleanup.
    expect(readdirSync(layers).filter((name) => !name.startsWith('temp-'))).toEqual([])
  })

  it('applies a git commit as a whole, and git finds no damage', async () => {
    const { copies, folder } = openCopies({ a: '1' })
    const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
    git('init', '-q', '-b', 'main')
    const ended = await copies.run('git add -A && git -c user.name=n -c user.email=e@x commit -qm first && git branch side && git gc -q')
    expect(ended.result).toMatchObject({ exitCode: 0 })
    expect(existsSync(join(folder, '.git', 'index'))).toBe(false)
    expect(await ended.apply()).toEqual({ kind: 'applied' })
    expect([git('status', '--porcelain'), git('log', '--format=%s', 'side'), git('fsck', '--strict')]).toEqual(['', 'first\n', ''])
    expect(existsSync(join(folder, '.git', 'index.lock'))).toBe(false)
  })

  it.each([
    ['a repository that the command creates', 'git init -q -b main && git add -A && git -c user.name=n -c user.email=e@x commit -qm first'],
    ['a branch in place of a folder of branches', 'git branch -D old/one && git branch old'],
    ['a folder of branches in place of a branch', 'git branch -D flat && git branch flat/one'],
  ])('applies %s', async (_name, command) => {
    const { copies, folder } = openCopies({ a: '1' })
    const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
    if (!command.startsWith('git init')) {
      git('init', '-q', '-b', 'main')
      git('-c', 'user.name=n', '-c', 'user.email=e@x', 'commit', '-qm', 'first', '--allow-empty')
      git('branch', 'old/one')
      git('branch', 'flat')
      await delay(20)
    }
    const ended = await copies.run(`${command} && git for-each-ref`)
    expect(ended.result).toMatchObject({ exitCode: 0 })
    expect(await ended.apply()).toEqual({ kind: 'applied' })
    expect(ended.result.stdout).toContain(git('for-each-ref'))
    expect([git('log', '--format=%s'), git('fsck', '--strict')]).toEqual(['first\n', ''])
  })

  it('undoes everything if a late step fails, even in folders that the command made read-only', async () => {
    const { copies, folder } = openCopies({ a: '1', 'd/x': '1', z: '1' })
    const ended = await copies.run(
      'echo 2 > a; mkdir ro; echo r > ro/r; chmod 500 ro; chmod 500 d; rm z; echo 2 > z/new 2>/dev/null; echo 2 > zz',
    )
    writeFileSync(join(folder, 'zz'), 'mine')
    const before = treeOf(folder)
    expect(await ended.apply()).toEqual({ kind: 'refused', reason: 'Nothing was applied: zz: the file has changed since.', path: 'zz' })
    expect(treeOf(folder)).toEqual(before)
  })

  it('is refused while git locks the index', async () => {
    const { copies, folder } = openCopies({ a: '1' })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    const ended = await copies.run('git add -A')
    writeFileSync(join(folder, '.git', 'index.lock'), '')
    expect(await ended.apply()).toMatchObject({ kind: 'refused', path: '.git/index.lock' })
    expect(readFileSync(join(folder, '.git', 'index.lock'), 'utf8')).toBe('')
  })
})
