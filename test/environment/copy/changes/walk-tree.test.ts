import { chmodSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hashOf } from '../../../../main/agent/blob-hash.ts'
import { walkTree } from '../../../../main/environment/copy/changes/walk-tree.ts'
import { plant, tempFolder } from '../../support.ts'

it('the hash of an ignored folder is the same as in earlier versions', () => {
  const at = tempFolder()
  plant(at, { 'b.js': 'bb', 'a/z.js': 'z', 'a/c/d.js': '', 'a.js': 'a' })
  for (const path of ['b.js', 'a/z.js', 'a/c/d.js', 'a.js']) utimesSync(join(at, path), 1_000, 2_000.5)
  for (const path of ['', 'a', 'a/c']) chmodSync(join(at, path), 0o755)
  for (const path of ['b.js', 'a/z.js', 'a/c/d.js', 'a.js']) chmodSync(join(at, path), 0o644)
  symlinkSync('../b.js', join(at, 'a/link'))
  const rows = [
    ['a', 'folder 493'],
    ['a.js', 'file 420 1 2000500'],
    ['b.js', 'file 420 2 2000500'],
    ['a/c', 'folder 493'],
    ['a/link', 'link ../b.js'],
    ['a/z.js', 'file 420 1 2000500'],
    ['a/c/d.js', 'file 420 0 2000500'],
  ]
  const text = rows.map(([path, what]) => `${path}\0${what}\n`).join('')
  const found = walkTree({ at, longest: 4_096, wantsPaths: true })
  expect(found?.tree).toEqual({ kind: 'tree', mode: 0o755, files: 5, bytes: 11, hash: hashOf(Buffer.from(text)), held: '' })
  expect(found?.paths.join('\0').split('\0')).toEqual(rows.map(([path]) => path))
})
