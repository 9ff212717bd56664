import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FoundChanges } from '../../../main/agent/ports/folder-comparison.ts'
import { type ComparisonOptions, createFolderComparison } from '../../../main/environment/comparison/folder-comparison.ts'
import { readFolder } from '../../../main/environment/comparison/read-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('comparison')
  for (const [name, text] of Object.entries(files)) put(folder, name, text)
  return folder
}

function put(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
}

const text = (file: FoundChanges['changes'][number]['before']): string | null => file && Buffer.from(file.bytes).toString()
const shown = ({ changes }: FoundChanges): readonly unknown[] => changes.map(({ path, before, after }) => [path, text(before), text(after)])

const NOTHING = { files: 0, ms: 0, totalBytes: 0 }

describe.each([
  ['a small folder, in this thread', { files: 5000, ms: 10_000, totalBytes: 64 * 1024 ** 2 }],
  ['a large folder, in its own thread', NOTHING],
])('%s', (_name, small) => {
  function compare(folder: string, options: ComparisonOptions = {}) {
    const comparison = createFolderComparison(folder, { small, ...options })
    onTestFinished(() => comparison.dispose())
    return comparison
  }

  it('finds exactly the created, changed and deleted files and links, with the bytes before and after', async () => {
    const folder = folderWith({ 'a.txt': 'a', 'b/c.txt': 'c', 'b/same.txt': 'same', gone: 'gone', 'run.sh': 'exit' })
    chmodSync(join(folder, 'run.sh'), 0o644)
    const run = await compare(folder).begin()
    put(folder, 'a.txt', 'A')
    put(folder, 'b/c.txt', 'longer')
    put(folder, 'new/deep/file', 'new')
    rmSync(join(folder, 'gone'))
    chmodSync(join(folder, 'run.sh'), 0o755)
    utimesSync(join(folder, 'b/same.txt'), 1, 1)
    symlinkSync('a.txt', join(folder, 'link'))
    const found = await run.end()
    expect(shown(found)).toEqual([
      ['a.txt', 'a', 'A'],
      ['b/c.txt', 'c', 'longer'],
      ['gone', 'gone', null],
      ['link', null, 'a.txt'],
      ['new/deep/file', null, 'new'],
      ['run.sh', 'exit', 'exit'],
    ])
    expect(found.changes.at(-1)).toMatchObject({ before: { mode: 0o644 }, after: { mode: 0o755 } })
    expect(found.folders).toEqual(['new', 'new/deep'].map((path) => ({ path, before: null, after: expect.any(Number) })))
    expect(found.leftOut).toEqual([])
  })

  it('reads a file again if the file system stores whole seconds, and the file may have changed twice within one', () => {
    const folder = folderWith({ a: 'new' })
    const parts = { folder, budget: { files: 1, ms: 10_000, fileBytes: 10, totalBytes: 10 } }
    const file = readFolder(parts, new Map()).files.get('a')
    if (!file) throw new Error('The file was not read.')
    const bytesAfter = (changedAt: number) =>
      readFolder(parts, new Map([['a', { ...file, changedAt, bytes: Buffer.from('old') }]]))
        .files.get('a')
        ?.bytes?.toString()
    const second = Math.floor((Date.now() - 500) / 1_000) * 1_000
    expect([bytesAfter(second), bytesAfter(second - 10_000), bytesAfter(second + 1)]).toEqual(['new', 'old', 'old'])
  })

  it('finds changes that keep the file’s size, both within one clock tick and with the modification time set back', async () => {
    const folder = folderWith({ 'a.txt': 'one', 'b.txt': 'one' })
    const comparison = compare(folder)
    await (await comparison.begin()).end()
    for (const [was, is] of [
      ['one', 'two'],
      ['two', 'six'],
      ['six', 'ten'],
    ] as const) {
      const run = await comparison.begin()
      put(folder, 'a.txt', is)
      put(folder, 'b.txt', is)
      utimesSync(join(folder, 'b.txt'), 1, 1)
      expect(shown(await run.end())).toEqual([
        ['a.txt', was, is],
        ['b.txt', was, is],
      ])
    }
  })

  it('a renamed folder is found at both paths, although its files keep their times', async () => {
    const folder = folderWith({ 'old/a.txt': 'a' })
    utimesSync(join(folder, 'old/a.txt'), 1, 1)
    const run = await compare(folder).begin()
    renameSync(join(folder, 'old'), join(folder, 'new'))
    expect(shown(await run.end())).toEqual([
      ['new/a.txt', null, 'a'],
      ['old/a.txt', 'a', null],
    ])
  })

  it('leaves out ignored files and .git, and does not report a file as new only because it is no longer ignored', async () => {
    const folder = folderWith({ '.gitignore': 'dist/\n*.log\n', 'dist/x.js': 'x', 'a.log': 'log' })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    for (const path of ['dist/x.js', 'a.log']) utimesSync(join(folder, path), 1, 1)
    await new Promise((resolve) => setTimeout(resolve, 60))
    const run = await compare(folder).begin()
    put(folder, 'dist/x.js', 'y')
    put(folder, '.git/config', 'changed')
    put(folder, '.gitignore', 'dist/\n')
    put(folder, 'kept.txt', 'kept')
    expect(shown(await run.end())).toEqual([
      ['.gitignore', 'dist/\n*.log\n', 'dist/\n'],
      ['kept.txt', null, 'kept'],
    ])
  })

  it('a file that existed is never reported as new, even if it changes after it is no longer ignored', async () => {
    const folder = folderWith({ '.gitignore': '*.log\ndist/\n', 'a.log': 'log', 'dist/x.js': 'x' })
    const run = await compare(folder).begin()
    put(folder, '.gitignore', '')
    put(folder, 'a.log', 'log and more')
    put(folder, 'dist/x.js', 'y')
    put(folder, 'dist/new.js', 'new')
    put(folder, 'fresh/new.js', 'new')
    const found = await run.end()
    expect(shown(found)).toEqual([
      ['.gitignore', '*.log\ndist/\n', ''],
      ['fresh/new.js', null, 'new'],
    ])
    expect(found.folders.map(({ path }) => path)).toEqual(['fresh'])
  })

  it('a file that was moved from a place without stored bytes is named, and not reported as new', async () => {
    const folder = folderWith({ '.gitignore': 'secret\n', secret: 'mine', a: 'a', 'z-large': 'x'.repeat(20), 'z-copied': 'y'.repeat(30) })
    const bad = Buffer.concat([Buffer.from(`${folder}/bad-`), Buffer.from([0xff])])
    writeFileSync(bad, 'bad')
    await new Promise((resolve) => setTimeout(resolve, 60))
    const run = await compare(folder, { budget: { files: 10, ms: 10_000, fileBytes: 50, totalBytes: 19 } }).begin()
    for (const [from, to] of [
      ['secret', 'b-secret'],
      ['a', 'b-a'],
      ['z-large', 'b-large'],
    ] as const)
      renameSync(join(folder, from), join(folder, to))
    renameSync(bad, join(folder, 'b-bad'))
    copyFileSync(join(folder, 'z-copied'), join(folder, 'b-copied'))
    rmSync(join(folder, 'z-copied'))
    const found = await run.end()
    expect(shown(found)).toEqual([
      ['a', 'a', null],
      ['b-a', null, 'a'],
    ])
    expect(found.leftOut).toContain(
      'Moved here from a place that was not compared, so an undo does not change it: b-bad, b-copied, b-large, b-secret.',
    )
  })

  it('lists deleted files before created ones if there are too many, so that an undo of a move loses no file', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `${index}`)
    const folder = folderWith(Object.fromEntries(names.map((name) => [`old/${name}`, name])))
    const run = await compare(folder).begin()
    renameSync(join(folder, 'old'), join(folder, 'new'))
    const { changes, leftOut } = await run.end()
    expect(changes.filter(({ after }) => after === null)).toHaveLength(600)
    expect(changes).toHaveLength(1000)
    expect(leftOut).toEqual(['200 more changed files are not listed.'])
  })

  it('lists the files that its budget left out, but does not report them as new', async () => {
    const folder = folderWith({ 'a.txt': 'a', 'b.txt': 'b', 'c/d.txt': 'd', 'c/e.txt': 'e', 'c/f.txt': 'f' })
    const run = await compare(folder, { budget: { files: 3, ms: 10_000, fileBytes: 10, totalBytes: 1000 } }).begin()
    rmSync(join(folder, 'b.txt'))
    put(folder, 'a.txt', 'changed')
    const found = await run.end()
    expect(shown(found)).toEqual([
      ['a.txt', 'a', 'changed'],
      ['b.txt', 'b', null],
    ])
    expect(found.leftOut).toEqual(['The folder has more than 3 files; the remaining files were not compared.'])
  })

  it('reports a changed file that was too large to be kept', async () => {
    const folder = folderWith({ 'big.bin': 'x'.repeat(20), 'same.bin': 'y'.repeat(20) })
    const run = await compare(folder, { budget: { files: 10, ms: 10_000, fileBytes: 10, totalBytes: 1000 } }).begin()
    put(folder, 'big.bin', 'z'.repeat(20))
    expect(await run.end()).toMatchObject({ changes: [], leftOut: ['Changed, but too large to be kept for comparison: big.bin.'] })
  })

  it('a folder deleted during the comparison gives a result, not an exception', async () => {
    const folder = folderWith({ 'a.txt': 'a' })
    const run = await compare(folder).begin()
    rmSync(folder, { recursive: true })
    expect(shown(await run.end())).toEqual([['a.txt', 'a', null]])
  })

  it('finds the changes of a long command even if other commands in the same folder end before it', async () => {
    const folder = folderWith({ 'a.txt': 'one' })
    const comparison = compare(folder)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const long = await comparison.begin()
    const short = await comparison.begin()
    const dropped = await comparison.begin()
    await short.end()
    dropped.drop()
    vi.advanceTimersByTime(3_600_000)
    put(folder, 'a.txt', 'two')
    const found = await long.end()
    expect([shown(found), found.leftOut]).toEqual([[['a.txt', 'one', 'two']], []])
  })

  it('does not compare Countersign’s own data, even through a link to it', async () => {
    const folder = folderWith({ 'a.txt': 'a', 'own/store.db': '1', 'own.txt': 'o' })
    const link = join(folderWith({}), 'link')
    symlinkSync(join(folder, 'own'), link)
    const comparison = compare(folder, { ownFolders: [link, join(folder, 'missing'), tmpdir()] })
    onTestFinished(() => comparison.dispose())
    const run = await comparison.begin()
    for (const name of ['a.txt', 'own/store.db', 'own/blobs/new', 'own.txt']) put(folder, name, 'changed')
    const found = await run.end()
    expect(found.changes.map(({ path }) => path)).toEqual(['a.txt', 'own.txt'])
    expect(found.folders).toEqual([])
  })

  it('does not compare the home folder or a folder that contains it, and reports the reason', async () => {
    for (const folder of [homedir(), '/']) {
      const comparison = compare(folder)
      const found = await (await comparison.begin()).end()
      expect(found).toEqual({
        changes: [],
        folders: [],
        files: 0,
        leftOut: ['The folder was not compared: it is your home folder, or contains it.'],
      })
      comparison.dispose()
    }
  })

  it('compares with the folder before the command, not with the reading that prepared it', async () => {
    const folder = folderWith({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    const comparison = compare(folder)
    comparison.prepare()
    put(folder, 'a.txt', 'A')
    rmSync(join(folder, 'b.txt'))
    const run = await comparison.begin()
    put(folder, 'c.txt', 'C')
    expect(shown(await run.end())).toEqual([['c.txt', 'c', 'C']])
  })
})

it('a comparison that is closed before it ends reports that the folder was not compared', async () => {
  const comparison = createFolderComparison(folderWith({ 'a.txt': 'a' }), { small: NOTHING })
  const run = await comparison.begin()
  const ended = run.end()
  comparison.dispose()
  expect((await ended).leftOut).toEqual([expect.stringContaining('not compared')])
})

it('a folder that a command makes large is compared with what it was while it was small', async () => {
  const folder = folderWith({ 'a.txt': 'a', 'same.txt': 'same' })
  const comparison = createFolderComparison(folder, { small: { files: 2, ms: 10_000, totalBytes: 1000 } })
  onTestFinished(() => comparison.dispose())
  const run = await comparison.begin()
  put(folder, 'a.txt', 'A')
  put(folder, 'b.txt', 'b')
  expect(shown(await run.end())).toEqual([
    ['a.txt', 'a', 'A'],
    ['b.txt', null, 'b'],
  ])
  const next = await comparison.begin()
  put(folder, 'b.txt', 'B')
  expect(shown(await next.end())).toEqual([['b.txt', 'b', 'B']])
})
