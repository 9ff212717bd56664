import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { shownText } from '../../main/api/changes.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { commit, gitStatus, gitTexts, stage } from '../../main/review/git/git-review.ts'
import type { GitSide } from '../../shared/api/changes/git.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`)
const withLines = (change: Readonly<Record<number, string>>): string => LINES.map((line, at) => change[at + 1] ?? line).join('')

/** Creates a real repository with one commit. */
function repository(files: Readonly<Record<string, string>> = { 'a.txt': LINES.join('') }) {
  const folder = temporaryFolder('git')
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.com')
  git('config', 'commit.gpgsign', 'false')
  for (const [path, text] of Object.entries(files)) put(path, text)
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '-m', 'first')
  const env = createLocalExecutionEnvironment(folder)
  onTestFinished(() => env.cleanup())
  return { folder, git, put, env }
}

async function repositoryOf(env: ReturnType<typeof repository>['env']) {
  const status = await gitStatus(env)
  if (status.kind !== 'repository') throw new Error(JSON.stringify(status))
  return status
}

async function textsOf(env: ReturnType<typeof repository>['env'], side: GitSide, path: string) {
  const found = await gitTexts(env, side, path, shownText)
  if (!found.ok) throw new Error(found.failure.what)
  return found.value
}

describe('the state of a repository', () => {
  test('there is no state for a folder without a repository', async () => {
    const folder = temporaryFolder('git')
    expect(await gitStatus(createLocalExecutionEnvironment(folder))).toEqual({ kind: 'none' })
  })

  test('includes the branch, staged and unstaged changes, renames, mode changes and unusual file names', async () => {
    const { env, git, put, folder } = repository({
      'a.txt': LINES.join(''),
      'gone.txt': 'x\n',
      'run.sh': 'echo\n',
      'odd "name" ü.txt': 'x\n',
    })
    put('a.txt', withLines({ 2: 'two\n' }))
    put('new file.txt', 'new\n')
    rmSync(join(folder, 'gone.txt'))
    chmodSync(join(folder, 'run.sh'), 0o755)
    git('add', 'run.sh')
    git('mv', 'odd "name" ü.txt', 'even.txt')
    const status = await repositoryOf(env)
    expect(status).toMatchObject({ branch: 'main', upstream: null, top: folder })
    expect(status.staged).toEqual([
      { path: 'even.txt', from: 'odd "name" ü.txt', change: 'renamed', modes: null },
      { path: 'run.sh', from: null, change: 'mode', modes: ['100644', '100755'] },
    ])
    expect(status.unstaged).toEqual([
      { path: 'a.txt', from: null, change: 'modified', modes: null },
      { path: 'gone.txt', from: null, change: 'deleted', modes: null },
      { path: 'new file.txt', from: null, change: 'untracked', modes: null },
    ])
  })

  test('reading runs no program from the repository’s configuration and leaves the index unchanged', async () => {
    const { env, git, put, folder } = repository()
    const trap = join(folder, '..', `trap-${Date.now()}`)
    onTestFinished(() => rmSync(trap, { force: true }))
    const program = `touch '${trap}'; cat`
    for (const [name, value] of [
      ['core.fsmonitor', `touch '${trap}'`],
      ['filter.bad.clean', program],
      ['filter.bad.smudge', program],
      ['diff.external', program],
      ['diff.bad.textconv', program],
      ['core.pager', program],
    ] as const)
      git('config', name, value)
    put('.gitattributes', '*.txt filter=bad diff=bad\n')
    put('.git/hooks/post-index-change', `#!/bin/sh\ntouch '${trap}'\n`)
    chmodSync(join(folder, '.git/hooks/post-index-change'), 0o755)
    put('a.txt', withLines({ 2: 'two\n' }))
    const before = readFileSync(join(folder, '.git/index'), 'hex')
    const status = await repositoryOf(env)
    expect(status.unstaged.map(({ path }) => path)).toContain('a.txt')
    await textsOf(env, 'unstaged', 'a.txt')
    await textsOf(env, 'staged', 'a.txt')
    expect(existsSync(trap)).toBe(false)
    expect(readFileSync(join(folder, '.git/index'), 'hex')).toBe(before)
  })

  test('a damaged repository is reported with git’s message', async () => {
    const { env, put } = repository()
    put('.git/index', 'no index at all')
    const status = await gitStatus(env)
    expect(status).toMatchObject({ kind: 'failed', trouble: { what: expect.stringContaining('Git says:') as string } })
  })
})

