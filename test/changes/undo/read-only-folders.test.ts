import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { carryOut } from '../../../main/changes/undo/carry-out.ts'
import { EnvironmentFailure } from '../../../main/environment/environment-failure.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import type { FileChange, FolderChange } from '../../../shared/session/file-change.ts'
import { openedInMemory } from '../../store/support/stores.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/**
 * Creates an environment that refuses to change the entries of a read-only folder, as the system does for an ordinary user, even if the
 * test runs as root.
 */
function ordinaryUser(folder: string) {
  const env = createLocalExecutionEnvironment(folder)
  const inWritable = async (path: string, change: () => Promise<void>): Promise<void> => {
    if ((statSync(dirname(path)).mode & 0o200) === 0) throw new EnvironmentFailure('EACCES', `${path}: permission denied (EACCES).`)
    return change()
  }
  return {
    ...env,
    rename: (from: string, to: string) => inWritable(from, () => env.rename(from, to)),
    deleteFile: (path: string) => inWritable(path, () => env.deleteFile(path)),
    removeFolder: (path: string) => inWritable(path, () => env.removeFolder(path)),
    writeBytes: (...given: Parameters<typeof env.writeBytes>) => inWritable(given[0], () => env.writeBytes(...given)),
  }
}

/** Creates `fixed/f` and `fixed/deep/g` in folders of mode 555, and an undo that deletes them. */
async function setUp() {
  const { blobs } = await openedInMemory()
  const folder = temporaryFolder('read-only')
  mkdirSync(join(folder, 'fixed/deep'), { recursive: true })
  for (const path of ['fixed/f', 'fixed/deep/g']) writeFileSync(join(folder, path), 'x\n')
  for (const path of ['fixed/deep', 'fixed']) chmodSync(join(folder, path), 0o555)
  const before = blobs.put(Buffer.from('x\n'))
  const deleted = (shown: string): FileChange => ({
    path: join(folder, shown),
    shown,
    before,
    after: null,
    beforeBytes: 2,
    afterBytes: 0,
    beforeMode: 0o644,
    afterMode: null,
    lines: null,
  })
  const gone = (shown: string): FolderChange => ({ path: join(folder, shown), shown, before: 0o555, after: null })
  const run = (files: readonly string[], folders: readonly string[]) =>
    carryOut(
      {
        rollbackId: 'undo',
        target: { kind: 'to', step: 0 },
        skipped: [],
        uncovered: [],
        files: files.map(deleted),
        folders: folders.map(gone),
      },
      { env: ordinaryUser(folder), blobs },
    )
  const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777
  return { folder, run, modeOf }
}

test('read-only folders are deleted with their files', async () => {
  const { folder, run } = await setUp()
  const done = await run(['fixed/deep/g', 'fixed/f'], ['fixed/deep', 'fixed'])
  expect([done.files.length, done.folders?.length, done.skipped]).toEqual([2, 2, []])
  expect(existsSync(join(folder, 'fixed'))).toBe(false)
})

test('a read-only folder that contains someone else’s file is kept, and is read-only again', async () => {
  const { folder, run, modeOf } = await setUp()
  chmodSync(join(folder, 'fixed'), 0o755)
  writeFileSync(join(folder, 'fixed/mine'), 'mine\n')
  chmodSync(join(folder, 'fixed'), 0o555)
  const done = await run(['fixed/deep/g', 'fixed/f'], ['fixed/deep', 'fixed'])
  expect(done.folders?.map(({ shown }) => shown)).toEqual(['fixed/deep'])
  expect([existsSync(join(folder, 'fixed/mine')), existsSync(join(folder, 'fixed/f')), modeOf('fixed')]).toEqual([true, false, 0o555])
})

test('a file in a read-only folder is kept, and the reason is given, unless the undo deletes the folder', async () => {
  const { folder, run, modeOf } = await setUp()
  const done = await run(['fixed/f'], [])
  expect(done.skipped).toMatchObject([{ shown: 'fixed/f', why: 'not-written', detail: 'the folder fixed is read-only' }])
  expect([existsSync(join(folder, 'fixed/f')), modeOf('fixed')]).toEqual([true, 0o555])
})
