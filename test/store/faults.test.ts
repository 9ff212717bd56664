import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { StorageError } from '../../main/agent/storage-error.ts'
import { openStore } from '../../main/store/open-store.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { CONFIG, input, opened, session } from './support/stores.ts'
import { tempFolder } from './support/temp-folder.ts'
import { containing } from './support/matching.ts'

const ID = session('s')
const file = (folder: string): string => join(folder, 'countersign.db')

/** Creates a folder with one closed session of `count` events. */
async function filled(count = 3): Promise<string> {
  const folder = tempFolder()
  const store = await opened(folder)
  for (let n = 0; n < count; n++) store.log(ID).append(input(`text ${n} ${'x'.repeat(400)}`))
  store.close()
  return folder
}

async function troubleOfOpening(folder: string): Promise<Trouble> {
  const result = await openStore(folder, { lockTimeoutMs: 200 })
  if (!result.ok) return result.failure
  result.value.close()
  throw new Error('it opened')
}

function thrown(work: () => unknown): Trouble {
  try {
    work()
  } catch (error) {
    if (error instanceof StorageError) return error.trouble
    throw error
  }
  throw new Error('nothing was thrown')
}

/**
 * Returns the files of a folder with their bytes, which must not change if something cannot be opened. Empty files and SQLite's shared
 * memory are left out.
 */
const contents = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm') && statSync(join(entry.parentPath, entry.name)).size > 0)
      .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'latin1')]),
  )

