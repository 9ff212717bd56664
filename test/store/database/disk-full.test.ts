import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StorageError } from '../../../main/agent/storage-error.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import type { AnyEnvelope } from '../../../shared/session/events.ts'
import { NO_SMALL_DISK, type SmallDisk, smallDisk } from '../../support/small-disk.ts'
import { startChild } from '../support/child.ts'
import { objectContaining } from '../support/matching.ts'
import { input, opened, session } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ID = session('s')

/** Mounts a small disk that is removed when the test has finished. */
function diskOf(megabytes: number): SmallDisk | null {
  const disk = smallDisk(megabytes)
  onTestFinished(() => disk?.remove())
  return disk
}

function codeThrown(work: () => unknown): string {
  try {
    work()
    return 'stored'
  } catch (error) {
    if (error instanceof StorageError) return error.trouble.code
    throw error
  }
}

describe('a full disk (fault 54, D-55)', () => {
  it('while a session runs: nothing is half-written, the interface is notified, and the session continues once there is space', async ({
    skip,
  }) => {
    const disk = diskOf(8)
    if (!disk) return skip(NO_SMALL_DISK)
    const store = await opened(disk.path)
    const log = store.log(ID)
    const told: (string | null)[] = []
    const published: AnyEnvelope[] = []
    store.onTrouble((trouble) => told.push(trouble?.code ?? null))
    log.subscribe((envelope) => published.push(envelope))
    log.append(input('before'))
    disk.fill()
    let stored = 1
    while (codeThrown(() => log.append(input('y'.repeat(3_000)), input('second of the batch'))) === 'stored') stored += 2
    expect(codeThrown(() => log.append(input('x'.repeat(50_000))))).toBe('storage_full')
    expect(codeThrown(() => store.blobs.put(Buffer.alloc(100_000, 'b')))).toBe('storage_full')
    const spool = store.blobs.openSpool()
    expect(codeThrown(() => [spool.write(Buffer.alloc(100_000, 's')), spool.end()])).toBe('storage_full')
    expect(told).toEqual(['storage_full'])
    expect(readdirSync(join(disk.path, 'blobs', 'partial')), 'no unfinished file is left').toEqual([])
    expect([...log.read()]).toHaveLength(stored)
    expect(published).toEqual([...log.read()])
    disk.free()
    const [after] = log.append(input('after'))
    expect(told).toEqual(['storage_full', null])
    expect([...log.read()].at(-1)).toEqual(after)
    store.close()
    const again = await opened(disk.path)
    expect([...again.log(ID).read()]).toEqual(published)
    expect(again.ledger.snapshot(ID, Number.MAX_SAFE_INTEGER)).toEqual(foldAll(emptySession(ID), published))
  })

  it('when the store is first opened: opening fails with a message', async ({ skip }) => {
    const disk = diskOf(1)
    if (!disk) return skip(NO_SMALL_DISK)
    disk.fill()
    const { openStore } = await import('../../../main/store/open-store.ts')
    expect(await openStore(disk.path)).toEqual({ ok: false, failure: objectContaining({ code: 'storage_full' }) })
  })

  it('if the file size is limited: every write fails with a message, and acknowledged data stays readable', async ({ skip }) => {
    if (process.platform === 'win32') return skip('needs a POSIX shell')
    const folder = tempFolder()
    const limited = ['bash', '-c', 'ulimit -f 1024 && exec "$@"', 'bash']
    const said = (await startChild('filler', [folder, ID], limited).next()) as { events: number; read: number }
    const failure = 'storage_failed'
    expect(said).toMatchObject({ append: failure, blob: failure, spooled: failure, trouble: failure, read: said.events })
    const store = await opened(folder)
    expect([...store.log(ID).read()]).toHaveLength(said.events)
    expect(store.health()).toEqual({ trouble: null, onDisk: 1, listed: 1 })
    store.log(ID).append(input('after'))
  })
})
