import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isControlFile } from '../../../../main/approval/control-files.ts'
import { createControlFileListing } from '../../../../main/environment/copy/guard/control-file-listing.ts'
import { plant, tempFolder } from '../../support.ts'

/** Creates a project that was listed once. `judged` returns how many names were judged since then. */
async function listedOnce() {
  const folder = tempFolder()
  execFileSync('git', ['init', '-q'], { cwd: folder })
  plant(folder, {
    '.gitignore': 'dist\n',
    'AGENTS.md': 'a',
    'src/deep/package.json': '{}',
    'src/plain.ts': '',
    'dist/AGENTS.md': 'built',
    'node_modules/p/package.json': '{}',
    'other/plain.ts': '',
  })
  let judged = 0
  const isControl = (path: string): boolean => {
    judged++
    return isControlFile(path.split('/'))
  }
  const list = createControlFileListing(folder, isControl)
  await oldEnough(folder)
  const first = await list()
  judged = 0
  const fresh = createControlFileListing(folder, (path) => isControlFile(path.split('/')))
  return { folder, list, fresh, first, judged: () => judged }
}

/**
 * Waits until the last change of the folder is older than one clock tick. A second change within the same tick would not show in the
 * folder's time, so listings reread folders that have just changed.
 */
async function oldEnough(folder: string): Promise<void> {
  const folders = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  const paths = [folder, ...folders.map(({ parentPath, name }) => join(parentPath, name))]
  await expect.poll(() => Date.now() - Math.max(...paths.map((path) => lstatSync(path).ctimeMs)), { interval: 5 }).toBeGreaterThan(20)
}

/** Root may read every folder. If the tests run as root, the folder is given to another user, and `work` runs as that user. */
async function asOrdinaryUser<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  execFileSync('chown', ['-R', '65534', folder])
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

describe('a second listing of a folder’s control files', () => {
  it('does not read unchanged folders again', async () => {
    const { first, list, judged } = await listedOnce()
    expect(first.paths.toSorted()).toEqual(['.git', 'AGENTS.md', 'src/deep/package.json'])
    expect([(await list()).paths.toSorted(), (await first.later()).toSorted(), judged()]).toEqual([
      first.paths.toSorted(),
      first.paths.toSorted(),
      0,
    ])
  })

  it.each<[string, (folder: string) => void, readonly string[]]>([
    ['a new file', (at) => plant(at, { 'src/deep/AGENTS.md': 'x' }), ['src/deep/AGENTS.md']],
    [
      'a new file in a folder whose times are reset',
      (at) => {
        const { atime, mtime } = lstatSync(join(at, 'other'))
        plant(at, { 'other/.mcp.json': '{}' })
        utimesSync(join(at, 'other'), atime, mtime)
      },
      ['other/.mcp.json'],
    ],
    [
      'a folder in the place of another folder',
      (at) => {
        plant(at, { 'new/CLAUDE.md': 'x' })
        rmSync(join(at, 'other'), { recursive: true })
        renameSync(join(at, 'new'), join(at, 'other'))
      },
      ['other/CLAUDE.md'],
    ],
    ['a folder that has moved', (at) => renameSync(join(at, 'src/deep'), join(at, 'moved')), ['moved/package.json']],
    [
      'a file in place of a folder, and a link',
      (at) => {
        rmSync(join(at, 'other'), { recursive: true })
        writeFileSync(join(at, 'other'), '')
        symlinkSync('AGENTS.md', join(at, 'src/CLAUDE.md'))
      },
      ['src/CLAUDE.md'],
    ],
    [
      'a folder that was removed and recreated',
      (at) => {
        rmSync(join(at, 'src/deep'), { recursive: true })
        mkdirSync(join(at, 'src/deep'))
        plant(at, { 'src/deep/.env': '' })
      },
      ['src/deep/.env'],
    ],
  ])('finds %s', async (_, change, added) => {
    const { folder, first, list, fresh } = await listedOnce()
    change(folder)
    const expected = (await fresh()).paths.toSorted()
    expect(expected).toEqual(expect.arrayContaining([...added]))
    expect((await first.later()).toSorted()).toEqual(expected)
    expect((await list()).paths.toSorted()).toEqual(expected)
  })

  it.each([
    ['read', 0o311],
    ['search', 0o600],
  ])('finds a new file in a folder that its owner may no longer %s', async (_, mode) => {
    const { folder, first } = await listedOnce()
    plant(folder, { 'other/inner/.mcp.json': '{}' })
    chmodSync(join(folder, 'other'), mode)
    chmodSync(folder, 0o311)
    const found = await asOrdinaryUser(folder, first.later)
    expect(found).toContain('other/inner/.mcp.json')
  })

  it.each<[string, (folder: string) => void]>([
    ['by a change to their file', (at) => writeFileSync(join(at, '.gitignore'), 'other\n')],
    ['by the deletion of their file', (at) => unlinkSync(join(at, '.gitignore'))],
    ['by a new file of rules', (at) => plant(at, { 'src/.gitignore': 'deep\n' })],
    ['in .git/info/exclude', (at) => writeFileSync(join(at, '.git/info/exclude'), 'src\n')],
  ])('follows ignore rules that have changed %s, but the earlier listing does not', async (_, change) => {
    const { folder, first, list, fresh } = await listedOnce()
    change(folder)
    const now = (await fresh()).paths.toSorted()
    expect((await list()).paths.toSorted()).toEqual(now)
    expect(now).not.toEqual(first.paths.toSorted())
    expect((await first.later()).toSorted()).toEqual(first.paths.toSorted())
  })
})
