import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createBlobReferences } from '../../../main/store/cleaning/blob-references.ts'
import type { Connection } from '../../../main/store/database/connection.ts'
import { DATABASE_FILE } from '../../../main/store/file-names.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import { CONFIG, input, opened } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

/** A store and its references. `afterSizes` runs each time after the sizes of the blobs were read and before the events are read. */
async function references(afterSizes: () => void = () => {}) {
  const folder = tempFolder()
  const store = await opened(folder)
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  onTestFinished(() => void db.close())
  const slow = {
    prepare(sql: string) {
      const statement = db.prepare(sql)
      if (!sql.startsWith('SELECT session_id, max(seq)')) return statement
      return {
        all() {
          afterSizes()
          return statement.all()
        },
      }
    },
  } as unknown as Connection
  const read = (hash: string): Uint8Array | null => (store.blobs.has(hash as BlobHash) ? store.blobs.get(hash as BlobHash) : null)
  return { store, found: createBlobReferences(slow, { folder: join(folder, 'blobs'), read }) }
}

test('a blob that is stored while the references are read counts as needed, and so do the blobs that it names', async () => {
  let store: () => void = () => {}
  const { store: history, found } = await references(() => store())
  const stored: string[] = []
  const id = history.sessions.create({ cwd: '/w', ...CONFIG })
  store = () => {
    const small = history.blobs.put(Buffer.from('small'))
    const large = history.blobs.put(Buffer.alloc(100_000, 'large'))
    const list = history.blobs.put(Buffer.from(JSON.stringify({ files: [small, large] })))
    stored.push(small, large, list)
    history.log(id).append(input(`The changes are in ${list}.`))
  }
  found.refresh()
  store = () => {}
  found.refresh()
  expect(stored).toHaveLength(3)
  expect([...found.unreferenced(null).keys()]).toEqual([])
  expect([...found.exclusive(new Set([id])).keys()].toSorted()).toEqual(stored.toSorted())
})

test('refreshing the references does not keep the events in memory', async () => {
  const { store, found } = await references()
  const id = store.sessions.create({ cwd: '/w', ...CONFIG })
  const COUNT = 40
  const events = Array.from({ length: COUNT }, (_, at) => input(`${store.blobs.put(Buffer.from(`${at}`))} ${'x'.repeat(200_000)}`))
  store.log(id).append(input('go'), ...events)
  gc()
  const before = process.memoryUsage().heapUsed
  found.refresh()
  gc()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000)
  expect(found.exclusive(new Set([id])).size).toBe(COUNT)
})
