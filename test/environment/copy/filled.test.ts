import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EndedCopy } from '../../../main/agent/ports/command-copies.ts'
import { hasNoCopies, openCopies } from './support.ts'

const FILES = {
  'src/a.txt': 'a\n',
  'src/deep/b.txt': 'b\n',
  'docs/c.txt': 'c\n',
  '.gitignore': 'dist/\n*.log\n',
  'dist/out.js': 'built\n',
  'lib/d.txt': 'd\n',
  'lib/trace.log': 'ignored\n',
  'with space/e\\f.txt': 'e\n',
}

/** Creates a repository with one commit. */
function openRepository() {
  const opened = openCopies(FILES)
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: opened.folder })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  return opened
}

const changesOf = ({ changeSet }: EndedCopy) => changeSet.changes.map(({ kind, path }) => `${kind} ${path}`)

describe.skipIf(hasNoCopies)('a filled copy', () => {
  it('shows all files, and filling it does not count as a change', async () => {
    const { copies } = openRepository()
    const ended = await copies.run('cat dist/out.js lib/trace.log src/deep/b.txt; git status --porcelain', { isFilled: true })
    expect([ended.result.stdout, ended.changeSet]).toEqual(['built\nignored\nb\n', { changes: [], obstacles: [], leftOut: [] }])
    await ended.drop()
  })

  it('supports renames of folders by git mv and rename(2)', async () => {
    const { copies, folder } = openRepository()
    const command = `git mv src source && ${process.execPath} -e "require('fs').renameSync('with space', 'without')"`
    const plain = await copies.run(command)
    expect([plain.result.exitCode !== 0, plain.secondTry]).toEqual([true, { kind: 'filled' }])
    await plain.drop()
    const filled = await copies.run(command, { isFilled: true })
    expect(filled.result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(changesOf(filled).filter((each) => !each.includes('.git/'))).toEqual([
      'created source',
      'created source/a.txt',
      'created source/deep',
      'created source/deep/b.txt',
      'deleted src',
      'deleted src/a.txt',
      'deleted src/deep',
      'deleted src/deep/b.txt',
      'deleted with space',
      'deleted with space/e\\f.txt',
      'created without',
      'created without/e\\f.txt',
    ])
    expect(await filled.apply()).toEqual({ kind: 'applied' })
    expect(readdirSync(join(folder, 'source'))).toEqual(['a.txt', 'deep'])
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toContain('R  src/a.txt -> source/a.txt')
  })

  it('cannot rename a folder with ignored files, and gives that as the reason', async () => {
    const { copies } = openRepository()
    const { unfit, secondTry, drop } = await copies.run(`${process.execPath} -e "require('fs').renameSync('lib', 'other')"`, {
      isFilled: true,
    })
    expect([unfit, secondTry]).toEqual([expect.stringContaining('renames a folder'), null])
    await drop()
  })

  it('does not overwrite what the user saves while the command runs', async () => {
    const { copies, folder } = openRepository()
    const first = await copies.run('echo ready; mv -T docs papers', {
      isFilled: true,
      onOutput: () => writeFileSync(join(folder, 'docs/c.txt'), 'the user\n'),
    })
    expect(first.changeSet.obstacles).toContainEqual({ kind: 'changed-meanwhile', path: 'docs/c.txt' })
    await first.drop()
    const second = await copies.run('mv -T docs papers', { isFilled: true })
    writeFileSync(join(folder, 'docs/c.txt'), 'the user again\n')
    expect(await second.apply()).toMatchObject({ kind: 'refused' })
  })
})
