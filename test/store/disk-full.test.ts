import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StorageError } from '../../main/agent/storage-error.ts'
import { emptySession, foldAll } from '../../shared/session/fold.ts'
import type { AnyEnvelope } from '../../shared/session/events.ts'
import { startChild } from './support/child.ts'
import { objectContaining } from './support/matching.ts'
import { input, opened, session } from './support/stores.ts'
import { tempFolder } from './support/temp-folder.ts'

const ID = session('s')
const MEGABYTE = 1024 * 1024

/** A file system of a few megabytes, or null where none may be mounted. */
function smallDisk(megabytes: number): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'countersign-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
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
  it('while a session runs: nothing is half-written, the desk is told, and it goes on as soon as there is space', async ({ skip }) => {
    const disk = smallDisk(8)
    if (!disk) return skip('needs Linux and the right to mount a small file system')
    const store = await opened(disk)
    const log = store.log(ID)
    const told: (string | null)[] = []
    const published: AnyEnvelope[] = []
    store.onTrouble((trouble) => told.push(trouble?.code ?? null))
    log.subscribe((envelope) => published.push(envelope))
    log.append(input('before'))
    const ballast = join(disk, 'ballast')
    expect(() => writeFileSync(ballast, Buffer.alloc(9 * MEGABYTE))).toThrow('ENOSPC')
    let stored = 1
    while (codeThrown(() => log.append(input('y'.repeat(3_000)), input('second of the batch'))) === 'stored') stored += 2
    expect(codeThrown(() => log.append(input('x'.repeat(50_000))))).toBe('storage_full')
    expect(codeThrown(() => store.blobs.put(Buffer.alloc(100_000, 'b')))).toBe('storage_full')
    expect(codeThrown(() => store.blobs.openSpool().write(Buffer.alloc(100_000, 's')))).toBe('storage_full')
    expect(told).toEqual(['storage_full'])
    expect(readdirSync(join(disk, 'blobs', 'partial')), 'no unfinished file is left').toEqual([])
    expect([...log.read()]).toHaveLength(stored)
    expect(published).toEqual([...log.read()])
    rmSync(ballast)
    const [after] = log.append(input('after'))
    expect(told).toEqual(['storage_full', null])
    expect([...log.read()].at(-1)).toEqual(after)
    store.close()
    const again = await opened(disk)
    expect([...again.log(ID).read()]).toEqual(published)
    expect(again.ledger.snapshot(ID, Number.MAX_SAFE_INTEGER)).toEqual(foldAll(emptySession(ID), published))
  })

  it('when the store is first opened: refused with words', async ({ skip }) => {
    const disk = smallDisk(1)
    if (!disk) return skip('needs Linux and the right to mount a small file system')
    expect(() => writeFileSync(join(disk, 'ballast'), Buffer.alloc(2 * MEGABYTE))).toThrow('ENOSPC')
    const { openStore } = await import('../../main/store/open-store.ts')
    expect(await openStore(disk)).toEqual({ ok: false, failure: objectContaining({ code: 'storage_full' }) })
  })

  it('as a limit on the size of files: every way to store fails with words, and what was acknowledged is read again', async ({ skip }) => {
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
