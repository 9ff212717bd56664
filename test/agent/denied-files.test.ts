import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { heard, only, read, resultsOf, rigFor, shell } from './support/scripted-rig.ts'

const rules = [{ answer: 'deny', when: { kind: 'path', pattern: 'secret/**' } }] as const

describe.skipIf(hasNoCopies)('files that a rule denies', { timeout: 60_000 }, () => {
  it.each([
    ['a command that spells the path with a pattern', shell('cat sec*/x; cat a.txt')],
    ['a command that copies all files', shell('tar c . ; cat a.txt')],
    ['read_file', read('secret/x')],
    ['read_file through a link', read('link')],
    ['a command that reads through a link', shell('cat link; cat a.txt')],
    ['grep', call('grep', { pattern: 'TOP|hello' })],
    ['grep in the denied folder', call('grep', { pattern: 'TOP', path: 'secret' })],
    ['git show', shell('git show HEAD:secret/x')],
  ])('are not shown to the agent by %s (X9)', async (_name, asked) => {
    const { rig, provider } = await rigFor([calls(asked), say('Done.')], { inCopies: true, rules, mode: 'auto' })
    await mkdir(join(rig.folder, 'secret'))
    await writeFile(join(rig.folder, 'secret/x'), 'TOP-SECRET\n')
    await writeFile(join(rig.folder, 'a.txt'), 'hello\n')
    await symlink('secret/x', join(rig.folder, 'link'))
    rig.session.submit('go')
    await rig.session.idle()
    expect(only(rig, 'APPROVAL_REQUESTED')).toEqual([])
    const text = JSON.stringify(resultsOf(provider.requests[1]))
    expect(text).not.toContain('TOP-SECRET')
    expect(text).toMatch(/hello|denies|No matches/u)
  })

  it('are not shown by a command that prints the history without naming them, unless the user signs it', async () => {
    const { rig, provider } = await rigFor([calls(shell('git log -p')), say('Done.')], { inCopies: true, rules, mode: 'auto' })
    await mkdir(join(rig.folder, 'secret'))
    await writeFile(join(rig.folder, 'secret/x'), 'TOP-SECRET\n')
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a', ...args], { cwd: rig.folder })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
    rig.session.submit('go')
    await heard(rig.session, 'APPROVAL_REQUESTED')
    expect(provider.requests).toHaveLength(1)
    expect(only(rig, 'APPROVAL_REQUESTED')[0]).toMatchObject({ reason: expect.stringContaining('secret/x') })
  })
})
