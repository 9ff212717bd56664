import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { BlobHash } from '../../../shared/lib/ids.ts'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { removeHeldTrees } from '../../../main/environment/copy/copies-left-behind.ts'
import { PROCESS_SPACE } from '../../../main/environment/temporary-folder.ts'
import { hasNoCopies, openCopies } from './support.ts'

const IGNORED = { '.gitignore': 'node_modules/\nbuild/\n', 'a.txt': 'a\n' }
/** A command that installs packages with 300 files, a program and a link. */
const INSTALL = `mkdir -p node_modules/p/bin && for n in {1..300}; do echo $n > node_modules/p/$n.js; done
printf '#!/bin/sh\\necho ran' > node_modules/p/bin/run; chmod 755 node_modules/p/bin/run; ln -s p/bin/run node_modules/run; echo '{}' > node_modules/p/package.json`

const isControl = (path: string): boolean => /(?:^|\/)(?:AGENTS\.md|package\.json)$/u.test(path)

function opened(files: Readonly<Record<string, string>> = IGNORED) {
  const { folder, layers } = openCopies(files)
  const copies = createLocalCommandCopies({ folder, layers, isControl })
  const blobs = new Map<string, Uint8Array>()
  const put = (bytes: Uint8Array): BlobHash => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    blobs.set(hash, bytes)
    return BlobHash.parse(hash)
  }
  ends.push(() => copies.cleanup())
  return { folder, layers, copies, put, bytesOf: (hash: string) => blobs.get(hash) ?? new Uint8Array() }
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const kinds = (changes: readonly { readonly path: string; readonly kind: string; readonly after?: { readonly kind: string } }[]) =>
  changes.map(({ path, kind, after }) => `${kind} ${path} ${after?.kind ?? ''}`.trim())

