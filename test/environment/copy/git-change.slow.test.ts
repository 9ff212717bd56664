import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { BlobHash } from '../../../shared/lib/ids.ts'
import { type GitChange, type GitFile, gitSentences, isGitRecord } from '../../../shared/session/git-change.ts'
import { hasNoCopies, openCopies, ownHome } from './support.ts'

const AS = 'git -c user.name=Ada -c user.email=ada@example.org'
const COMMIT = `${AS} commit -q`
/** Creates two commits on main, a branch with one more commit, and a tag. */
const HISTORY = `git init -q -b main . && git add . && ${COMMIT} -m one && echo 2 >> a.txt && ${COMMIT} -am two && git tag v1 &&
git switch -qc side && echo s > side.txt && git add . && ${COMMIT} -m side && git switch -q main`

const stored = new Map<string, string>()
const put = (bytes: Uint8Array): BlobHash => {
  const hash = BlobHash.parse(createHash('sha256').update(bytes).digest('hex'))
  stored.set(hash, Buffer.from(bytes).toString())
  return hash
}

/**
 * Runs a command in a copy of a repository and returns what it did to the repository there. `prepared` runs in the folder itself before the
 * copy is made.
 */
async function told(command: string, prepared = HISTORY): Promise<GitChange | null> {
  const { folder, copies } = openCopies({ 'a.txt': '1\n', 'b c.txt': 'b\n' })
  if (prepared !== '') execFileSync('/bin/bash', ['-c', prepared], { cwd: folder })
  const head = readGit(folder)
  const ended = await copies.run(command)
  try {
    expect(ended.result, ended.result.stderr).toMatchObject({ exitCode: 0 })
    const change = await ended.gitChange(put)
    expect(readGit(folder)).toBe(head)
    return change
  } finally {
    await ended.drop()
  }
}

const readGit = (folder: string): string | null =>
  existsSync(join(folder, '.git/HEAD')) ? readFileSync(join(folder, '.git/HEAD'), 'utf8') : null

/** Removes the hashes, which differ from run to run. */
function plain(change: GitChange | null) {
  if (change === null) return null
  const words = (text: string): string => text.replace(/\b[0-9a-f]{7}\b/gu, 'HASH')
  return {
    says: gitSentences(change).map(words),
    commits: change.commits.map(({ subject, author, files }) => [
      subject,
      author,
      files?.map(({ status, path, from }) => [status, path, from].join(' ').trim()),
    ]),
    lost: change.lost.map(({ subject }) => subject),
    staged: change.staged.map(({ status, path }) => `${status} ${path}`),
    unstaged: change.unstaged.map(({ status, path }) => `${status} ${path}`),
  }
}

const NOTHING = { says: [], commits: [], lost: [], staged: [], unstaged: [] }

