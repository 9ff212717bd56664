import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recoverCopies } from '../../../main/environment/copy/journal.ts'
import { hasNoCopies, openCopies, treeOf } from './support.ts'

/** As editors save. */
function saveByRename(path: string, bytes: string): void {
  writeFileSync(`${path}.swap`, bytes)
  renameSync(`${path}.swap`, path)
}

describe.skipIf(hasNoCopies)('what a person does while a command runs in its copy', () => {
  it.each([
    ['saves by renaming', (folder: string) => saveByRename(join(folder, 'a'), 'mine')],
    [
      'saves by renaming and keeps the old time',
      (folder: string) => {
        saveByRename(join(folder, 'a'), 'mine')
        utimesSync(join(folder, 'a'), 1_000, 1_000)
      },
    ],
    ['writes in place', (folder: string) => writeFileSync(join(folder, 'a'), 'mine')],
    ['removes it', (folder: string) => unlinkSync(join(folder, 'a'))],
  ])('is never overwritten: %s', async (_name, save) => {
    const { copies, folder } = openCopies({ a: 'old', b: 'old' })
    const running = copies.run('echo theirs > b; echo started; sleep 0.5; echo theirs > a', { onOutput: () => save(folder) })
    const ended = await running
    const mine = treeOf(folder)
    expect(await ended.apply()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('has changed since') })
    expect(treeOf(folder)).toEqual(mine)
  })

  it.each([
    ['changes the file', 'a', (folder: string) => saveByRename(join(folder, 'a'), 'mine')],
    ['makes a file where the command made one', 'new', (folder: string) => writeFileSync(join(folder, 'new'), 'mine')],
    ['writes into a folder that the command removed', 'gone', (folder: string) => writeFileSync(join(folder, 'gone', 'mine'), 'mine')],
    ['changes a file that the command removed', 'gone/x', (folder: string) => writeFileSync(join(folder, 'gone', 'x'), 'mine')],
    [
      'puts a link in the place of a folder',
      'sub/x',
      (folder: string) => {
        renameSync(join(folder, 'sub'), join(folder, '..', 'sub'))
        symlinkSync(join(folder, '..', 'sub'), join(folder, 'sub'))
      },
    ],
  ])('while the change set waits counts too, and nothing at all is applied: %s', async (_name, path, act) => {
    const { copies, folder, base } = openCopies({ a: 'old', b: 'old', 'gone/x': '1', 'sub/x': '1' })
    const ended = await copies.run('echo 2 > a; echo 2 > b; echo 2 > new; rm -r gone; echo 2 > sub/x')
    expect(ended.changeSet.obstacles).toEqual([])
    act(folder)
    const elsewhere = (): object => (existsSync(join(base, 'sub')) ? treeOf(join(base, 'sub')) : {})
    const mine = [treeOf(folder), elsewhere()]
    expect(await ended.apply()).toMatchObject({ kind: 'refused', path })
    expect([treeOf(folder), elsewhere()]).toEqual(mine)
  })

  it('nobody’s bytes are lost beside a person who saves without pause', async () => {
    const { copies, folder } = openCopies({ a: 'old' })
    let applied = 0
    for (let round = 0; round < 8; round++) {
      const ended = await copies.run(`echo command ${round} > a`)
      const saver = spawn('bash', ['-c', 'for i in {1..60}; do echo "person $i" > .a.swap; mv .a.swap a; done; cat a'], { cwd: folder })
      await delay(round * 8)
      const outcome = await ended.apply()
      await new Promise((resolve) => saver.once('close', resolve))
      // The person saved last, whatever happened before.
      expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('person 60\n')
      if (outcome.kind === 'applied') applied += 1
      await delay(20)
    }
    expect(applied).toBeLessThanOrEqual(8)
    expect(readdirSync(folder)).toEqual(['a'])
  })
})

describe.skipIf(hasNoCopies)('kill -9', () => {
  it('while a change set is applied is finished or undone by the next start, all of it', async () => {
    const { folder, layers, base } = openCopies()
    const seen = { old: 0, new: 0 }
    for (let round = 0; round < 14; round++) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(join(folder, 'old'), { recursive: true })
      for (let index = 0; index < 60; index++) writeFileSync(join(folder, index % 2 ? `f${index}` : `old/f${index}`), 'old')
      const before = treeOf(folder)
      await delay(10)
      const script = `
        import { createLocalCommandCopies } from ${JSON.stringify(new URL('../../../main/environment/copy/local-copies.ts', import.meta.url).href)}
        const copies = createLocalCommandCopies({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(layers)} })
        const ended = await copies.run('rm -r old; mkdir new; for i in {1..59..2}; do echo new > f$i; echo new > new/f$i; done')
        console.log('ready')
        const outcome = await ended.apply()
        console.log(outcome.kind)`
      const file = join(base, 'script.ts')
      writeFileSync(file, script)
      const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
      let text = ''
      const ready = Promise.withResolvers<void>()
      child.stdout.on('data', (bytes: Buffer) => {
        text += bytes.toString()
        if (text.includes('ready')) ready.resolve()
      })
      const closed = new Promise((resolve) => child.once('close', resolve))
      await ready.promise
      // From the first file that is staged to the last folder that is made.
      if (round < 13) await delay(round * 15)
      else await closed
      child.kill('SIGKILL')
      await closed
      await recoverCopies(layers)
      const after = treeOf(folder)
      const isOld = JSON.stringify(after) === JSON.stringify(before)
      if (!isOld) expect([Object.keys(after).length, new Set(Object.values(after)).size, after['old']]).toEqual([61, 2, undefined])
      seen[isOld ? 'old' : 'new'] += 1
      expect(readdirSync(layers)).toEqual([])
    }
    expect(seen.old).toBeGreaterThan(0)
    expect(seen.new).toBeGreaterThan(0)
  }, 120_000)

  it('while a command runs leaves no process, and its copy is removed by the next start', async () => {
    const { folder, layers, base } = openCopies({ a: '1' })
    const file = join(base, 'script.ts')
    writeFileSync(
      file,
      `import { createLocalCommandCopies } from ${JSON.stringify(new URL('../../../main/environment/copy/local-copies.ts', import.meta.url).href)}
       const copies = createLocalCommandCopies({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(layers)} })
       await copies.run('echo 2 > a; setsid nohup sleep 4781 & echo started; sleep 4782', { timeoutMs: 60000, onOutput: ({ text }) => console.log(text) })`,
    )
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise<void>((resolve) => child.stdout.on('data', (bytes: Buffer) => bytes.includes('started') && resolve()))
    expect(readdirSync(layers)).toHaveLength(1)
    await recoverCopies(layers)
    expect(readdirSync(layers)).toHaveLength(1)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
    await expect
      .poll(() => execFileSync('bash', ['-c', 'pgrep -f "sleep 478[12]" | wc -l'], { encoding: 'utf8' }).trim(), { timeout: 10_000 })
      .toBe('0')
    await recoverCopies(layers)
    expect(readdirSync(layers)).toEqual([])
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('1')
    expect(existsSync(join(folder, 'nohup.out'))).toBe(false)
  })
})
