import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { hasNoCopies } from '../../environment/copy/support.ts'
import { folderWith, git, played, stateOf } from '../support/played-folder.ts'

const WAYS = hasNoCopies ? (['off'] as const) : (['off', 'copy'] as const)

describe.each(WAYS)('after commands (%s) an undo keeps what users of other agents have reported as lost', (sandbox) => {
  test('a submodule, a worktree, and all files of their repositories', async () => {
    const other = folderWith({ 'lib.txt': 'lib\n' })
    const root = folderWith({ 'main/a.txt': 'a\n' })
    const main = join(root, 'main')
    for (const repository of [other, main]) {
      git(repository, 'init', '-q')
      git(repository, 'add', '.')
      git(repository, 'commit', '-qm', 'first')
    }
    git(main, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other, 'sub')
    git(main, 'commit', '-qm', 'submodule')
    git(main, 'worktree', 'add', '-q', join(root, 'tree'))
    const before = stateOf(root)
    const inMain = await played(
      sandbox,
      main,
      { shell: 'echo more >> sub/lib.txt; echo new > sub/new.txt; echo more >> a.txt' },
      { restore: 0 },
    )
    expect(inMain).toMatchObject({ ok: true, restored: ['a.txt', 'sub/lib.txt'], deleted: ['sub/new.txt'], skipped: [] })
    expect(stateOf(root)).toEqual(before)
    const inTree = await played(
      sandbox,
      join(root, 'tree'),
      { shell: 'echo more >> a.txt; echo new > new.txt' },
      { write: { path: 'z.txt', content: 'z' } },
      { restore: 0 },
    )
    expect(inTree).toMatchObject({ ok: true, restored: ['a.txt'], deleted: ['new.txt', 'z.txt'], skipped: [] })
    expect(stateOf(root)).toEqual(before)
  })

  test('line endings and large files that git converts, without running a filter of the repository', async () => {
    const folder = folderWith({ 'a.txt': 'a\r\nb\r\n', '.gitattributes': '*.bin filter=lfs -text\n', 'x.bin': 'content\n' })
    git(folder, 'init', '-q')
    git(folder, 'config', 'core.autocrlf', 'true')
    for (const kind of ['clean', 'smudge']) git(folder, 'config', `filter.lfs.${kind}`, 'touch filter-ran; cat')
    git(folder, 'config', 'filter.lfs.required', 'true')
    git(folder, 'add', 'a.txt', '.gitattributes')
    git(folder, 'commit', '-qm', 'first')
    const before = stateOf(folder)
    const run = await played(
      sandbox,
      folder,
      { shell: String.raw`printf 'c\r\n' >> a.txt; echo more >> x.bin` },
      { write: { path: 'a.txt', content: 'other\n' } },
      { restore: 0 },
    )
    expect(run).toMatchObject({ ok: true, restored: ['a.txt', 'x.bin'], skipped: [] })
    expect(stateOf(folder)).toEqual(before)
  })

  test('links in a loop, names that differ only in case, read-only files, and folders in place of files', async () => {
    const folder = folderWith({ 'Readme.md': 'readme\n', 'read-only': 'mine\n', file: 'file\n', 'dir/x': 'x\n', 'deep/f': 'f\n' })
    symlinkSync('.', join(folder, 'deep/loop'))
    symlinkSync('b', join(folder, 'a'))
    symlinkSync('a', join(folder, 'b'))
    chmodSync(join(folder, 'read-only'), 0o444)
    const before = stateOf(folder)
    const run = await played(
      sandbox,
      folder,
      {
        shell:
          'mv Readme.md README.md; chmod 644 read-only; echo x >> read-only; rm file; mkdir file; echo y > file/in; rm -r dir; echo z > dir',
      },
      { shell: 'rm a; echo in-place-of-a-loop > a' },
      { restore: 0 },
    )
    expect(run).toMatchObject({ ok: true, skipped: [], errors: [] })
    expect(stateOf(folder)).toEqual(before)
    expect(statSync(join(folder, 'read-only')).mode & 0o777).toBe(0o444)
  })

  test('a repository that environment variables point to', async () => {
    const elsewhere = folderWith({ 'theirs.txt': 'theirs\n' })
    git(elsewhere, 'init', '-q')
    git(elsewhere, 'add', '.')
    git(elsewhere, 'commit', '-qm', 'first')
    for (const [name, path] of [
      ['GIT_DIR', '.git'],
      ['GIT_INDEX_FILE', '.git/index'],
      ['GIT_WORK_TREE', ''],
    ] as const)
      vi.stubEnv(name, join(elsewhere, path))
    const before = stateOf(elsewhere)
    const folder = folderWith({ 'a.txt': 'a\n' })
    const run = await played(
      sandbox,
      folder,
      { shell: 'git init -q; git add .; echo more >> a.txt' },
      { write: { path: 'b.txt', content: 'b\n' } },
      { restore: 0 },
    )
    expect(run).toMatchObject({ errors: [], restored: ['a.txt'], deleted: ['b.txt'] })
    expect(stateOf(elsewhere)).toEqual(before)
  })
})

const FILES = 100_000
const nameOf = (at: number): string => `d${Math.floor(at / 500)}/f${at}`

test(
  'in a folder of 100,000 files every recorded change is undone, and the report says what was not compared',
  { timeout: 300_000 },
  async () => {
    const folder = folderWith({ '.git/HEAD': 'ref: refs/heads/main\n' })
    execFileSync(
      'sh',
      [
        '-c',
        `seq 0 199 | sed s/^/d/ | xargs mkdir; seq -f '%.0f' 0 ${FILES - 1} | awk '{ print "d" int($1 / 500) "/f" $1 }' | xargs touch`,
      ],
      { cwd: folder },
    )
    const last = nameOf(FILES - 1)
    const run = await played(
      'off',
      folder,
      { write: { path: last, content: 'agent\n' } },
      { write: { path: 'new/deep', content: 'agent\n' } },
      { shell: 'echo new > made-by-command' },
      { restore: 0 },
    )
    expect(run.errors).toEqual([])
    expect(run.deleted).toContain('new/deep')
    expect(run.restored).toContain(last)
    expect(readFileSync(join(folder, last), 'utf8')).toBe('')
    expect(JSON.stringify(run.uncovered)).toMatch(/more than 50,000 files|took more than/u)
  },
)
