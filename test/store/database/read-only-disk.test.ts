import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ToolCallId } from '../../../shared/lib/ids.ts'
import type { Store } from '../../../main/store/store.ts'
import { NO_SMALL_DISK, smallDisk } from '../../support/small-disk.ts'
import { callEnd, callStart, changed, CONFIG, input, opened, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { toVersionTwo } from '../support/version-two.ts'

const ID = session('s')
const CALL = ToolCallId.parse('call')
const OUTPUT = 'a line of the output\n'.repeat(200)

/** Creates a store on its own disk, writes to it, closes it, and mounts the disk read-only. Returns the folder. */
async function onReadOnlyDisk(prepare: (file: string) => void = () => {}): Promise<string> {
  const disk = smallDisk(16)
  if (!disk) throw new Error(NO_SMALL_DISK)
  onTestFinished(() => disk.remove())
  const folder = join(disk.path, 'data')
  mkdirSync(folder)
  const store = await opened(folder)
  store.sessions.create({ sessionId: ID, cwd: '/w', ...CONFIG })
  store
    .log(ID)
    .append(input('hello'), callStart(CALL), changed(CALL), callEnd(CALL, OUTPUT), { kind: 'PROCESSING_END', reason: 'completed' })
  store.close()
  prepare(join(folder, 'countersign.db'))
  execFileSync('mount', ['-o', 'remount,ro', disk.path])
  return folder
}

function showsEverything(store: Store): void {
  expect(store.sessions.list().map(({ sessionId }) => sessionId)).toEqual([ID])
  expect(store.health()).toMatchObject({ trouble: { code: 'storage_read_only' }, onDisk: 1, listed: 1 })
  expect(store.ledger.snapshot(ID, 10)?.items).toHaveLength(2)
  expect(store.ledger.call(ID, CALL)?.output).toBe(OUTPUT)
  expect(store.ledger.changes(ID, 0, 10)).toMatchObject([{ step: 1, event: { files: [{ path: '/w/f' }] } }])
  expect([...store.log(ID).read({ call: CALL })]).toHaveLength(3)
  expect(() => store.log(ID).append(input('more'))).toThrow(/can be read but not written/)
}

const canMount = ((): boolean => {
  const disk = smallDisk(1)
  disk?.remove()
  return disk !== null
})()

describe.skipIf(!canMount)(`a store on a disk that is mounted read-only (${NO_SMALL_DISK})`, () => {
  it('lists and opens its sessions, says that nothing can be written, and leaves no temporary copy behind', async () => {
    const temporary = tempFolder()
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const store = await opened(await onReadOnlyDisk())
    await store.prepare(ID)
    showsEverything(store)
    const copies = (): readonly string[] => readdirSync(temporary).filter((name) => name.startsWith('countersign-read-only-'))
    expect(copies()).toHaveLength(1)
    store.close()
    expect(copies()).toEqual([])
  })

  it('lists and opens its sessions even if an older version wrote it', async () => {
    const folder = await onReadOnlyDisk(toVersionTwo)
    const store = await opened(folder)
    await store.prepare(ID)
    showsEverything(store)
  })
})

it('a newer version’s database in a writable folder can be read', async () => {
  const folder = tempFolder()
  const written = await opened(folder)
  written.sessions.create({ sessionId: ID, cwd: '/w', ...CONFIG })
  written.log(ID).append(callStart(CALL), changed(CALL), callEnd(CALL, OUTPUT))
  written.close()
  const newer = new Database(join(folder, 'countersign.db'))
  newer.pragma('user_version = 99')
  newer.close()
  const store = await opened(folder)
  await store.prepare(ID)
  expect(store.ledger.call(ID, CALL)?.output).toBe(OUTPUT)
  expect(store.ledger.changes(ID, 0, 10)).toHaveLength(1)
})
