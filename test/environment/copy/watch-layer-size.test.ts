import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Watched, watchSize } from '../../../main/environment/copy/start/watch-layer-size.ts'
import { plant } from '../support.ts'
import { hasNoCopies, openCopies } from './support.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const MB = 1024 ** 2

/** Returns why a copy with these files is stopped. Null if it is not stopped at the first two checks. */
async function stopped(files: Readonly<Record<string, number>>, watched: Partial<Watched>): Promise<string | null> {
  const base = temporaryFolder('watch')
  const layer = join(base, 'up')
  const folder = join(base, 'project')
  for (const path of [layer, folder]) mkdirSync(path)
  plant(folder, { '.gitignore': 'node_modules/\n*.log\n' })
  plant(layer, Object.fromEntries(Object.entries(files).map(([path, size]) => [path, new Uint8Array(size)])))
  const { home, file } = watched
  const places = { home: home && join(base, home), file: file && join(base, file) }
  const { promise, resolve } = Promise.withResolvers<string | null>()
  let checks = 0
  const watch = watchSize({
    layer,
    folder,
    maxBytes: MB,
    ...watched,
    ...places,
    // Each check reads this limit. Without one, the free space of this machine does not matter.
    get leastFree() {
      if (++checks === 3) resolve(null)
      return watched.leastFree ?? 0
    },
  })
  onTestFinished(() => watch.stop())
  watch.signal.addEventListener('abort', () => resolve(String(watch.signal.reason)))
  return promise
}

it.each<[string, Readonly<Record<string, number>>, Partial<Watched>, RegExp | null]>([
  ['files above the limit stop the command', { 'a/b': 2 * MB }, {}, /more than 1 MB/],
  [
    'files under home above the limit stop it',
    { 'node_modules/home/x': 2 * MB },
    { home: 'up/node_modules' },
    /1 MB under the home folder/,
  ],
  ['a single writable file above the limit stops it', { 'node_modules/x': 2 * MB }, { file: 'up/node_modules/x' }, /more than 1 MB/],
  ['git’s data above the limit stops it', { '.git/objects/x': 2 * MB }, {}, /more than 1 MB/],
  ['ignored trees and files do not stop it', { 'node_modules/p/x': 2 * MB, 'd/x.log': 2 * MB }, {}, null],
  ['an almost full disk stops it, whatever it wrote', { 'node_modules/p/x': 1 }, { leastFree: Number.MAX_SAFE_INTEGER }, /almost full/],
])('%s', async (_name, files, watched, reason) => {
  const said = await stopped(files, watched)
  if (reason === null) expect(said).toBeNull()
  else expect(said).toMatch(reason)
})

it.skipIf(hasNoCopies)('a sparse file above the limit does not stop the command, but is not read, and cannot be signed', async () => {
  const { copies } = openCopies()
  const { stopped, changeSet } = await copies.run('truncate -s 900G big')
  expect([stopped, changeSet.changes, changeSet.obstacles]).toEqual([null, [], [{ kind: 'too-many-bytes', limit: 2 * 1024 ** 3 }]])
})
