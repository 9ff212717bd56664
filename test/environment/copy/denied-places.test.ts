import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deniedPlaces } from '../../../main/environment/copy/start/denied-places.ts'
import { hasNoCopies, openCopies, treeOf } from './support.ts'

const FILES = { 'secret/x': 'TOP-SECRET\n', 'secret/deep/y': 'TOP-SECRET\n', 'a/b.pem': 'TOP-SECRET\n', 'plain.txt': 'plain\n' }
const DENIED = ['secret/**', '*.pem']

// These tests need bubblewrap. `hasNoCopies` prints the reason for the skip.
describe.skipIf(hasNoCopies)('files that rules deny', () => {
  it('cannot be read by a command in a copy, however it spells them (X9)', async () => {
    const { folder, copies } = openCopies(FILES)
    symlinkSync('secret/x', join(folder, 'way'))
    const before = treeOf(folder)
    const command = [
      'cat sec*/x; cp secret/x copied; cat copied; tar c . ; cat way; cat a/*.pem; grep -r TOP .; cd secret && cat x deep/y',
      'cd a; chmod 644 b.pem; cat b.pem; mv b.pem c; cat c; mv ../secret ../other; cat ../other/x',
      'node -e \'process.stdout.write(fs.readFileSync("/proc/self/cwd/b.pem"))\'; cat plain.txt ../plain.txt',
    ].join('\n')
    const { result, changeSet, notes, drop } = await copies.run(command, { denied: DENIED })
    expect(result.stdout + result.stderr).not.toContain('TOP-SECRET')
    expect(result.stdout).toContain('plain\n')
    expect(changeSet.changes.filter(({ path }) => path !== 'copied')).toEqual([])
    expect(notes.join(' ')).toContain('A rule denies commands to read or change: a/b.pem, secret.')
    await drop()
    expect(treeOf(folder)).toEqual(before)
  })

  it('are not considered deleted or empty by git in a copy (X9)', async () => {
    const { folder, copies } = openCopies(FILES)
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, encoding: 'utf8' })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
    const commit = 'git -c user.name=a -c user.email=a@b commit -qm second'
    const { result, drop } = await copies.run(
      `echo more >> plain.txt; git add -A; git add plain.txt; ${commit}; git diff --name-status HEAD~1 HEAD`,
      { denied: DENIED },
    )
    expect(result.stdout).toBe('M\tplain.txt\n')
    expect(result.stderr).toContain('Permission denied')
    await drop()
  })

  it('can all be read without such a rule', async () => {
    const { copies } = openCopies(FILES)
    const { result, drop } = await copies.run('cat secret/x a/b.pem', { denied: [] })
    expect(result.stdout).toBe('TOP-SECRET\nTOP-SECRET\n')
    await drop()
  })
})

it.each<[readonly string[], readonly string[]]>([
  [['secret/**'], ['secret']],
  [['/secret/deep'], ['secret/deep']],
  [['*.pem'], ['a/b.pem']],
  [['deep/'], ['secret/deep']],
  [['missing/x', '!secret', '#secret'], []],
])('rules for %j hide %j', async (patterns, expected) => {
  const { folder, layers } = openCopies(FILES)
  const { paths } = await deniedPlaces({ patterns, source: folder, folder: '/seen', home: null, cover: join(layers, 'cover') })
  expect(paths).toEqual(expected.map((path) => `/seen/${path}`))
})

it('a link out of the folder hides nothing outside', async () => {
  const { folder, layers } = openCopies({})
  symlinkSync('/etc/hosts', join(folder, 'hosts.pem'))
  const { paths } = await deniedPlaces({ patterns: ['*.pem'], source: folder, folder, home: null, cover: join(layers, 'cover') })
  expect(paths).toEqual([])
})

it('too many denied files are refused with what to do', async () => {
  const { folder, layers } = openCopies(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`keys/${at}.pem`, ''])))
  const parts = { source: folder, folder, home: null, cover: join(layers, 'cover') }
  await expect(deniedPlaces({ ...parts, patterns: ['*.pem'] })).rejects.toThrow('Deny their folders instead.')
  expect((await deniedPlaces({ ...parts, patterns: ['keys/'] })).paths).toHaveLength(1)
})
