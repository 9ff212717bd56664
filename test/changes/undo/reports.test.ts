import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, git, played, stateOf } from '../support/played-folder.ts'

const play = (folder: string, ...steps: readonly object[]) => played('off', folder, ...steps)

describe('an undo keeps what users of other agents have reported as lost', () => {
  test('untracked files, a changed .gitignore, and the repository’s HEAD, index and refs', async () => {
    const folder = folderWith({ 'src/a.txt': 'a\n', '.gitignore': 'out/\n' })
    git(folder, 'init', '-q')
    git(folder, 'add', '.')
    git(folder, 'commit', '-qm', 'first')
    writeFileSync(join(folder, '.gitignore'), 'out/\nmine/\n')
    writeFileSync(join(folder, 'staged.txt'), 'staged\n')
    git(folder, 'add', 'staged.txt')
    for (const [name, text] of [
      ['out', 'result'],
      ['mine', 'draft'],
      ['untracked', 'notes'],
    ] as const) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'file'), text)
    }
    const before = stateOf(folder)
    const run = await play(
      folder,
      { write: { path: 'src/b.txt', content: 'b\n' } },
      { shell: 'echo more >> src/a.txt; echo "out2/" >> .gitignore' },
      { restore: 0 },
    )
    expect([run.errors, run.skipped]).toEqual([[], []])
    expect(stateOf(folder)).toEqual(before)
  })

  test('a nested repository without a commit, with its .git folder', async () => {
    const folder = folderWith({ 'a.txt': 'a\n', 'nested/b.txt': 'b\n' })
    git(folder, 'init', '-q')
    git(join(folder, 'nested'), 'init', '-q')
    const before = stateOf(folder)
    const run = await play(
      folder,
      { shell: 'echo more >> nested/b.txt; echo new > nested/new.txt' },
      { write: { path: 'a.txt', content: 'changed\n' } },
      { restore: 0 },
    )
    expect(run.errors).toEqual([])
    const after = stateOf(folder)
    const ownGit = (state: typeof before) => Object.entries(state).filter(([path]) => path.includes('.git/'))
    expect(ownGit(after)).toEqual(ownGit(before))
    expect(after['a.txt']).toBe(before['a.txt'])
  })

  test('user changes in the neighboring project of a shared repository', async () => {
    const root = folderWith({ 'one/a.txt': 'a\n', 'two/b.txt': 'b\n' })
    git(root, 'init', '-q')
    git(root, 'add', '.')
    git(root, 'commit', '-qm', 'first')
    writeFileSync(join(root, 'two/b.txt'), 'changed by a user\n')
    writeFileSync(join(root, 'two/new.txt'), 'new\n')
    const before = stateOf(root)
    const run = await play(join(root, 'one'), { shell: 'echo more >> a.txt; echo made > made.txt' }, { restore: 0 })
    expect(run).toMatchObject({ ok: true, restored: ['a.txt'], deleted: ['made.txt'] })
    expect(stateOf(root)).toEqual(before)
  })

  test('links, the second name of a hard-linked file, and permission bits', async () => {
    const folder = folderWith({ 'target.txt': 'target\n', 'run.sh': 'true\n' })
    symlinkSync('target.txt', join(folder, 'link'))
    symlinkSync('nowhere', join(folder, 'dangling'))
    linkSync(join(folder, 'target.txt'), join(folder, 'second-name'))
    chmodSync(join(folder, 'run.sh'), 0o755)
    const before = stateOf(folder)
    const run = await play(folder, { shell: 'echo more >> link; echo more >> run.sh; chmod 644 run.sh' }, { restore: 0 })
    expect(run.errors).toEqual([])
    expect(stateOf(folder)).toEqual(before)
    expect(execFileSync('stat', ['-c', '%a', 'run.sh'], { cwd: folder }).toString().trim()).toBe('755')
  })

  test.each(['n'.repeat(255), 'two\nlines', 'Ünï-é', ' leading and trailing ', '-rf', '$(touch x)'])('a file named %j', async (name) => {
    const folder = folderWith({ [name]: 'mine\n' })
    const before = stateOf(folder)
    const run = await play(
      folder,
      { edit: { path: 'seen', content: 'x' } },
      { write: { path: 'b.txt', content: 'b\n' } },
      { shell: 'for f in *; do [ -f "./$f" ] && echo more >> "./$f"; done; true' },
      { restore: 0 },
      { remove: 'seen' },
    )
    expect(run.errors).toEqual([])
    expect(stateOf(folder)).toEqual(before)
  })
})
