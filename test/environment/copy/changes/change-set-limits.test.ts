import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Found, walkLayer } from '../../../../main/environment/copy/changes/walk-layer.ts'
import { removeFolder } from '../../../../main/environment/copy/changes/tree-thread.ts'
import { plant, tempFolder } from '../../support.ts'
import { hasNoCopies, openCopies } from '../support.ts'

const NAME = 'd'.repeat(200)
/** A bash line that creates a file whose path has 5,000 bytes. */
const DEEP = `for i in {1..25}; do mkdir ${NAME}; cd ${NAME}; done; echo x > f`

it.skipIf(hasNoCopies).each([
  ['creates a path', DEEP, ''],
  ['removes a path', `rm -r ${NAME}; ls`, DEEP],
  ['creates, in an ignored folder, a path', `mkdir dist; cd dist; touch {1..250}; ${DEEP}`, ''],
])('a command that %s longer than the system allows cannot be signed, and leaves no copy', async (_name, command, prepared) => {
  const { copies, folder, layers } = openCopies({ 'a.txt': '1', '.gitignore': 'dist/' })
  execFileSync('bash', ['-c', prepared], { cwd: folder })
  const before = readdirSync(folder)
  const ended = await copies.run(command)
  expect(ended.result.exitCode).toBe(0)
  expect(ended.changeSet.obstacles).toMatchObject([{ kind: 'long-path' }])
  expect(await ended.apply()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('4,096 bytes') })
  await copies.cleanup()
  expect([readdirSync(layers), readdirSync(folder)]).toEqual([[], before])
  await removeFolder(folder)
})

it.each([
  [20_000, []],
  [20_001, [{ kind: 'too-many-files', limit: 20_000 }]],
])('a command that changed %d files: %j', async (files, obstacles) => {
  const up = tempFolder()
  const folder = tempFolder()
  plant(up, { a: '1', b: '2' })
  const found: Found = { changes: [], obstacles: [], leftOut: [], replaced: new Set(), files: files - 2, bytes: 0, maxBytes: 1_000 }
  await walkLayer({ up, folder, found, treeAt: () => Promise.resolve(null) }, '', 'merged')
  expect([found.files, found.obstacles]).toEqual([files, obstacles])
})

it('a change set cannot be signed if its files are too large in total, even if they are in different folders', async () => {
  const up = tempFolder()
  const folder = tempFolder()
  plant(up, { 'a/new': 'x'.repeat(600), 'b/new': 'x'.repeat(600) })
  plant(folder, { 'a/old': '1', 'b/old': '1' })
  const found: Found = { changes: [], obstacles: [], leftOut: [], replaced: new Set(), files: 0, bytes: 0, maxBytes: 1_000 }
  await walkLayer({ up, folder, found, treeAt: () => Promise.resolve(null) }, '', 'merged')
  expect(found.obstacles).toEqual([{ kind: 'too-many-bytes', limit: 1_000 }])
})
