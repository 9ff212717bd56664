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
import { removeHeldTrees } from '../../../main/environment/copy/copies-left-behind.ts'
import { recoverCopies } from '../../../main/environment/copy/apply-journal.ts'
import { takeStep, undoStep } from '../../../main/environment/copy/apply/apply-steps.ts'
import { startTimeOf } from '../../../main/environment/process/find-processes.ts'
import { PROCESS_SPACE } from '../../../main/environment/temporary-folder.ts'
import { tempFolder } from '../support.ts'
import { hasNoCopies, openCopies, treeOf } from './support.ts'

/** Saves like many editors: writes a new file and renames it over the old one. */
function saveByRename(path: string, bytes: string): void {
  writeFileSync(`${path}.swap`, bytes)
  renameSync(`${path}.swap`, path)
}

describe.skipIf(hasNoCopies)('what a user does while a command runs in its copy', () => {
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
    ['creates a file where the command created a file', 'new', (folder: string) => writeFileSync(join(folder, 'new'), 'mine')],
    ['writes into a folder that the command removed', 'gone', (folder: string) => writeFileSync(join(folder, 'gone', 'mine'), 'mine')],
    ['creates a folder where the command created a folder', 'made', (folder: string) => mkdirSync(join(folder, 'made'))],
    [
      'creates a folder where a later change creates a folder',
      'a',
      (folder: string) => {
        mkdirSync(join(folder, 'made'))
        saveByRename(join(folder, 'a'), 'mine')
      },
    ],
    ['changes a file that the command removed', 'gone/x', (folder: string) => writeFileSync(join(folder, 'gone', 'x'), 'mine')],
    [
      'puts a link in place of a folder',
      'sub/x',
      (folder: string) => {
        renameSync(join(folder, 'sub'), join(folder, '..', 'sub'))
        symlinkSync(join(folder, '..', 'sub'), join(folder, 'sub'))
      },
    ],
  ])('also prevents all changes from being applied if it happens before the signature: %s', async (_name, path, act) => {
    const { copies, folder, base } = openCopies({ a: 'old', b: 'old', 'gone/x': '1', 'sub/x': '1' })
    const ended = await copies.run('echo 2 > a; echo 2 > b; echo 2 > new; rm -r gone; echo 2 > sub/x; mkdir made')
    expect(ended.changeSet.obstacles).toEqual([])
    act(folder)
    const elsewhere = (): object => (existsSync(join(base, 'sub')) ? treeOf(join(base, 'sub')) : {})
    const mine = [treeOf(folder), elsewhere()]
    expect(await ended.apply()).toMatchObject({ kind: 'refused', path })
    expect([treeOf(folder), elsewhere()]).toEqual(mine)
  })

  it('applying changes never loses anyone’s bytes, even while a user saves continuously', async () => {
    const { copies, folder } = openCopies({ a: 'old' })
    let applied = 0
    for (let round = 0; round < 8; round++) {
      const ended = await copies.run(`echo command ${round} > a`)
      const saver = spawn('bash', ['-c', 'for i in {1..60}; do echo "person $i" > .a.swap; mv .a.swap a; done; cat a'], { cwd: folder })
      await delay(round * 8)
      const outcome = await ended.apply()
      await new Promise((resolve) => saver.once('close', resolve))
      // The user saved last, so the user's text must be in the file in every case.
      expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('person 60\n')
      if (outcome.kind === 'applied') applied += 1
      await delay(20)
    }
    expect(applied).toBeLessThanOrEqual(8)
    expect(readdirSync(folder)).toEqual(['a'])
  })
})

