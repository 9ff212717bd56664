import { spawn } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHomeChanges } from '../../../main/environment/copy/shared-copy-folders.ts'
import { PROCESS_SPACE } from '../../../main/environment/temporary-folder.ts'
import { hasNoCopies, openCopies, ownHome, processesWith, treeOf } from './support.ts'

/**
 * Returns the folders in which this process keeps what commands wrote under home. Other test files in the same process may have left some
 * of them.
 */
const kept = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`countersign-home-${process.pid}.${PROCESS_SPACE}-`))

/** Runs the second command while the first one, which holds the home folder, is at its `waits`. */
async function beside({ run }: ReturnType<typeof openCopies>['copies'], first: string, second: string) {
  const ending = run(first.replace('waits', 'sleep 4793'))
  await expect.poll(() => processesWith('sleep\u00004793').length).toBeGreaterThan(0)
  const ended = await run(second)
  for (const pid of processesWith('sleep\u00004793')) process.kill(Number(pid))
  return [await ending, ended] as const
}

describe.skipIf(hasNoCopies)('what commands write under home', () => {
  it('is visible only to later commands of the session, and is removed with the session', async () => {
    const home = ownHome()
    const before = treeOf(home)
    const others = kept()
    const { copies } = openCopies()
    const run = async (command: string): Promise<string> => {
      const ended = await copies.run(command)
      await ended.drop()
      return ended.result.stdout + ended.result.stderr
    }
    expect(await run('mkdir -p ~/.cache/tool; echo 1 > ~/.cache/tool/f; echo x > ~/.gone')).toBe('')
    expect(await run('cat ~/.cache/tool/f; rm ~/.gone; chmod 0 ~/.cache/tool; ls -A ~')).toBe('1\n.cache\n')
    expect(await run('ls -A ~')).toBe('.cache\n')
    expect([treeOf(home), kept().length]).toEqual([before, others.length + 1])
    await copies.cleanup()
    expect([treeOf(home), kept()]).toEqual([before, others])
  })

  it('if two commands run at the same time, the changes of only one are kept', async () => {
    ownHome()
    const { copies } = openCopies()
    const both = await beside(copies, 'echo a > ~/.a; waits; ls -A ~', 'echo b > ~/.b; ls -A ~')
    expect(both.map(({ result }) => result.stdout)).toEqual(['.a\n', '.b\n'])
    for (const copy of both) await copy.drop()
    // The order of the two commands is not known here.
    expect(['.a\n', '.b\n']).toContain((await copies.run('ls -A ~')).result.stdout)
  })

  it('is kept although a copy in between could not be made', async () => {
    ownHome()
    const { copies, layers } = openCopies()
    const run = async (command: string): Promise<string> => {
      const ended = await copies.run(command)
      await ended.drop()
      return ended.result.stdout
    }
    await run('echo 1 > ~/.a')
    renameSync(layers, `${layers}-aside`)
    writeFileSync(layers, 'a file in place of the folder')
    await expect(run('true')).rejects.toThrow(/EEXIST|ENOTDIR/)
    rmSync(layers)
    renameSync(`${layers}-aside`, layers)
    expect(await run('cat ~/.a')).toBe('1\n')
  })

  it('is mentioned once, after the command that wrote it', async () => {
    ownHome()
    const { copies } = openCopies()
    const notes = []
    for (const command of ['echo 1 > ~/.a; echo 2 > ~/.b', 'true', 'cp -p ~/.a ~/.c; touch -d 2001-01-01 ~/.c']) {
      const ended = await copies.run(command)
      notes.push(ended.notes)
      await ended.drop()
    }
    expect(notes).toEqual([
      ["2 changes under the home folder are kept for this session's commands only."],
      [],
      ["One change under the home folder is kept for this session's commands only."],
    ])
  })

  it('is reported as lost if it is not kept', async () => {
    ownHome()
    const { copies } = openCopies()
    const [, second] = await beside(copies, 'waits', 'echo b > ~/.b')
    expect(second.notes).toEqual(['One change under the home folder was discarded with the copy.'])
  })

  it('a running command ends if the app is killed', async () => {
    ownHome()
    const { folder, layers, base } = openCopies()
    const file = join(base, 'script.ts')
    writeFileSync(
      file,
      `import { createLocalCommandCopies } from ${JSON.stringify(new URL('../../../main/environment/copy/local-command-copies.ts', import.meta.url).href)}
       const copies = createLocalCommandCopies({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(layers)} })
       await copies.run('setsid nohup sleep 4791 & echo started; sleep 4792', { timeoutMs: 60000, onOutput: ({ text }) => console.log(text) })`,
    )
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = new Promise((resolve) => child.once('close', resolve))
    await new Promise<void>((resolve) => child.stdout.on('data', (bytes: Buffer) => bytes.includes('started') && resolve()))
    child.kill('SIGKILL')
    await closed
    await expect.poll(() => processesWith('sleep\x00479')).toEqual([])
  })

  it('cannot be reached from a copy at its real path', async () => {
    ownHome()
    const others = kept()
    const { copies } = openCopies()
    await (await copies.run('echo x > ~/.a')).drop()
    const name = kept().find((one) => !others.includes(one)) ?? ''
    expect(existsSync(join(tmpdir(), name, 'up', '.a'))).toBe(true)
    expect((await copies.run(`ls ${join(tmpdir(), name)}`)).result.stderr).toContain('No such file')
  })
})

it('changes under home that were given back cannot be given up while another command has them', async () => {
  const home = ownHome()
  const changes = createHomeChanges()
  onTestFinished(() => changes.remove())
  const first = await changes.take(home, '/project')
  first?.giveBack()
  expect(await changes.take(home, '/project')).not.toBeNull()
  first?.giveUp()
  expect(await changes.take(home, '/project')).toBeNull()
})
