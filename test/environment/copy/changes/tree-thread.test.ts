import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeFolder } from '../../../../main/environment/copy/changes/tree-thread.ts'
import { tempFolder } from '../../support.ts'

/** Number of requests to the file system that this process is waiting for. */
const openRequests = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq')).length

it('a folder with many files is removed without one main-process request per file', async () => {
  const at = join(tempFolder(), 'copy')
  for (let folder = 0; folder < 10; folder++) {
    mkdirSync(join(at, `${folder}/inner`), { recursive: true })
    for (let file = 0; file < 50; file++) writeFileSync(join(at, `${folder}/inner/${file}`), '')
  }
  let most = 0
  let isGone = false
  const removal = removeFolder(at).then(() => (isGone = true))
  while (!isGone) {
    most = Math.max(most, openRequests())
    await new Promise((resolve) => setImmediate(resolve))
  }
  await removal
  expect(existsSync(at)).toBe(false)
  expect(most).toBeLessThan(20)
})

it('small folders and files are removed, too, and missing paths cause no error', async () => {
  const at = tempFolder()
  mkdirSync(join(at, 'small'))
  writeFileSync(join(at, 'small/file'), '')
  writeFileSync(join(at, 'file'), '')
  for (const name of ['small', 'file', 'nothing']) await removeFolder(join(at, name))
  expect(['small', 'file'].map((name) => existsSync(join(at, name)))).toEqual([false, false])
})
