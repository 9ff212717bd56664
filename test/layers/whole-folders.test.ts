import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeOpaque, opaqueAmong } from '../../main/environment/copy/changes/opaque-folders.ts'
import { wholeFolders } from '../../main/environment/layers/overlay/whole-folders.ts'
import { hasNoCopies } from '../environment/copy/support.ts'

/** An upper folder with a link to a folder outside. */
function upperFolder() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-whole-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const up = join(root, 'up')
  const outside = join(root, 'outside')
  mkdirSync(join(up, 'own', 'deep'), { recursive: true })
  mkdirSync(join(outside, 'deep', 'deeper'), { recursive: true })
  symlinkSync(outside, join(up, 'link'))
  symlinkSync(outside, join(up, 'own', 'link'))
  return { up, outside }
}

it('lists the folders of a layer, and follows no link', async () => {
  const { up } = upperFolder()
  expect(await wholeFolders(up, { files: up }, 'own')).toEqual(['own', 'own/deep'])
  await expect(wholeFolders(up, { files: up }, 'link')).rejects.toThrow('ENOTDIR')
  await expect(wholeFolders(up, { files: up }, 'link/deep')).rejects.toThrow('ENOTDIR')
})

it('lets other work run while it lists folders', async () => {
  const { up } = upperFolder()
  for (let at = 0; at < 100; at++) mkdirSync(join(up, 'own', `${at}`))
  let turns = 0
  const count = setInterval(() => turns++, 0)
  onTestFinished(() => clearInterval(count))
  expect(await wholeFolders(up, { files: up }, 'own')).toHaveLength(102)
  expect(turns).toBeGreaterThan(0)
})

it('rejects a folder that lacks an entry that programs see', async () => {
  const { up, outside } = upperFolder()
  mkdirSync(join(outside, 'own', 'deep', 'new'), { recursive: true })
  await expect(wholeFolders(up, { files: outside }, 'own')).rejects.toThrow('own/deep/new was added meanwhile')
})

it.skipIf(hasNoCopies)('marks folders of the layer, and never a folder outside through a link', async () => {
  const { up, outside } = upperFolder()
  await makeOpaque(up, ['own', 'own/deep'])
  expect([...(await opaqueAmong(up, ['own', 'own/deep']))]).toEqual(['own', 'own/deep'])
  await expect(makeOpaque(up, ['link/deep'])).rejects.toThrow('tar')
  expect([...(await opaqueAmong(outside, ['deep', 'deep/deeper']))]).toEqual([])
})
