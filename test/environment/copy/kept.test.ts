import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { EndedCopy } from '../../../main/agent/ports/command-copies.ts'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { BlobHash } from '../../../shared/lib/ids.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { hasNoCopies, openCopies, treeOf } from './support.ts'

const hashOf = (bytes: Uint8Array | string): BlobHash => BlobHash.parse(createHash('sha256').update(bytes).digest('hex'))

/** A store that keeps bytes under their hash. */
function openStore() {
  const stored = new Map<BlobHash, Uint8Array>()
  const bytesOf = (hash: BlobHash): Uint8Array => {
    const bytes = stored.get(hash)
    if (!bytes) throw new Error(`There is no blob ${hash}.`)
    return bytes
  }
  const store = (bytes: Uint8Array): BlobHash => {
    stored.set(hashOf(bytes), Uint8Array.from(bytes))
    return hashOf(bytes)
  }
  return { stored, bytesOf, store }
}

/** Keeps the change set as JSON and drops the copy. The returned text is all that is left after a restart. */
async function keepAsText(ended: EndedCopy, store: (bytes: Uint8Array) => BlobHash): Promise<string> {
  const text = JSON.stringify(await ended.keep(store))
  await ended.drop()
  return text
}

describe.skipIf(hasNoCopies)('a change set that is stored as data', () => {
  it('can be applied without the file that replaces a folder, if only deletions in the folder are chosen', async () => {
    const { copies, folder } = openCopies({ 'd/x': '2', 'd/y': '3' })
    const { store, bytesOf } = openStore()
    const text = await keepAsText(await copies.run('rm -r d; echo instead > d'), store)
    expect(await copies.apply(await copies.parseKept(text), bytesOf, ['d/x'])).toEqual({ kind: 'applied' })
    expect(Object.keys(treeOf(folder))).toEqual(['d', 'd/y'])
  })

  it('is applied by another process with the same result as from the copy', async () => {
    const files = { 'm.txt': '1', 'gone/a': '2', 'gone/b/c': '3', 'repl/x': '4', 'kind/f': '5', 'to-folder': '6', same: '7', move: '8' }
    const { copies, folder, layers } = openCopies(files)
    symlinkSync('nowhere', join(folder, 'link'))
    const list = `find . -mindepth 1 -not -path './.git*' -printf '%P %y %m %l\\n' | sort; find . -type f -not -path './.git/*' -exec sha256sum {} + | sort`
    const ended = await copies.run(
      `git init -q -b main && git add -A && git -c user.name=n -c user.email=e@x commit -qm first
       echo 2 >> m.txt; rm -r gone repl kind to-folder; mkdir -p repl/new to-folder/in; echo k > kind; echo i > to-folder/in/f
       chmod 700 m.txt; mkdir ro; echo r > ro/r; chmod 500 ro; ln -sfn elsewhere link; mv move moved; touch -d @1000.5 moved; ${list}`,
    )
    const { store, bytesOf } = openStore()
    const text = await keepAsText(ended, store)
    await copies.cleanup()
    const later = createLocalCommandCopies({ folder, layers })
    expect(await later.apply(await later.parseKept(text), bytesOf)).toEqual({ kind: 'applied' })
    expect(execFileSync('bash', ['-c', list], { cwd: folder, encoding: 'utf8' })).toBe(ended.result.stdout)
    expect(statSync(join(folder, 'moved')).mtimeMs).toBe(1_000_500)
    expect(execFileSync('git', ['log', '--format=%s'], { cwd: folder, encoding: 'utf8' })).toBe('first\n')
  })

  it('stores the new and the replaced bytes, without duplicates', async () => {
    const { copies } = openCopies({ a: 'old a', b: 'old b', c: 'untouched' })
    const { store, stored } = openStore()
    const ended = await copies.run('printf new > a; printf new > n; rm b')
    await ended.keep(store)
    expect([...stored.values()].map((bytes) => Buffer.from(bytes).toString()).toSorted()).toEqual(['new', 'old a', 'old b'])
    await ended.drop()
  })

  it('stores no file contents if it cannot be applied, and applying it is refused with the reason', async () => {
    const { copies, folder } = openCopies({ a: 'old' })
    const { store, stored, bytesOf } = openStore()
    const ended = await copies.run("echo new > a; echo x > $'bad\\xff'")
    const kept = await copies.parseKept(await keepAsText(ended, store))
    expect(stored.size).toBe(0)
    expect(await copies.apply(kept, bytesOf)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('not valid UTF-8') })
    expect(treeOf(folder)).toMatchObject({ a: `file 644 ${hashOf('old')}` })
  })

  it('applies only the chosen paths', async () => {
    const { copies, folder } = openCopies({ a: '1', b: '1' })
    const { store, bytesOf } = openStore()
    const kept = await copies.parseKept(
      await keepAsText(await copies.run('echo 2 > a; echo 2 > b; mkdir n; echo 3 > n/f; echo 3 > n/g'), store),
    )
    expect(await copies.apply(kept, bytesOf, ['b', 'n/f'])).toEqual({ kind: 'applied' })
    expect(Object.keys(treeOf(folder))).toEqual(['a', 'b', 'n', 'n/f'])
    expect([readFileSync(join(folder, 'a'), 'utf8'), readFileSync(join(folder, 'b'), 'utf8')]).toEqual(['1', '2\n'])
  })

  it('applies the text that a user has edited', async () => {
    const { copies, folder } = openCopies({ a: '1' })
    const { store, bytesOf } = openStore()
    const kept = await copies.parseKept(await keepAsText(await copies.run('echo theirs > a'), store))
    const hash = store(Buffer.from('corrected'))
    const changes = kept.changes.map((change) =>
      change.kind === 'modified' && change.after.kind === 'file' ? { ...change, after: { ...change.after, hash, size: 9 } } : change,
    )
    expect(await copies.apply({ ...kept, changes }, bytesOf)).toEqual({ kind: 'applied' })
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('corrected')
  })

  it.each([
    ['changed a file', 'a', (folder: string) => writeFileSync(join(folder, 'a'), 'mine')],
    [
      'saved the same bytes by renaming',
      'a',
      (folder: string) => {
        writeFileSync(join(folder, '.swap'), 'old')
        renameSync(join(folder, '.swap'), join(folder, 'a'))
      },
    ],
    ['created a file in the same place', 'new', (folder: string) => writeFileSync(join(folder, 'new'), 'mine')],
    ['removed a file', 'a', (folder: string) => unlinkSync(join(folder, 'a'))],
    ['changed a file that was to be deleted', 'gone/x', (folder: string) => writeFileSync(join(folder, 'gone', 'x'), 'mine')],
    [
      'put a link in place of a folder',
      'sub/x',
      (folder: string) => {
        renameSync(join(folder, 'sub'), join(folder, '..', 'elsewhere'))
        symlinkSync('../elsewhere', join(folder, 'sub'))
      },
    ],
  ])('is refused completely if a user has meanwhile %s', async (_name, path, act) => {
    const { copies, folder, base } = openCopies({ a: 'old', b: 'old', 'gone/x': '1', 'sub/x': '1' })
    const { store, bytesOf } = openStore()
    const kept = await copies.parseKept(
      await keepAsText(await copies.run('echo 2 > a; echo 2 > b; echo 2 > new; rm -r gone; echo 2 > sub/x'), store),
    )
    act(folder)
    const before = treeOf(base)
    expect(await copies.apply(kept, bytesOf)).toMatchObject({ kind: 'refused', path })
    expect(treeOf(base)).toEqual(before)
  })

  it('reports a file that changes after the command has ended and before its changes are stored', async () => {
    const { copies, folder } = openCopies({ a: 'old' })
    const { store } = openStore()
    const ended = await copies.run('echo new > a')
    writeFileSync(join(folder, 'a'), 'mine')
    expect((await ended.keep(store)).obstacles).toEqual([{ kind: 'changed-meanwhile', path: 'a' }])
  })

  it('is applied even if the folder’s device number has changed since', async () => {
    const { copies, folder } = openCopies({ a: 'old' })
    const { store, bytesOf } = openStore()
    const text = await keepAsText(await copies.run('echo new > a'), store)
    const device = String(statSync(folder).dev)
    const renumbered = await copies.parseKept(text.replaceAll(`"${device}:`, '"4711:').replace(`"device":"${device}"`, '"device":"4711"'))
    expect(renumbered.device).toBe('4711')
    expect(await copies.apply(renumbered, bytesOf)).toEqual({ kind: 'applied' })
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new\n')
  })

  const disk = smallDisk(8)
  afterAll(() => disk?.remove())
  // Only root can mount the small disk.
  it.skipIf(disk === null)('is refused in a read-only folder, with that reason', async () => {
    const folder = disk?.path ?? ''
    const { store, bytesOf } = openStore()
    const copies = createLocalCommandCopies({ folder, layers: openCopies().layers })
    writeFileSync(join(folder, 'a'), 'old')
    execFileSync('mount', ['-o', 'remount,ro', folder])
    const kept = await copies.parseKept(await keepAsText(await copies.run('echo new > a'), store))
    expect(await copies.apply(kept, bytesOf)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('(EROFS)') })
    await copies.cleanup()
  })

  it('changes nothing if a blob is missing', async () => {
    const { copies, folder } = openCopies({ a: '1', b: '1' })
    const { store, stored, bytesOf } = openStore()
    const kept = await copies.parseKept(await keepAsText(await copies.run('echo 2 > a; echo 3 > b'), store))
    stored.delete(hashOf('3\n'))
    const before = treeOf(folder)
    await expect(copies.apply(kept, bytesOf)).rejects.toThrow('There is no blob')
    expect(treeOf(folder)).toEqual(before)
  })

  it('is refused in another folder', async () => {
    const { copies, folder } = openCopies({ a: '1' })
    const { store, bytesOf } = openStore()
    const kept = await copies.parseKept(await keepAsText(await copies.run('echo 2 > a'), store))
    const other = openCopies({ a: '1' })
    expect(await other.copies.apply(kept, bytesOf)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(folder) })
    expect(readFileSync(join(other.folder, 'a'), 'utf8')).toBe('1')
  })

  it.each(['../out', '/etc/passwd', 'a/../../out', 'a//b', '.', ''])('is rejected if it contains the invalid path %j', async (path) => {
    const { copies } = openCopies({ a: '1' })
    const kept = await (await copies.run('echo 2 > n')).keep(openStore().store)
    const forged = { ...kept, changes: kept.changes.map((change) => ({ ...change, path })) }
    expect(await copies.parseKept(JSON.stringify(kept))).toEqual(kept)
    await expect(copies.parseKept(JSON.stringify(forged))).rejects.toThrow(expect.objectContaining({ code: 'EINVAL' }))
  })

  it('is applied completely even if the app cleans up at the same time', async () => {
    const { copies, folder } = openCopies()
    const { store, bytesOf } = openStore()
    mkdirSync(join(folder, 'd'))
    const kept = await copies.parseKept(await keepAsText(await copies.run('for i in {1..60}; do echo $i > d/f$i; done'), store))
    const applying = copies.apply(kept, bytesOf)
    await copies.cleanup()
    expect(await applying).toEqual({ kind: 'applied' })
    expect(Object.keys(treeOf(folder))).toHaveLength(61)
  })
})
