import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { shownText } from '../../main/api/changes.ts'
import { gitHandlers } from '../../main/api/folder/git.ts'
import { publishHandlers } from '../../main/api/folder/publish.ts'
import type { SessionPlaces } from '../../main/api/session-places.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { push } from '../../main/review/publish/push.ts'
import { createWorkspaces } from '../../main/workspace/workspaces.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const sessionId = SessionId.parse('ses_1')
const context = { signal: new AbortController().signal } as never

/** A repository with one commit, a changed file and a remote. Each program that its configuration names leaves the file `ran`. */
function repository(hostile: boolean) {
  const base = temporaryFolder('publish')
  const folder = join(base, 'project')
  const remote = join(base, 'remote')
  const ran = join(base, 'ran')
  execFileSync('git', ['init', '--quiet', '--bare', remote])
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder])
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  for (const [name, value] of Object.entries({ 'user.name': 'Test', 'user.email': 'test@example.com', 'commit.gpgsign': 'false' }))
    git('config', name, value)
  git('remote', 'add', 'origin', remote)
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'first')
  writeFileSync(join(folder, 'a.txt'), 'two\n')
  if (hostile) {
    for (const hook of ['pre-commit', 'pre-push']) {
      writeFileSync(join(folder, '.git', 'hooks', hook), `#!/bin/sh\necho ${hook} >> '${ran}'\n`)
      chmodSync(join(folder, '.git', 'hooks', hook), 0o755)
    }
    git('config', 'filter.spy.clean', `sh -c "echo clean >> '${ran}'; cat"`)
    git('config', 'diff.spy.textconv', `sh -c "echo textconv >> '${ran}'; cat" --`)
    git('config', 'log.showSignature', 'true')
    writeFileSync(join(folder, '.git', 'info', 'attributes'), '* filter=spy diff=spy\n')
  }
  return { folder, remote, ran, git }
}

/** A place that works in the tree itself, as a layer does where nothing confines programs in it. */
function placesOf(folder: string, isLayer: boolean): SessionPlaces {
  const workspaces = createWorkspaces({
    createEnvironment: createLocalExecutionEnvironment,
    home: tmpdir(),
    ownFolders: [],
  })
  return {
    async openPlace() {
      const opened = await workspaces.open(folder)
      return opened.ok ? { ok: true, value: { ...opened.value, isLayer } } : opened
    },
  }
}

const handlersOf = (folder: string, isLayer: boolean) => {
  const places = placesOf(folder, isLayer)
  const ask = () => Promise.resolve({ text: 'A subject' })
  const session = { title: 'Two', config: { provider: 'anthropic', model: 'm', baseUrl: null } } as never
  return {
    ...gitHandlers({ ...places, asText: shownText }),
    ...publishHandlers({ ...places, ask: ask as never, sessionOf: () => session }),
  }
}

describe.skipIf(process.platform === 'win32')('publishing from a layer that confines no programs', () => {
  it('runs nothing that the agent could have written there, says so, and leaves index, commits and remote alone', async () => {
    const { folder, remote, ran, git } = repository(true)
    const { stage, commit, stageAll, push: pushHere, open, pullRequest, failedLines } = handlersOf(folder, true)
    const refused = { ok: false, trouble: { code: 'bring_in_first' } }
    expect(await stage({ sessionId, side: 'unstaged', path: 'a.txt', chosen: null }, context)).toMatchObject(refused)
    expect(await stageAll({ sessionId }, context)).toMatchObject(refused)
    expect(await commit({ sessionId, message: 'Second' }, context)).toMatchObject(refused)
    expect(await pushHere({ sessionId }, context)).toMatchObject(refused)
    expect(await open({ sessionId, title: 'Two', description: '' }, context)).toMatchObject(refused)
    expect(await failedLines({ sessionId, id: '1' }, context)).toMatchObject(refused)
    expect(await pullRequest({ sessionId }, context)).toMatchObject({ kind: 'failed', trouble: { code: 'bring_in_first' } })
    expect(existsSync(ran)).toBe(false)
    expect([
      git('diff', '--cached', '--name-only'),
      git('log', '--format=%s'),
      execFileSync('git', ['branch'], { cwd: remote, encoding: 'utf8' }),
    ]).toEqual(['', 'first\n', ''])
  })

  it('still reads: the status, and a draft of what is staged', async () => {
    const { folder, ran, git } = repository(false)
    git('add', '--all')
    git('config', 'diff.spy.textconv', `sh -c "echo textconv >> '${ran}'" --`)
    writeFileSync(join(folder, '.git', 'info', 'attributes'), '* diff=spy\n')
    const { status, draft } = handlersOf(folder, true)
    expect(await status({ sessionId }, context)).toMatchObject({ kind: 'repository', staged: [{ path: 'a.txt' }] })
    expect(await draft({ sessionId, of: 'commit' }, context)).toEqual({ ok: true, text: 'A subject' })
    expect(existsSync(ran)).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')('a push', () => {
  it.each(['--mirror', '+main', 'main'])('pushes the branch %s as a branch of that name, and touches no other', async (branch) => {
    const { folder, remote, git } = repository(false)
    git('push', '--quiet', 'origin', 'main:kept')
    git('update-ref', `refs/heads/${branch}`, 'HEAD')
    git('symbolic-ref', 'HEAD', `refs/heads/${branch}`)
    const env = createLocalExecutionEnvironment(folder)
    onTestFinished(() => env.cleanup())
    expect(await push({ env, hasOwnVariables: true })).toEqual({ ok: true, value: null })
    const refs = execFileSync('git', ['for-each-ref', '--format=%(refname)'], { cwd: remote, encoding: 'utf8' })
    expect(refs.trim().split('\n').toSorted()).toEqual([`refs/heads/${branch}`, 'refs/heads/kept'].toSorted())
  })
})
