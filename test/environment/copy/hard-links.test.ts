import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoCopies, openCopies } from './support.ts'

/** Creates a repository with one commit. */
function openRepository() {
  const opened = openCopies({ 'a.txt': 'a\n', 'target/debug/lib.rlib': 'lib\n' })
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: opened.folder })
  git('init', '-q')
  git('add', 'a.txt')
  git('commit', '-qm', 'first')
  return opened
}

describe.skipIf(hasNoCopies)('hard links to files that existed before', () => {
  it('a local clone is tried again without hard links, and the applied clone is whole', async () => {
    const { copies, folder } = openRepository()
    const plain = await copies.run('git clone -q . sub')
    expect([plain.result.exitCode !== 0, plain.secondTry]).toEqual([true, { kind: 'without-hard-links' }])
    await plain.drop()
    const again = await copies.run('git clone -q . sub', { hasHardLinks: false })
    expect([again.result.exitCode, again.result.stderr, again.unfit, again.changeSet.leftOut]).toEqual([0, '', null, []])
    expect(await again.apply()).toEqual({ kind: 'applied' })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: join(folder, 'sub'), encoding: 'utf8' })
    expect([git('log', '--format=%s'), git('fsck', '--full'), git('status', '--porcelain')]).toEqual(['first\n', '', ''])
  })

  it.each([
    ['ln', 'ln target/debug/lib.rlib target/lib.rlib', 'target/lib.rlib'],
    ['cp -al', 'cp -al target/debug target/again', 'target/again/lib.rlib'],
    ['git gc', 'git gc -q && ln target/debug/lib.rlib kept', 'kept'],
    ['git worktree add', 'git worktree add -q tree && ln target/debug/lib.rlib kept', 'kept'],
  ])('%s works the first time', async (_, command, name) => {
    const { copies, folder } = openRepository()
    const ended = await copies.run(command)
    expect([ended.result.exitCode, ended.secondTry, ended.unfit]).toEqual([0, null, null])
    expect(await ended.apply()).toEqual({ kind: 'applied' })
    expect(readFileSync(join(folder, name), 'utf8')).toBe('lib\n')
    expect(statSync(join(folder, name)).nlink).toBe(1)
  })
})