describe.skipIf(hasNoCopies)('a repository change in git’s terms', () => {
  it.each<[string, string, Partial<ReturnType<typeof plain>>]>([
    [
      'a commit',
      `echo 3 >> a.txt; git mv 'b c.txt' d.txt; ${COMMIT} -am three`,
      { commits: [['three', 'Ada', ['M a.txt', 'R d.txt b c.txt']]] },
    ],
    [
      'two commits',
      `${COMMIT} --allow-empty -m x; ${COMMIT} --allow-empty -m y`,
      {
        commits: [
          ['y', 'Ada', []],
          ['x', 'Ada', []],
        ],
      },
    ],
    [
      'a two-line subject with hidden characters',
      `${COMMIT} --allow-empty -m $'one\\ntwo\\u202e'`,
      { commits: [['one two\u202e', 'Ada', []]] },
    ],
    ['staging', 'echo n > new.txt; git add new.txt', { staged: ['A new.txt'] }],
    [
      'an amended commit whose first version is kept by another branch',
      `${COMMIT} --amend -m better`,
      { commits: [['better', 'Ada', ['M a.txt']]], says: ['Moves the branch main from HASH to HASH and leaves out 1 commit.'] },
    ],
    ['a reset', 'git reset -q --hard HEAD~1', { says: ['Moves the branch main from HASH to HASH and leaves out 1 commit.'] }],
    ['a new branch', 'git switch -qc topic', { says: ['Switches from main to topic.', 'New branch topic at HASH.'] }],
    [
      'a deleted branch and its lost commit',
      'git branch -qD side',
      { says: ['Deletes the branch side, which was at HASH.'], lost: ['side'] },
    ],
    ['a switch', 'git switch -q side', { says: ['Switches from main to side.'] }],
    ['a detached head', 'git switch -q --detach HEAD', { says: ['Switches from main to commit HASH.'] }],
    ['a tag', `${AS} tag -a v2 -m two`, { says: ['New tag v2 at HASH.'] }],
    ['a merge', `${AS} merge -q side`, { says: ['Moves the branch main from HASH to HASH.'] }],
    ['a merge commit', `${AS} merge -q --no-ff -m merged side`, { commits: [['merged', 'Ada', ['A side.txt']]] }],
    ['a stash', `echo 9 >> a.txt; ${AS} stash -q`, { says: ['Changes are stashed.'] }],
    ['a rebase', `echo m > m.txt; git add .; ${COMMIT} -m m; ${AS} rebase -q side`, { commits: [['m', 'Ada', ['A m.txt']]] }],
    ['nothing for packed refs and garbage collection', 'git pack-refs --all; git gc -q --prune=now', {}],
    ['nothing for a changed setting', 'git config user.name Bob', {}],
  ])('%s', async (_, command, expected) => {
    const change = plain(await told(command))
    expect(change).toEqual({ ...NOTHING, ...expected })
  })

  it('names the commit that an amend or a reset leaves without a branch or tag', async () => {
    const change = plain(await told(`${COMMIT} --amend -m better`, `${HISTORY}; git tag -d v1; git branch -D side`))
    expect(change).toMatchObject({ commits: [['better', 'Ada', ['M a.txt']]], lost: ['two'] })
  })

  it('reports files that are no longer staged', async () => {
    expect(plain(await told('git reset -q', `${HISTORY}; echo 5 > a.txt; git add a.txt`))).toEqual({ ...NOTHING, unstaged: ['M a.txt'] })
  })

  it('says that git is in the middle of a merge', async () => {
    const conflict = `${HISTORY}; git switch -q side; echo other > a.txt; ${COMMIT} -am other; git switch -q main; echo mine > a.txt; ${COMMIT} -am mine`
    expect(plain(await told(`${AS} merge -q side || true`, conflict))).toMatchObject({
      says: ['Git is in the middle of a merge.'],
      commits: [],
    })
  })

  it('reports the first commit of a repository that the command created', async () => {
    const change = plain(await told(`git init -q -b main . && git add . && ${COMMIT} -m first`, ''))
    expect(change).toMatchObject({ commits: [['first', 'Ada', ['A a.txt', 'A b c.txt']]], says: ['New branch main at HASH.'] })
  })

  it('stores the old and new bytes of its files, except large files', async () => {
    const large = 'head -c 600000 /dev/zero > large.bin'
    const change = await told(
      `${large}; echo n > new.txt; echo 3 >> a.txt; git rm -q 'b c.txt'; git add .; ${COMMIT} -m three; echo s > s.txt; git add .`,
    )
    const texts = (files: readonly GitFile[] | null | undefined) =>
      files?.map(({ path, stored: bytes }) => [path, bytes && [bytes.before, bytes.after].map((hash) => hash && stored.get(hash))])
    expect(texts(change?.commits[0]?.files)).toEqual([
      ['a.txt', ['1\n2\n', '1\n2\n3\n']],
      ['b c.txt', ['b\n', null]],
      ['large.bin', undefined],
      ['new.txt', [null, 'n\n']],
    ])
    expect(texts(change?.staged)).toEqual([['s.txt', [null, 's\n']]])
  })

  it('works with SHA-256', async () => {
    const sha256 = `git init -q --object-format=sha256 -b main . && git add . && ${COMMIT} -m one`
    expect(plain(await told(`echo 3 >> a.txt; ${COMMIT} -am three`, sha256))).toMatchObject({ commits: [['three', 'Ada', ['M a.txt']]] })
  })

  it('is empty if no repository is touched', async () => {
    expect(await told('echo 3 >> a.txt')).toBeNull()
  })

  it('starts no program configured by the repository or the command', async () => {
    const { folder, copies, base } = openCopies({ 'a.txt': '1\n' })
    execFileSync('/bin/bash', ['-c', HISTORY.replace(/&&\s+git switch[\s\S]*$/u, '')], { cwd: folder })
    const mark = join(base, 'ran')
    const program = `touch ${mark}`
    const settings = ['core.fsmonitor', 'core.pager', 'diff.external', 'core.sshCommand', 'gpg.program', 'core.alternateRefsCommand']
    const all = settings.map((name) => `git config ${name} '${program}'`).join(' && ')
    const ended = await copies.run(`${all} && git config log.showSignature true && echo 3 >> a.txt && ${COMMIT} -am three`)
    const change = await ended.gitChange(put)
    await ended.drop()
    expect(change?.commits.map(({ subject }) => subject)).toEqual(['three'])
    expect(existsSync(mark)).toBe(false)
  })
})