describe.skipIf(hasNoCopies)('a new folder that git ignores', () => {
  it('is a single change that is kept as a folder, not as stored bytes, and can be moved into place after the copy is gone', async () => {
    const { folder, layers, copies, put, bytesOf } = opened()
    const ended = await copies.run(`${INSTALL}; echo b > b.txt`)
    expect(kinds(ended.changeSet.changes)).toEqual(['created b.txt file', 'created node_modules tree'])
    expect(ended.changeSet.changes[1]).toMatchObject({ after: { files: 303, mode: expect.any(Number) } })
    const kept = await copies.parseKept(JSON.stringify(await ended.keep(put)))
    await ended.drop()
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
    const later = createLocalCommandCopies({ folder, layers, isControl })
    expect(await later.apply(kept, bytesOf)).toEqual({ kind: 'applied' })
    expect(readdirSync(join(folder, 'node_modules/p'))).toHaveLength(302)
    expect(readFileSync(join(folder, 'node_modules/p/300.js'), 'utf8')).toBe('300\n')
    expect(lstatSync(join(folder, 'node_modules/p/bin/run')).mode & 0o777).toBe(0o755)
    expect(readlinkSync(join(folder, 'node_modules/run'))).toBe('p/bin/run')
    expect(readdirSync(layers)).toEqual([])
  })

  it('is copied to another file system with its modes and times, and is removed there if the changes cannot be applied', async ({
    skip,
  }) => {
    const layers = mkdtempSync('/dev/shm/copies-')
    ends.push(() => rm(layers, { recursive: true, force: true }))
    const { folder } = openCopies(IGNORED)
    if (statSync(layers).dev === statSync(folder).dev) return skip('/dev/shm is not another file system')
    const copies = createLocalCommandCopies({ folder, layers, isControl })
    ends.unshift(() => copies.cleanup())
    // A copied file cannot keep exactly this modification time, because the last digits are lost.
    const refused = await copies.run(`${INSTALL}; touch -d 2024-05-06T07:08:09.123456789 node_modules/p/*; echo z > z.txt`)
    writeFileSync(join(folder, 'z.txt'), 'mine')
    expect(await refused.apply()).toMatchObject({ kind: 'refused', path: 'z.txt' })
    expect(readdirSync(folder)).toEqual(['.gitignore', 'a.txt', 'z.txt'])
    const applied = await copies.run(`${INSTALL}; touch -d 2001-01-01 node_modules/p/1.js`)
    expect(kinds(applied.changeSet.changes)).toEqual(['created node_modules tree'])
    expect(await applied.apply()).toEqual({ kind: 'applied' })
    expect(readdirSync(folder)).toEqual(['.gitignore', 'a.txt', 'node_modules', 'z.txt'])
    const installed = (name: string) => lstatSync(join(folder, 'node_modules', name))
    expect([installed('p/bin/run').mode & 0o777, installed('p/1.js').mtime.getFullYear()]).toEqual([0o755, 2001])
    expect(readlinkSync(join(folder, 'node_modules/run'))).toBe('p/bin/run')
  })

  it('can contain more files than a user could review', async () => {
    const { folder, copies, put, bytesOf } = opened()
    const ended = await copies.run('mkdir node_modules && cd node_modules && mkdir {1..250} && touch {1..250}/{1..100}', {
      timeoutMs: 120_000,
    })
    expect(ended.result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ended.changeSet).toMatchObject({ obstacles: [], changes: [{ after: { kind: 'tree', files: 25_000 } }] })
    const kept = await ended.keep(put)
    await ended.drop()
    expect(await copies.apply(kept, bytesOf)).toEqual({ kind: 'applied' })
    expect(readdirSync(join(folder, 'node_modules'))).toHaveLength(250)
  }, 180_000)

  it('is removed if it is refused', async () => {
    const { folder, layers, copies, put } = opened()
    const ended = await copies.run(INSTALL)
    const kept = await ended.keep(put)
    await ended.drop()
    expect(readdirSync(layers)).toHaveLength(1)
    await copies.release(kept)
    expect([readdirSync(layers), existsSync(join(folder, 'node_modules'))]).toEqual([[], false])
  })

  it('can be applied without being stored', async () => {
    const { folder, copies } = opened()
    const ended = await copies.run(INSTALL)
    expect(await ended.apply()).toEqual({ kind: 'applied' })
    expect(readdirSync(join(folder, 'node_modules/p'))).toHaveLength(302)
  })

  it('is found in a subfolder of the project, and inside an existing ignored folder', async () => {
    const { copies, folder } = opened({ ...IGNORED, 'sub/x.txt': 'x\n', 'node_modules/old/a.js': 'a\n' })
    mkdirSync(join(folder, 'build'))
    const ended = await copies.run(
      `cd sub; ${INSTALL}; mv node_modules/p ../node_modules/new; rm -r node_modules; mkdir ../build/o; touch ../build/o/{1..250}`,
    )
    expect(kinds(ended.changeSet.changes)).toEqual(['created build/o tree', 'created node_modules/new tree'])
    await ended.drop()
  })

  it.each([
    ['is not ignored', 'mkdir lib && touch lib/{1..300}', 'created lib/1 file'],
    ['is ignored only by rules that the command wrote', 'mkdir lib && touch lib/{1..300}; echo lib/ >> .gitignore', 'created lib/1 file'],
    ['is small', 'mkdir build && touch build/{1..20}', 'created build/1 file'],
    ['contains a control file', 'mkdir build && touch build/{1..300} build/AGENTS.md', 'created build/AGENTS.md file'],
    ['contains a set-user-id program', 'mkdir build && touch build/{1..300}; chmod 4755 build/7', 'created build/7 file'],
    ['contains a named pipe', 'mkdir build && touch build/{1..300}; mkfifo build/pipe', 'created build/1 file'],
    ['is not writable', 'mkdir build && touch build/{1..300}; chmod 555 build', 'created build/1 file'],
    ['is in .git', 'git init -q . && mkdir -p .git/x && touch .git/x/{1..300}', 'created .git/x/1 file'],
  ])('is not summarized if it %s: its files are listed', async (_, command, shown) => {
    const { copies } = opened()
    const ended = await copies.run(command)
    expect(kinds(ended.changeSet.changes)).toContain(shown)
    expect(kinds(ended.changeSet.changes).filter((kind) => kind.endsWith('tree'))).toEqual([])
    await ended.drop()
  })

  it('does not replace files that were created before it was signed', async () => {
    const { folder, copies, put, bytesOf } = opened()
    const ended = await copies.run(`${INSTALL}; echo b > b.txt`)
    const kept = await ended.keep(put)
    await ended.drop()
    mkdirSync(join(folder, 'node_modules'))
    writeFileSync(join(folder, 'node_modules/mine.js'), 'mine')
    expect(await copies.apply(kept, bytesOf)).toMatchObject({ kind: 'refused', path: 'node_modules' })
    expect([readdirSync(folder).toSorted(), readdirSync(join(folder, 'node_modules'))]).toEqual([
      ['.gitignore', 'a.txt', 'node_modules'],
      ['mine.js'],
    ])
  })

  it('is reverted if a change to another file by the same command cannot be applied', async () => {
    const { folder, copies, put, bytesOf } = opened()
    const ended = await copies.run(`${INSTALL}; echo two >> a.txt`)
    const kept = await ended.keep(put)
    await ended.drop()
    writeFileSync(join(folder, 'a.txt'), 'mine')
    expect(await copies.apply(kept, bytesOf)).toMatchObject({ kind: 'refused', path: 'a.txt' })
    expect(readdirSync(folder).toSorted()).toEqual(['.gitignore', 'a.txt'])
  })

  it('is refused if its stored files have changed', async () => {
    const { folder, layers, copies, put, bytesOf } = opened()
    const ended = await copies.run(INSTALL)
    const kept = await ended.keep(put)
    await ended.drop()
    const [held = ''] = readdirSync(layers)
    writeFileSync(join(layers, held, '0', 'p', 'evil.js'), 'evil')
    await expect(copies.apply(kept, bytesOf)).rejects.toThrow('the stored tree does not match the change set')
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
  })

  it('survives restarts as long as its request is open', async () => {
    const { layers } = opened()
    const dead = (name: string) => `held-4194303.${PROCESS_SPACE}-${name}`
    mkdirSync(join(layers, dead('aaaaaaaaaaaa'), '0'), { recursive: true })
    mkdirSync(join(layers, dead('bbbbbbbbbbbb'), '0'), { recursive: true })
    await removeHeldTrees(layers, () => Promise.resolve([JSON.stringify({ held: `${dead('aaaaaaaaaaaa')}/0` })]))
    expect(readdirSync(layers)).toEqual([dead('aaaaaaaaaaaa')])
  })
})
