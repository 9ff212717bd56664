import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkpoint, checkpointArguments } from '../../driver/program/checkpoint.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Creates `a`, `dir/f`, `private/` (mode 700, empty), `link` (a link to `a`), and `outside/kept`, to which the link `away` leads. */
function project(): string {
  const folder = temporaryFolder('links')
  mkdirSync(join(folder, 'dir'))
  mkdirSync(join(folder, 'private'), { mode: 0o700 })
  writeFileSync(join(folder, 'a'), 'a\n')
  writeFileSync(join(folder, 'dir/f'), 'f\n')
  symlinkSync('a', join(folder, 'link'))
  return folder
}

/** Returns every entry of a folder: mode and bytes of a file, target of a link, mode of a folder. */
function stateOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const mode = (): string => (statSync(path).mode & 0o777).toString(8)
    const state = entry.isSymbolicLink()
      ? `-> ${readlinkSync(path)}`
      : entry.isDirectory()
        ? mode()
        : `${mode()} ${readFileSync(path, 'utf8')}`
    return [path.slice(folder.length + 1), state] as const
  })
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const play = (cwd: string, mode: 'full' | 'ask', ...steps: readonly object[]) =>
  checkpoint(cwd, checkpointArguments.parse({ steps, mode, sandbox: mode === 'full' ? 'off' : 'auto' }), new AbortController().signal)
const copies = existsSync('/usr/bin/bwrap')
const ways = copies ? (['full', 'ask'] as const) : (['full'] as const)

const COMMANDS: readonly (readonly [string, string])[] = [
  [
    'links and empty folders that are created, deleted and changed',
    'rm link; rmdir private; ln -s elsewhere new; mkdir empty; echo 2 > z; ln -s dir/f two',
  ],
  ['a link with another target', 'ln -sfn dir/f link'],
  ['a file that becomes a folder', 'rm a; mkdir a; echo z > a/b'],
  ['a folder that becomes a file', 'rm -r dir; echo file > dir'],
  ['a file that becomes a link, and a link that becomes a file', 'rm a link; ln -s dir/f a; echo own > link'],
  ['a folder that becomes a link to its new location', 'mv dir moved; ln -s moved dir'],
  ['a link that becomes a folder', 'rm link; mkdir link; echo z > link/a'],
  ['nested new folders', 'mkdir -p one/two/three one/empty; echo 1 > one/two/three/f; echo 2 > dir/g'],
  ['modes of a folder and a file', 'chmod 750 dir; chmod 755 a'],
]

for (const mode of ways)
  test.each(COMMANDS)(`in ${mode} mode, an undo and a redo are exact: %s`, async (_, command) => {
    const folder = project()
    const before = stateOf(folder)
    const reference = project()
    execFileSync('sh', ['-c', command], { cwd: reference })
    const after = stateOf(reference)
    const undone = await play(folder, mode, { shell: command }, { restore: 0 })
    expect(undone).toMatchObject({ errors: [], skipped: [] })
    expect(stateOf(folder)).toEqual(before)
    const redone = await play(folder, mode, { shell: command }, { restore: 0 }, { redo: true })
    expect(redone).toMatchObject({ errors: [], skipped: [] })
    expect(stateOf(folder)).toEqual(after)
    if (mode === 'ask') expect(redone.uncovered).toEqual([])
  })

test('files of a deleted read-only folder come back, and the folder is read-only again', async () => {
  const folder = project()
  mkdirSync(join(folder, 'fixed/deep'), { recursive: true })
  for (const path of ['fixed/f', 'fixed/deep/g']) writeFileSync(join(folder, path), 'x\n')
  for (const path of ['fixed/deep', 'fixed']) chmodSync(join(folder, path), 0o555)
  const before = stateOf(folder)
  const remove = { shell: 'chmod -R u+w fixed; rm -r fixed' }
  const run = await play(folder, 'full', remove, { restore: 0 })
  expect(run).toMatchObject({ errors: [], skipped: [] })
  expect(stateOf(folder)).toEqual(before)
  const redone = await play(folder, 'full', remove, { restore: 0 }, { redo: true })
  expect(redone).toMatchObject({ errors: [], skipped: [] })
  expect(existsSync(join(folder, 'fixed'))).toBe(false)
})

test('an undo deletes a folder that an edit tool created, unless the folder contains one of the user’s files', async () => {
  const folder = project()
  const before = stateOf(folder)
  const write = (path: string) => ({ write: { path, content: 'x\n' } })
  const run = await play(
    folder,
    'full',
    write('new/deep/one'),
    write('new/two'),
    write('mine/one'),
    { edit: { path: 'mine/own', content: 'own\n' } },
    { restore: 0 },
  )
  expect(run).toMatchObject({ ok: true, deleted: ['mine/one', 'new/deep/one', 'new/two'] })
  expect(stateOf(folder)).toEqual({ ...before, mine: expect.any(String), 'mine/own': '644 own\n' })
})

test('an undo keeps a folder that replaced a file if the user has put a file into the folder', async () => {
  const folder = project()
  const run = await play(
    folder,
    'full',
    { shell: 'rm a; mkdir a; echo z > a/b' },
    { edit: { path: 'a/own', content: 'own\n' } },
    { restore: 0 },
  )
  expect(run).toMatchObject({ ok: false, deleted: ['a/b'], restored: [], skipped: [{ path: 'a', why: 'not-a-file' }] })
  expect(readFileSync(join(folder, 'a/own'), 'utf8')).toBe('own\n')
})
