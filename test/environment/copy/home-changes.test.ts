import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROCESS_SPACE } from '../../../main/environment/temporary-folder.ts'
import { hasNoCopies, openCopies, ownHome, treeOf } from './support.ts'

const kept = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`countersign-home-${process.pid}.${PROCESS_SPACE}-`))

describe.skipIf(hasNoCopies)('what commands write below home', () => {
  it('is there for the next command of the session, never for the person, and goes with the session', async () => {
    const home = ownHome()
    const before = treeOf(home)
    const { copies } = openCopies()
    const run = async (command: string): Promise<string> => {
      const ended = await copies.run(command)
      await ended.drop()
      return ended.result.stdout + ended.result.stderr
    }
    expect(await run('mkdir -p ~/.cache/tool; echo 1 > ~/.cache/tool/f; echo x > ~/.gone')).toBe('')
    expect(await run('cat ~/.cache/tool/f; rm ~/.gone; chmod 0 ~/.cache/tool; ls -A ~')).toBe('1\n.cache\n')
    expect(await run('ls -A ~')).toBe('.cache\n')
    expect([treeOf(home), kept()]).toEqual([before, [expect.any(String)]])
    await copies.cleanup()
    expect([treeOf(home), kept()]).toEqual([before, []])
  })

  it('of two commands at the same time is kept of the first only', async () => {
    ownHome()
    const { copies } = openCopies()
    const both = await Promise.all([copies.run('echo a > ~/.a; sleep 0.5; ls -A ~'), copies.run('echo b > ~/.b; ls -A ~')])
    expect(both.map(({ result }) => result.stdout)).toEqual(['.a\n', '.b\n'])
    for (const copy of both) await copy.drop()
    expect((await copies.run('ls -A ~')).result.stdout).toBe('.a\n')
  })

  it('cannot be reached by its real path', async () => {
    ownHome()
    const { copies } = openCopies()
    await (await copies.run('echo x > ~/.a')).drop()
    const [name = ''] = kept()
    expect(existsSync(join(tmpdir(), name, 'up', '.a'))).toBe(true)
    expect((await copies.run(`ls ${join(tmpdir(), name)}`)).result.stderr).toContain('No such file')
  })
})