describe.skipIf(hasNoCopies)('kill -9', () => {
  it.each([
    ['a copy', 'const apply = () => ended.apply()'],
    [
      'a kept change set',
      `const blobs = new Map()
        const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex')
        const kept = await ended.keep((bytes) => { blobs.set(hashOf(bytes), bytes); return hashOf(bytes) })
        await ended.drop()
        const apply = () => copies.apply(kept, (hash) => blobs.get(hash))`,
    ],
  ])(
    'while %s is applied: the next launch finishes or undoes all of it',
    async (_name, prepare) => {
      const { folder, layers, base } = openCopies()
      const seen = { old: 0, new: 0 }
      for (let round = 0; round < 14; round++) {
        rmSync(folder, { recursive: true, force: true })
        mkdirSync(join(folder, 'old'), { recursive: true })
        for (let index = 0; index < 60; index++) writeFileSync(join(folder, index % 2 ? `f${index}` : `old/f${index}`), 'old')
        writeFileSync(join(folder, '.gitignore'), 'node_modules/')
        const before = treeOf(folder)
        await delay(10)
        const script = `
        import { createHash } from 'node:crypto'
        import { createLocalCommandCopies } from ${JSON.stringify(new URL('../../../main/environment/copy/local-command-copies.ts', import.meta.url).href)}
        const copies = createLocalCommandCopies({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(layers)} })
        const ended = await copies.run('rm -r old; mkdir new node_modules; touch node_modules/{1..250}; for i in {1..59..2}; do echo new > f$i; echo new > new/f$i; done')
        ${prepare}
        console.log('ready')
        const outcome = await apply()
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
        // The kills are spread from the first staged file to the last created folder.
        if (round < 13) await delay(round * 15)
        else await closed
        child.kill('SIGKILL')
        await closed
        expect(await recoverCopies(layers)).toEqual([])
        await removeHeldTrees(layers, () => Promise.resolve([]))
        const after = treeOf(folder)
        const isOld = JSON.stringify(after) === JSON.stringify(before)
        if (!isOld) expect([Object.keys(after).length, new Set(Object.values(after)).size, after['old']]).toEqual([313, 4, undefined])
        seen[isOld ? 'old' : 'new'] += 1
        expect(readdirSync(layers)).toEqual([])
      }
      expect(seen.old).toBeGreaterThan(0)
      expect(seen.new).toBeGreaterThan(0)
    },
    120_000,
  )

  it('while a command runs: no process is left, and the next launch removes the copy', async () => {
    const { folder, layers, base } = openCopies({ a: '1' })
    const file = join(base, 'script.ts')
    writeFileSync(
      file,
      `import { createLocalCommandCopies } from ${JSON.stringify(new URL('../../../main/environment/copy/local-command-copies.ts', import.meta.url).href)}
       const copies = createLocalCommandCopies({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(layers)} })
       await copies.run('echo 2 > a; setsid nohup sleep 4781 & echo started; sleep 4782', { timeoutMs: 60000, onOutput: ({ text }) => console.log(text) })`,
    )
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise<void>((resolve) => child.stdout.on('data', (bytes: Buffer) => bytes.includes('started') && resolve()))
    expect(readdirSync(layers)).toHaveLength(1)
    expect(await recoverCopies(layers)).toEqual([])
    expect(readdirSync(layers)).toHaveLength(1)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
    await expect.poll(() => execFileSync('bash', ['-c', 'pgrep -f "sleep 478[12]" | wc -l'], { encoding: 'utf8' }).trim()).toBe('0')
    await recoverCopies(layers)
    expect(readdirSync(layers)).toEqual([])
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('1')
    expect(existsSync(join(folder, 'nohup.out'))).toBe(false)
  })
})

/** Creates a layer as a process that died during an apply would leave it. `owner`: that process. */
function leaveLayer(layers: string, journal: string, owner = `4194304.${PROCESS_SPACE}`): string {
  const layer = join(layers, `copy-${owner}-0123456789ab`)
  mkdirSync(join(layer, 'staged'), { recursive: true })
  writeFileSync(join(layer, 'journal'), journal)
  writeFileSync(join(layer, 'staged', 'old-0'), 'the original')
  return layer
}

/** A step that removes the file `a`. The file was set aside as `old-0`. */
const REMOVAL = {
  kind: 'remove',
  path: 'a',
  aside: 'old-0',
  before: { kind: 'file', mode: 0o644, size: 12, hash: '0'.repeat(64), mtimeMs: 0, inode: '1:1' },
}

describe('what a killed process was applying', () => {
  const recovered = async (owner: string) => {
    const layers = tempFolder()
    const folder = tempFolder()
    const layer = join(layers, `copy-${owner}-0123456789ab`)
    const journal = { folder, staging: join(layer, 'staged'), isDone: false, steps: [REMOVAL] }
    leaveLayer(layers, JSON.stringify(journal), owner)
    expect(await recoverCopies(layers)).toEqual([])
    return existsSync(join(folder, 'a'))
  }

  it('is undone even if another process now has that process’s pid, but not while the process itself is still running', async () => {
    const { ppid } = process
    const start = startTimeOf(ppid) ?? ''
    expect(start).not.toBe('')
    const restored = [await recovered(`${ppid}.${PROCESS_SPACE}.1`), await recovered(`${ppid}.${PROCESS_SPACE}.${start}`)]
    expect(restored).toEqual([true, false])
  })

  it('a step never leaves a git lock without the token that identifies it', async () => {
    const staging = tempFolder()
    const folder = tempFolder()
    mkdirSync(join(folder, '.git'))
    const step = { kind: 'lock', path: '.git/index.lock', token: 'token' } as const
    await expect(takeStep({ folder, staging: join(staging, 'missing') }, step)).rejects.toThrow()
    expect(readdirSync(join(folder, '.git'))).toEqual([])
    await takeStep({ folder, staging }, step)
    expect(readFileSync(join(folder, '.git', 'index.lock'), 'utf8')).toBe('token')
    await undoStep({ folder, staging }, step)
    expect(readdirSync(join(folder, '.git'))).toEqual([])
  })
})

describe('a recovery that fails', () => {
  it.each([
    ['is not JSON', '{"folder":', 'JSON'],
    ['has an unknown step', '{"folder":"/x","staging":"/y","isDone":false,"steps":[{"kind":"explode","path":"a"}]}', 'steps[0]'],
  ])('because the journal %s is reported, and the files moved aside are kept', async (_name, journal, words) => {
    const layers = tempFolder()
    const layer = leaveLayer(layers, journal)
    symlinkSync('/the/project', join(layer, 'low'))
    const trouble = { code: 'command-journal-unreadable', what: expect.stringContaining(words), todo: expect.stringContaining(layer) }
    expect(await recoverCopies(layers)).toMatchObject([{ kind: 'trouble', folder: '/the/project', trouble }])
    expect(readFileSync(join(layer, 'staged', 'old-0'), 'utf8')).toBe('the original')
  })

  const steps = [REMOVAL]

  it('because a file’s place is taken keeps both files, and is completed once the place is free', async () => {
    const layers = tempFolder()
    const folder = tempFolder()
    const staging = join(layers, `copy-4194304.${PROCESS_SPACE}-0123456789ab`, 'staged')
    leaveLayer(layers, JSON.stringify({ folder, staging, isDone: false, steps }))
    writeFileSync(join(folder, 'a'), 'mine')
    expect(await recoverCopies(layers)).toMatchObject([
      { trouble: { what: expect.stringContaining('now exists at a'), todo: expect.stringContaining(staging) } },
    ])
    expect([readFileSync(join(folder, 'a'), 'utf8'), readFileSync(join(staging, 'old-0'), 'utf8')]).toEqual(['mine', 'the original'])
    rmSync(join(folder, 'a'))
    expect(await recoverCopies(layers)).toEqual([])
    expect([readdirSync(layers), readFileSync(join(folder, 'a'), 'utf8')]).toEqual([[], 'the original'])
  })

  it('because the folder is gone keeps the file, and is completed once the folder is back', async () => {
    const layers = tempFolder()
    const folder = tempFolder()
    const staging = join(layers, `copy-4194304.${PROCESS_SPACE}-0123456789ab`, 'staged')
    leaveLayer(layers, JSON.stringify({ folder, staging, isDone: false, steps: [{ ...steps[0], path: 'sub/a' }] }))
    writeFileSync(join(folder, 'sub'), 'mine')
    expect(await recoverCopies(layers)).toMatchObject([{ trouble: { what: expect.stringContaining('now exists at sub/a') } }])
    rmSync(join(folder, 'sub'))
    mkdirSync(join(folder, 'sub'))
    expect(await recoverCopies(layers)).toEqual([])
    expect(readFileSync(join(folder, 'sub', 'a'), 'utf8')).toBe('the original')
  })

  it('is not caused by a folder that was moved aside: the folder is put back, although folders cannot be hard-linked', async () => {
    const layers = tempFolder()
    const folder = tempFolder()
    const staging = join(layers, `copy-4194304.${PROCESS_SPACE}-0123456789ab`, 'staged')
    leaveLayer(layers, JSON.stringify({ folder, staging, isDone: false, steps }))
    rmSync(join(staging, 'old-0'))
    mkdirSync(join(staging, 'old-0'))
    writeFileSync(join(staging, 'old-0', 'mine'), 'mine')
    expect(await recoverCopies(layers)).toEqual([])
    expect(readFileSync(join(folder, 'a', 'mine'), 'utf8')).toBe('mine')
  })

  it('at one step undoes the other steps, and is completed by a later launch', async () => {
    const layers = tempFolder()
    const folder = tempFolder()
    const layer = join(layers, `copy-4194304.${PROCESS_SPACE}-0123456789ab`)
    const some = [
      ...steps,
      // This step cannot be undone, because a folder is in the place of the lock file.
      { kind: 'lock', path: '.git/index.lock', token: 'token' },
    ]
    leaveLayer(layers, JSON.stringify({ folder, staging: join(layer, 'staged'), isDone: false, steps: some }))
    mkdirSync(join(folder, '.git', 'index.lock'), { recursive: true })
    expect(await recoverCopies(layers)).toMatchObject([{ folder, trouble: { code: 'command-half-applied' } }])
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('the original')
    expect(readdirSync(layers)).toHaveLength(1)
    rmSync(join(folder, '.git'), { recursive: true })
    expect(await recoverCopies(layers)).toEqual([])
    expect([readdirSync(layers), readFileSync(join(folder, 'a'), 'utf8')]).toEqual([[], 'the original'])
  })
})