describe.skipIf(hasNoCopies)('a repository with its data elsewhere', () => {
  const git = (line: string, cwd: string): string => execFileSync('bash', ['-c', line], { cwd, encoding: 'utf8' })

  /** Creates a repository and a linked worktree of it, both below the home folder, whose folders are hidden in copies. */
  function openWorktree() {
    const { layers } = openCopies()
    const home = ownHome()
    mkdirSync(join(home, 'main'))
    git(`git init -q -b main && ${COMMIT} --allow-empty -m first && git worktree add -q ../tree`, join(home, 'main'))
    const folder = join(home, 'tree')
    const copies = createLocalCommandCopies({ folder, layers })
    onTestFinished(() => copies.cleanup())
    return { home, folder, copies }
  }

  it('can be read in a linked worktree, and a command that writes to it fails, because it is outside the folder', async () => {
    const { home, copies } = openWorktree()
    const read = await copies.run('git log --format=%s; git status --porcelain; ls ../main')
    expect(read.result.stdout).toBe('first\n')
    await read.drop()
    for (const command of [`echo b > b && git add b`, `${COMMIT} --allow-empty -m second`, 'git config user.name Eve', 'git branch x']) {
      const ended = await copies.run(command)
      expect([ended.unfit, ended.isHalf, ended.result.exitCode === 0], command).toEqual([
        expect.stringContaining('outside the folder'),
        true,
        false,
      ])
      await ended.drop()
    }
    expect(git('git log --format=%s --all; git branch', join(home, 'main'))).toBe('first\n* main\n+ tree\n')
  })

  it('is not shown if the project only claims to be its worktree', async () => {
    const { home, folder, copies } = openWorktree()
    mkdirSync(join(home, 'other/.git/worktrees/tree'), { recursive: true })
    git('git init -q && echo secret > .git/secret', join(home, 'other'))
    for (const named of [join(home, 'other/.git'), join(home, 'other/.git/worktrees/tree'), join(home, '.ssh')]) {
      writeFileSync(join(folder, '.git'), `gitdir: ${named}\n`)
      const ended = await copies.run('cat ../other/.git/secret')
      expect(ended.result.stdout).toBe('')
      await ended.drop()
    }
  })

  it('can be changed in a submodule', async () => {
    const { base, copies, folder } = openCopies({ 'a.txt': '1' })
    const sub = `${AS} -c protocol.file.allow=always submodule --quiet add ../lib lib`
    mkdirSync(join(base, 'lib'))
    git(`git init -q -b main && ${COMMIT} --allow-empty -m first; cd ../project; git init -q; ${sub}; ${COMMIT} -am all`, join(base, 'lib'))
    const ended = await copies.run(`cd lib && echo x > b && git add b && ${COMMIT} -m second`)
    expect(await ended.apply()).toEqual({ kind: 'applied' })
    expect(git('git log --format=%s; git status --porcelain; git fsck', join(folder, 'lib'))).toBe('second\nfirst\n')
  })
})

it.each([
  ['.git/objects/ab/cd', true],
  ['.git/index', true],
  ['.git/refs/heads/main', true],
  ['.git', true],
  ['.git/config', false],
  ['.git/hooks/pre-commit', false],
  ['.git/info/attributes', false],
  ['.gitignore', false],
  ['sub/.git/index', false],
])('%s is one of git’s own records: %s', (path, is) => expect(isGitRecord(path)).toBe(is))
