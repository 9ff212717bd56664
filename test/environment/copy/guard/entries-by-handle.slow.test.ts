import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { copyEntry, moveEntry, removeEntry } from '../../../../main/environment/copy/guard/entries-by-handle.ts'
import { plant, tempFolder } from '../../support.ts'
import { treeOf } from '../support.ts'

/** Creates a folder `entry` with all kinds of entries, one of them a link to a folder outside. */
function planted(): { readonly base: string; readonly at: string; readonly outside: string } {
  const base = tempFolder()
  const at = join(base, 'entry')
  const outside = join(base, 'outside')
  plant(base, { 'entry/a': '1', 'entry/deep/er/b': '2', 'entry/closed/c': '3', 'outside/kept': 'kept' })
  symlinkSync(outside, join(at, 'link'))
  utimesSync(join(at, 'a'), 1_000, 1_000)
  chmodSync(join(at, 'a'), 0o640)
  chmodSync(join(at, 'closed'), 0)
  return { base, at, outside }
}

/** A path whose name is not UTF-8. */
const withUnreadableName = (folder: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])])

describe.runIf(process.platform === 'linux')('entries in a folder in which a command runs', () => {
  it('are moved with their modes and times, whatever their kind, and links are moved as links', async () => {
    const { base, at, outside } = planted()
    const to = join(base, 'to')
    chmodSync(join(at, 'closed'), 0o700)
    const before = treeOf(at)
    execFileSync('mkfifo', [join(at, 'fifo')])
    writeFileSync(withUnreadableName(at), 'mine')
    chmodSync(join(at, 'closed'), 0)
    await moveEntry(at, to)
    expect([existsSync(at), statSync(join(to, 'a')).mtimeMs, readdirSync(outside)]).toEqual([false, 1_000_000, ['kept']])
    expect(readFileSync(withUnreadableName(to), 'utf8')).toBe('mine')
    unlinkSync(withUnreadableName(to))
    chmodSync(join(to, 'closed'), 0o700)
    expect(treeOf(to)).toEqual(before)
  })

  it('are copied with their modes and times', async () => {
    const { base, at } = planted()
    chmodSync(join(at, 'closed'), 0o700)
    const to = join(base, 'to')
    await copyEntry(at, to)
    expect([treeOf(to), statSync(join(to, 'a')).mtimeMs]).toEqual([treeOf(at), 1_000_000])
  })

  it('an entry is not moved if its new path is already taken', async () => {
    const { at, base } = planted()
    plant(base, { 'full/deep': 'a file is in the way' })
    await expect(moveEntry(join(at, 'deep'), join(base, 'full', 'deep'))).rejects.toThrow('EEXIST')
    expect(existsSync(join(at, 'deep', 'er', 'b'))).toBe(true)
  })

  it('are removed without following links', async () => {
    const { base, at, outside } = planted()
    await removeEntry(at)
    await removeEntry(at)
    expect([readdirSync(base), readdirSync(outside)]).toEqual([['outside'], ['kept']])
  })

  it('are never confused with entries outside the folder, even if the command keeps swapping a folder and a link', async () => {
    const base = tempFolder()
    const at = join(base, 'entry')
    const outside = join(base, 'outside')
    const tree = join(base, 'tree')
    for (const name of NAMES) plant(base, { [`outside/${name}`]: 'kept', [`tree/${name}.new`]: '1', [`tree/deep/${name}`]: '2' })
    const command = spawn('python3', ['-c', EXCHANGE, at, outside, ...NAMES], { stdio: 'ignore' })
    onTestFinished(() => void command.kill('SIGKILL'))
    const swapped = () => expect.poll(() => existsSync(join(at, 'l')), { interval: 1 }).toBe(true)
    const tried = (work: Promise<void>) => work.catch(() => {})
    for (let round = 0; round < 20; round++) {
      mkdirSync(at, { recursive: true })
      await tried(copyEntry(tree, join(at, 'd')))
      await swapped()
      await tried(moveEntry(at, join(base, `to-${round}`)))
      mkdirSync(at, { recursive: true })
      await swapped()
      await tried(removeEntry(at))
    }
    expect(readdirSync(outside).toSorted()).toEqual(NAMES)
  }, 60_000)
})

/** The files in the swapped folder. The folder outside has files with the same names, so that a wrong path would find a file there. */
const NAMES = Array.from({ length: 10 }, (_, at) => `kept-${at}`)

/** Exchanges the folder `d` and the link `l`, which leads outside, as fast as the system can. It never writes through the link. */
const EXCHANGE = `
import ctypes, os, sys
system = ctypes.CDLL(None)
at, outside, *names = sys.argv[1:]
folder, link = (os.path.join(at, name) for name in "dl")
while True:
    try:
        if os.path.islink(folder): os.unlink(folder)
        os.makedirs(folder, exist_ok=True)
        for name in names: open(os.path.join(folder, name), "w").close()
        if not os.path.lexists(link): os.symlink(outside, link)
    except OSError: pass
    for _ in range(2000):
        if system.renameat2(-100, folder.encode(), -100, link.encode(), 2) != 0: break
`
