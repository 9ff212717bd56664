import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { calls, say, call } from '../support/scripted-model.ts'
import { answer, beside, broughtIn, changedPaths, request, run } from './support/beside.ts'

describe.skipIf(hasNoCopies)('hard links in the layer of a session', { timeout: 60_000 }, () => {
  it('git clone of a repository in the project says why it fails, and works with the suggested option', async () => {
    const rounds = [run('git clone -q . sub'), run('git clone -q --no-hardlinks . sub && git -C sub log --format=%s')]
    const family = await beside(
      ({ round }) => rounds[round] ?? say('Done.'),
      ({ folder }) => {
        const git = (...args: readonly string[]) =>
          execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: folder })
        git('init', '-q')
        git('add', '.')
        git('commit', '-qm', 'First')
      },
    )
    await family.ask()
    const told = family.model.requests.map(({ body }) => JSON.stringify(body.messages.at(-1)))
    expect(told[1]).toContain('git clone --no-hardlinks')
    expect(told[2]).toMatch(/First.*Exit code: 0/u)
  })

  it('a new hard link becomes a separate file, and a change under one name is brought in for that name only', async () => {
    let store = ''
    const family = await beside(
      ({ round }) =>
        [
          run('ln a.txt again.txt && sed -i 1d again.txt'),
          calls(call('edit_file', { path: 'linked.txt', old_string: 'b', new_string: 'layer' })),
        ][round] ?? say('Done.'),
      // As a package manager links an installed file to its store.
      ({ folder, data }) => {
        store = join(data, 'stored.txt')
        writeFileSync(store, 'b\n')
        linkSync(store, join(folder, 'linked.txt'))
      },
    )
    const { folder } = family
    await family.ask()
    const session = await broughtIn(family)
    expect(changedPaths(await request(session))).toEqual(['again.txt', 'linked.txt'])
    expect([readFileSync(join(folder, 'linked.txt'), 'utf8'), statSync(store).nlink]).toEqual(['b\n', 2])
    await answer(session, { kind: 'sign' })
    expect([readFileSync(join(folder, 'linked.txt'), 'utf8'), readFileSync(store, 'utf8'), statSync(store).nlink]).toEqual([
      'layer\n',
      'b\n',
      1,
    ])
    expect(readFileSync(join(folder, 'a.txt'), 'utf8').split('\n')[0]).toBe('line 1')
  })
})
