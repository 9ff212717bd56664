import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, existsSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { branchNow } from '../../main/compose/session-places/session-branch.ts'
import { takeOver } from '../../main/layers/take-over.ts'
import { fetchedHead, fetchedWork } from '../../main/places/clone/changed-files.ts'
import { fetchTree } from '../../main/places/clone/fetch-tree.ts'
import { takeSnapshot } from '../../main/places/clone/take-snapshot.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import type { Family } from '../subagents/support/family.ts'
import { removeFolder } from '../support/remove-folder.ts'
import { beside, once, TEXT, text } from './support/beside.ts'

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=U', '-c', 'user.email=u@x', ...args], { cwd: folder, encoding: 'utf8' }).trim()

const repository = ({ folder }: { readonly folder: string }): void => {
  git(folder, 'init', '-qb', 'main')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'First')
}

const AS_AGENT = 'git -c user.name=Agent -c user.email=a@x'

const made = async ({ app, parent }: Family, name: string) => {
  const branch = await branchNow(app, parent.sessionId, name)
  return branch.ok ? branch.value : branch.failure
}

describe.skipIf(hasNoCopies)('a branch with the work of a session beside the folder', { timeout: 60_000 }, () => {
  it('has the commits of the layer and one commit with the rest, and changes nothing else in the repository', async () => {
    const work = [`sed -i '2s/.*/changed/' a.txt`, `${AS_AGENT} commit -qam Second`, 'rm b.txt', 'echo new > c.txt'].join(' && ')
    const family = await beside(once(work), repository)
    const { folder } = family
    const before = [git(folder, 'rev-parse', 'HEAD'), git(folder, 'for-each-ref'), git(folder, 'status', '--porcelain')]
    await family.ask('Do it')
    expect(await made(family, 'work')).toMatchObject({ name: 'work', commits: 2 })
    expect(git(folder, 'log', '--format=%s %an', 'main..work').split('\n').at(-1)).toBe('Second Agent')
    expect(git(folder, 'diff', '--name-status', 'main', 'work').split('\n')).toEqual(['M\ta.txt', 'D\tb.txt', 'A\tc.txt'])
    expect(git(folder, 'diff', '--name-only', 'main', 'work~')).toBe('a.txt')
    git(folder, 'update-ref', '-d', 'refs/heads/work')
    expect([git(folder, 'rev-parse', 'HEAD'), git(folder, 'for-each-ref'), git(folder, 'status', '--porcelain')]).toEqual(before)
    expect(text(family, 'a.txt')).toBe(TEXT)
  })

  it('is not created if the name is taken or there is no work', async () => {
    const family = await beside(once('true'), repository)
    await family.ask()
    expect(await made(family, 'main')).toMatchObject({ code: 'branch_exists' })
    expect(await made(family, 'work')).toMatchObject({ code: 'branch_not_made' })
  })

  it('does not revert later changes in the folder: these must be taken over first', async () => {
    const family = await beside(once(`sed -i '2s/.*/changed/' a.txt`), repository)
    const { app, folder, parent } = family
    await family.ask()
    appendFileSync(join(folder, 'a.txt'), 'by the user\n')
    expect(await made(family, 'work')).toMatchObject({ code: 'folder_moved' })
    expect(await takeOver(app, parent.sessionId)).toMatchObject({ ok: true })
    expect(await made(family, 'work')).toMatchObject({ name: 'work' })
    expect(git(folder, 'show', 'work:a.txt')).toBe(`${TEXT.replace('line 2', 'changed')}by the user`)
  })

  it('is not created if a turn begins while the work is being read', async () => {
    const family = await beside(once('echo more >> c.txt'), repository)
    await family.ask()
    const [branch] = await Promise.all([made(family, 'work'), family.ask('Again')])
    expect(branch).toMatchObject({ code: 'still_working' })
    expect(git(family.folder, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    expect(await made(family, 'work')).toMatchObject({ name: 'work' })
  })

  it('is not created for a folder without a repository', async () => {
    const family = await beside(once('echo new > c.txt'))
    await family.ask()
    expect(await made(family, 'work')).toMatchObject({
      code: 'branch_not_made',
      what: expect.stringContaining('no git repository of its own'),
    })
  })
})

describe('work in a clone of the folder on this computer', () => {
  it('is fetched without running a filter, a hook or another program that its repository names', async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'fetch-tree-')))
    onTestFinished(() => removeFolder(base))
    const [folder, tree, kept] = ['folder', 'tree', 'kept'].map((name) => join(base, name)) as [string, string, string]
    execFileSync('mkdir', [folder])
    writeFileSync(join(folder, 'a.txt'), TEXT)
    git(folder, 'init', '-q', 'module')
    writeFileSync(join(folder, 'module', 'm.txt'), 'm\n')
    repository({ folder: join(folder, 'module') })
    git(folder, 'init', '-qb', 'main')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'First')
    cpSync(folder, tree, { recursive: true })
    writeFileSync(join(tree, 'b.txt'), 'b\n')
    git(tree, 'add', '-A')
    git(tree, 'commit', '-qm', 'Second')
    const program = join(tree, 'program')
    writeFileSync(program, `#!/bin/sh\ntouch ${base}/ran\ncat\n`)
    chmodSync(program, 0o755)
    writeFileSync(join(tree, '.gitattributes'), '* filter=own\n')
    for (const key of ['filter.own.clean', 'core.fsmonitor', 'uploadpack.packObjectsHook', 'core.sshCommand', 'core.alternateRefsCommand'])
      git(tree, 'config', key, program)
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout']) cpSync(program, join(tree, '.git/hooks', hook))
    const module = join(tree, 'module')
    writeFileSync(join(module, '.gitattributes'), '* filter=own\n')
    git(module, 'config', 'filter.own.clean', program)
    writeFileSync(join(module, 'm.txt'), 'n\n')
    const { head } = await takeSnapshot(folder, kept)
    await fetchTree(tree, kept, head)
    expect(existsSync(join(base, 'ran'))).toBe(false)
    const ours = join(kept, 'repository')
    expect(await fetchedHead(kept)).toBe(git(tree, 'rev-parse', 'HEAD'))
    expect(git(ours, 'ls-tree', '--name-only', (await fetchedWork(kept)) ?? '').split('\n')).toEqual([
      '.gitattributes',
      'a.txt',
      'b.txt',
      'module',
      'program',
    ])
  })

  it('is not fetched from a repository that cannot be read, and git says why', async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'fetch-tree-')))
    onTestFinished(() => removeFolder(base))
    const [folder, tree, kept] = ['folder', 'tree', 'kept'].map((name) => join(base, name)) as [string, string, string]
    execFileSync('mkdir', [folder])
    writeFileSync(join(folder, 'a.txt'), TEXT)
    repository({ folder })
    cpSync(folder, tree, { recursive: true })
    const { head } = await takeSnapshot(folder, kept)
    writeFileSync(join(tree, '.git/HEAD'), 'damaged')
    await expect(fetchTree(tree, kept, head)).rejects.toThrow(/EGIT.*ls-remote/u)
  })
})