describe('staging', () => {
  const twoHunks = withLines({ 2: 'two\n', 15: 'fifteen\n' })

  test('one of two hunks can be staged and unstaged', async () => {
    const { env, git, put } = repository()
    put('a.txt', twoHunks)
    const { version } = await textsOf(env, 'unstaged', 'a.txt')
    expect(await stage(env, 'unstaged', 'a.txt', { version, lines: [{ before: [14, 15], after: [14, 15] }] })).toMatchObject({ ok: true })
    expect(git('show', ':a.txt')).toBe(withLines({ 15: 'fifteen\n' }))
    expect(git('diff', '--stat', '--cached')).toContain('1 insertion(+), 1 deletion(-)')
    const staged = await textsOf(env, 'staged', 'a.txt')
    const back = { version: staged.version, lines: [{ before: [14, 15], after: [14, 15] }] } as const
    expect(await stage(env, 'staged', 'a.txt', back)).toMatchObject({ ok: true })
    expect(git('diff', '--cached')).toBe('')
    expect(git('diff', '--stat')).toContain('2 insertions(+), 2 deletions(-)')
  })

  test('no part of a file is staged if the file changed since it was shown', async () => {
    const { env, git, put } = repository()
    put('a.txt', twoHunks)
    const { version } = await textsOf(env, 'unstaged', 'a.txt')
    put('a.txt', withLines({ 2: 'zwei\n' }))
    const refused = await stage(env, 'unstaged', 'a.txt', { version, lines: [{ before: [1, 2], after: [1, 2] }] })
    expect(refused).toMatchObject({ ok: false, failure: { code: 'file_changed' } })
    expect(git('diff', '--cached')).toBe('')
  })

  test.each(['new.txt', 'a.txt', 'gone.txt', ':(top)strange*.txt'])(
    '%s can be staged as a whole and then unstaged as a whole',
    async (path) => {
      const { env, git, put, folder } = repository({ 'a.txt': 'a\n', 'gone.txt': 'x\n' })
      if (path === 'gone.txt') rmSync(join(folder, path))
      else put(path, 'other\n')
      expect(await stage(env, 'unstaged', path, null)).toMatchObject({ ok: true })
      expect(git('diff', '--cached', '--name-only').trim()).toContain(path.replace(':(top)', ''))
      expect((await repositoryOf(env)).unstaged).toEqual([])
      expect(await stage(env, 'staged', path, null)).toMatchObject({ ok: true })
      expect(git('diff', '--cached')).toBe('')
    },
  )

  test('a new file can be staged and unstaged before the first commit', async () => {
    const folder = temporaryFolder('git')
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    writeFileSync(join(folder, 'a.txt'), 'a\n')
    const env = createLocalExecutionEnvironment(folder)
    expect(await stage(env, 'unstaged', 'a.txt', null)).toMatchObject({ ok: true })
    expect((await repositoryOf(env)).staged).toMatchObject([{ path: 'a.txt', change: 'added' }])
    expect(await stage(env, 'staged', 'a.txt', null)).toMatchObject({ ok: true })
    expect((await repositoryOf(env)).staged).toEqual([])
  })

  test('line endings that git converts do not count as a change and stay converted in a staged hunk', async () => {
    const { env, git, put } = repository()
    git('config', 'core.autocrlf', 'true')
    put('a.txt', twoHunks.replaceAll('\n', '\r\n'))
    const { after, version } = await textsOf(env, 'unstaged', 'a.txt')
    expect(after).toEqual({ kind: 'text', text: twoHunks })
    await stage(env, 'unstaged', 'a.txt', { version, lines: [{ before: [1, 2], after: [1, 2] }] })
    expect(git('show', ':a.txt')).toBe(withLines({ 2: 'two\n' }))
  })

  test('a file with a git filter is staged completely, through that filter', async () => {
    const { env, git, put } = repository({ '.gitattributes': '*.up filter=up\n', 'a.up': 'A\n' })
    git('config', 'filter.up.clean', 'tr a-z A-Z')
    put('a.up', 'a\nb\n')
    const { wholeOnly, version } = await textsOf(env, 'unstaged', 'a.up')
    expect(wholeOnly).toContain('filter')
    expect(await stage(env, 'unstaged', 'a.up', { version, lines: [{ before: [1, 1], after: [1, 2] }] })).toMatchObject({ ok: true })
    expect(git('show', ':a.up')).toBe('A\nB\n')
  })

  test('staging a hunk does not change the mode of the file', async () => {
    const { env, git, put, folder } = repository({ 'run.sh': 'a\nb\n' })
    chmodSync(join(folder, 'run.sh'), 0o755)
    git('commit', '--quiet', '-am', 'mode')
    put('run.sh', 'A\nb\n')
    const { version } = await textsOf(env, 'unstaged', 'run.sh')
    await stage(env, 'unstaged', 'run.sh', { version, lines: [{ before: [0, 1], after: [0, 1] }] })
    expect(git('ls-files', '--stage')).toMatch(/^100755 /u)
  })

  test('a link is compared by its target, as in git', async () => {
    const { env, git, folder } = repository()
    symlinkSync('a.txt', join(folder, 'link'))
    git('add', 'link')
    git('commit', '--quiet', '-m', 'link')
    rmSync(join(folder, 'link'))
    symlinkSync('b.txt', join(folder, 'link'))
    expect(await textsOf(env, 'unstaged', 'link')).toMatchObject({ before: { text: 'a.txt' }, after: { text: 'b.txt' } })
  })

  test('an index that another git process has locked is reported and left unchanged', async () => {
    const { env, put } = repository()
    put('a.txt', twoHunks)
    put('.git/index.lock', '')
    expect(await stage(env, 'unstaged', 'a.txt', null)).toMatchObject({
      ok: false,
      failure: { what: expect.stringContaining('index.lock') as string },
    })
  })
})