describe('fault 54: a store that cannot be used reports its trouble and loses nothing', () => {
  it('locked by another process at opening: waits, says how to find the process, and opens once the lock is released', async () => {
    const folder = await filled()
    const other = new Database(file(folder))
    other.pragma('locking_mode = EXCLUSIVE')
    other.exec('BEGIN EXCLUSIVE; CREATE TABLE held (x)')
    const trouble = await troubleOfOpening(folder)
    expect(trouble).toMatchObject({ code: 'storage_locked', what: containing(file(folder)) })
    const waiting = openStore(folder, { lockTimeoutMs: 20_000 })
    other.exec('ROLLBACK')
    other.close()
    const result = await waiting
    expect(result.ok && [...result.value.log(ID).read()]).toHaveLength(3)
    if (result.ok) result.value.close()
  })

  it('locked while it is open: append fails, listeners are notified, and appending works again once the lock is released', async () => {
    const folder = await filled()
    const store = await opened(folder)
    const told: (string | null)[] = []
    store.onTrouble((trouble) => told.push(trouble?.code ?? null))
    const other = new Database(file(folder))
    other.exec('BEGIN IMMEDIATE')
    expect(thrown(() => store.log(ID).append(input('unsaved'))).code).toBe('storage_locked')
    expect(store.health()).toMatchObject({ trouble: { code: 'storage_locked' }, onDisk: 1, listed: 1 })
    other.exec('ROLLBACK')
    other.close()
    store.log(ID).append(input('saved'))
    expect(store.health().trouble).toBeNull()
    expect(told).toEqual(['storage_locked', null])
    expect([...store.log(ID).read()].map(({ event }) => event).slice(3)).toEqual([input('saved')])
  })

  it('a store of a newer version: it can be read but not written, and the message says what to do', async () => {
    const folder = await filled()
    const newer = new Database(file(folder))
    newer.exec('ALTER TABLE events ADD COLUMN invented TEXT; CREATE TABLE invented (x)')
    newer.pragma('user_version = 99')
    newer.close()
    const before = contents(folder)
    const store = await opened(folder)
    expect(store.health()).toMatchObject({
      trouble: { code: 'storage_newer', todo: containing('newer version') },
      onDisk: 1,
      listed: 1,
    })
    expect([...store.log(ID).read()]).toHaveLength(3)
    expect(store.sessions.list()).toHaveLength(1)
    expect(store.ledger.snapshot(ID, 2)?.items).toHaveLength(2)
    for (const write of [
      () => store.log(ID).append(input('x')),
      () => store.log(ID).transact(() => [input('x')]),
      () => store.blobs.put(Buffer.from('x')),
      () => store.claims.acquire(ID),
      () => store.folders.decide('/w', true),
      () => store.sessions.create({ cwd: '/w', ...CONFIG }),
    ]) {
      expect(thrown(write).code).toBe('storage_newer')
    }
    store.close()
    expect(contents(folder)).toEqual(before)
  })

  it('a store of a newer version that cannot be read: the message says that its version is newer', async () => {
    const folder = await filled()
    const newer = new Database(file(folder))
    newer.exec('ALTER TABLE events RENAME COLUMN event TO payload')
    newer.pragma('user_version = 99')
    newer.close()
    const before = contents(folder)
    expect((await troubleOfOpening(folder)).code).toBe('storage_newer')
    expect(contents(folder)).toEqual(before)
  })

  it('a damaged page: its sessions report the damage, other sessions still work, and nothing is deleted', async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    store
      .log(ID)
      .append(...(Array.from({ length: 300 }, (_, n) => input(`${n} ${'x'.repeat(2_000)}`)).slice(0, 300) as [ReturnType<typeof input>]))
    const other = session('other')
    store.log(other).append(input('untouched'))
    store.close()
    const size = statSync(file(folder)).size
    const handle = openSync(file(folder), 'r+')
    const pages = Math.floor(size / 4096)
    for (let page = Math.floor(pages * 0.4); page < pages * 0.5; page++) writeSync(handle, Buffer.alloc(4096, 0xee), 0, 4096, page * 4096)
    closeSync(handle)
    const again = await opened(folder)
    expect(again.sessions.list()).toHaveLength(2)
    expect(thrown(() => [...again.log(ID).read()])).toMatchObject({
      code: 'storage_corrupt',
      kept: containing('was not changed'),
    })
    expect([...again.log(other).read()]).toHaveLength(1)
    again.log(other).append(input('goes on'))
    again.close()
    expect(statSync(file(folder)).size).toBeGreaterThanOrEqual(size)
  })

  it('an event with damaged text: reported', async () => {
    const folder = await filled()
    const db = new Database(file(folder))
    db.exec(`UPDATE events SET event = substr(event, 1, 20) WHERE seq = 2`)
    db.close()
    const store = await opened(folder)
    expect(thrown(() => [...store.log(ID).read()])).toMatchObject({ code: 'storage_corrupt', what: containing('event 2') })
  })

  it.each([
    ['a text file', (path: string) => writeFileSync(path, 'these are not the bytes of a database\n'.repeat(300)), 'storage_not_a_database'],
    [
      'a database that is cut off in its first page',
      (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 700)),
      'storage_corrupt',
    ],
    ['a folder', (path: string) => (rmSync(path), mkdirSync(path)), 'storage_unreadable'],
  ])('%s instead of the database: refused with a message and left unchanged', async (_, harm, code) => {
    const folder = await filled()
    harm(file(folder))
    const before = contents(folder)
    const trouble = await troubleOfOpening(folder)
    expect(trouble).toMatchObject({ code, what: containing(file(folder)) })
    expect(contents(folder)).toEqual(before)
  })

  it('only the journal exists: the journal is kept, and restoring the database file restores everything', async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    store.log(ID).append(input('checkpointed'))
    const copy = tempFolder()
    const db = new Database(file(folder))
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
    store.log(ID).append(input('in the journal only'))
    cpSync(folder, copy, { recursive: true })
    rmSync(file(copy))
    rmSync(`${file(copy)}-shm`)
    const before = contents(copy)
    expect((await troubleOfOpening(copy)).code).toBe('storage_incomplete')
    expect(contents(copy)).toEqual(before)
    copyFileSync(file(folder), file(copy))
    const again = await opened(copy)
    expect([...again.log(ID).read()].map(({ event }) => event)).toEqual([input('checkpointed'), input('in the journal only')])
  })

  it('the journal exists without its index: nothing is lost', async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    store.log(ID).append(input('one'), input('two'))
    const copy = tempFolder()
    cpSync(folder, copy, { recursive: true })
    expect(existsSync(`${file(copy)}-wal`)).toBe(true)
    rmSync(`${file(copy)}-shm`)
    const again = await opened(copy)
    expect([...again.log(ID).read()].map(({ event }) => event)).toEqual([input('one'), input('two')])
    expect(again.health()).toEqual({ trouble: null, onDisk: 1, listed: 1 })
  })

  it('a normal store: its database is readable only by its owner', async () => {
    const folder = await filled()
    expect(statSync(file(folder)).mode & 0o777).toBe(0o600)
  })
})