describe('committing', () => {
  test('commits what is staged and nothing else, with the message unchanged', async () => {
    const { env, git, put } = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    put('a.txt', 'A\n')
    put('b.txt', 'B\n')
    git('add', 'a.txt')
    const made = await commit(env, 'Say "A"\n\n- $HOME `x`\n')
    expect(made).toEqual({ ok: true, value: git('rev-parse', '--short', 'HEAD').trim() })
    expect(git('log', '-1', '--format=%B').trim()).toBe('Say "A"\n\n- $HOME `x`')
    expect(git('show', '--name-only', '--format=').trim()).toBe('a.txt')
    expect(git('diff', '--name-only').trim()).toBe('b.txt')
  })

  test('the user’s git hooks run, and a failing hook stops the commit with the hook’s message', async () => {
    const { env, git, put, folder } = repository()
    put('.git/hooks/pre-commit', '#!/bin/sh\necho "lint: a.txt is not formatted" >&2\nexit 1\n')
    chmodSync(join(folder, '.git/hooks/pre-commit'), 0o755)
    put('a.txt', withLines({ 1: 'one\n' }))
    git('add', 'a.txt')
    const head = git('rev-parse', 'HEAD')
    expect(await commit(env, 'no')).toMatchObject({
      ok: false,
      failure: { what: expect.stringContaining('lint: a.txt is not formatted') as string, kept: expect.any(String) as string },
    })
    expect(git('rev-parse', 'HEAD')).toBe(head)
    expect(git('diff', '--cached', '--name-only').trim()).toBe('a.txt')
  })

  test('a commit is signed with GPG if the user’s git configuration requires it', async () => {
    const { env, git, put, folder } = repository()
    const program = join(folder, '.git', 'sign')
    put(
      '.git/sign',
      '#!/bin/sh\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED " >&2\nprintf -- "-----BEGIN PGP SIGNATURE-----\\nmine\\n-----END PGP SIGNATURE-----\\n"\n',
    )
    chmodSync(program, 0o755)
    git('config', 'gpg.program', program)
    git('config', 'user.signingkey', 'me')
    git('config', 'commit.gpgsign', 'true')
    put('a.txt', withLines({ 1: 'one\n' }))
    git('add', 'a.txt')
    expect(await commit(env, 'signed')).toMatchObject({ ok: true })
    expect(git('cat-file', 'commit', 'HEAD')).toContain('mine')
  })

  test('with nothing staged there is no commit', async () => {
    const { env } = repository()
    expect(await commit(env, 'empty')).toMatchObject({ ok: false, failure: { code: 'git_failed' } })
  })
})
