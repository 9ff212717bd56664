import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StorageError } from '../../../main/agent/storage-error.ts'
import { createSpool } from '../../../main/store/blobs/spool.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import { startChild } from '../support/child.ts'
import { opened, openedInMemory } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const SIZES = [0, 1, 16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 300_000]

/** Returns the files that this process has open, including deleted ones without a name. */
function openBelow(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((handle) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${handle}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      return []
    }
  })
}

describe.each([
  ['on disk', () => opened(tempFolder())],
  ['in memory', () => openedInMemory()],
])('blobs %s', (_, open) => {
  it.each(SIZES)('of %i bytes are named by their SHA-256 and read back unchanged', async (size) => {
    const { blobs } = await open()
    const bytes = randomBytes(size)
    expect(blobs.has(sha256(bytes) as BlobHash)).toBe(false)
    const hash = blobs.put(bytes)
    expect(hash).toBe(sha256(bytes))
    expect(Buffer.from(blobs.get(hash)).equals(bytes)).toBe(true)
    expect(blobs.put(bytes)).toBe(hash)
    expect(blobs.has(hash)).toBe(true)
  })

  it.each(SIZES)('of %i bytes are the same whether they are spooled in pieces or written at once', async (size) => {
    const { blobs } = await open()
    const bytes = randomBytes(size)
    const spool = blobs.openSpool()
    for (let at = 0; at < size; at += 7_001) spool.write(bytes.subarray(at, at + 7_001))
    const end = spool.end()
    expect(end).toEqual(size === 0 ? null : { hash: sha256(bytes), bytes: size, capped: false })
    if (end) expect(Buffer.from(blobs.get(end.hash)).equals(bytes)).toBe(true)
  })

  it.each([...SIZES, 3_000_001])('of %i bytes are the same whether they are stored and read in slices or at once', async (size) => {
    const { blobs } = await open()
    const bytes = randomBytes(size)
    const hash = await blobs.putInSlices(bytes)
    expect(hash).toBe(sha256(bytes))
    expect(Buffer.from(blobs.get(hash)).equals(bytes)).toBe(true)
    expect(Buffer.from(await blobs.getInSlices(hash)).equals(bytes)).toBe(true)
    expect(await blobs.putInSlices(bytes)).toBe(hash)
    expect(blobs.recentlyPut()).toContain(hash)
  })

  it('that do not exist cause a specific error when they are read', async () => {
    const { blobs } = await open()
    expect(() => blobs.get('0'.repeat(64) as BlobHash)).toThrow(StorageError)
    await expect(blobs.getInSlices('0'.repeat(64) as BlobHash)).rejects.toThrow(StorageError)
  })
})

describe('blobs on disk', () => {
  it('of 16 MB let other work run in between while they are stored and read in slices', async () => {
    const { blobs } = await opened(tempFolder())
    const bytes = Buffer.alloc(16 * 1024 * 1024, 'a log ')
    const turns: number[] = []
    let count = 0
    const timer = setInterval(() => count++, 0)
    const hash = await blobs.putInSlices(bytes)
    turns.push(count)
    count = 0
    expect((await blobs.getInSlices(hash)).length).toBe(bytes.length)
    turns.push(count)
    clearInterval(timer)
    expect(Math.min(...turns)).toBeGreaterThan(0)
  })

  it('of which a part was changed are refused when they are read in slices', async () => {
    const { blobs } = await opened(tempFolder())
    const hash = await blobs.putInSlices(randomBytes(2_000_000))
    writeFileSync(blobs.path(hash) ?? '', randomBytes(2_000_000))
    await expect(blobs.getInSlices(hash)).rejects.toThrow(StorageError)
  })

  it('that cannot be written in slices cause a specific error and leave no file', async () => {
    const folder = tempFolder()
    const { blobs } = await opened(folder)
    const bytes = randomBytes(2_000_000)
    // A file where the folder of the blob should be.
    writeFileSync(join(folder, 'blobs', sha256(bytes).slice(0, 2)), '')
    await expect(blobs.putInSlices(bytes)).rejects.toThrow(StorageError)
    expect(readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, String(name))).size >= bytes.length)).toEqual([])
  })

  it('are stored under the first two digits of their name, readable by their owner only, and survive reopening', async () => {
    const folder = tempFolder()
    const store = await opened(folder)
    const large = randomBytes(50_000)
    const small = randomBytes(50)
    const hashes = [store.blobs.put(large), store.blobs.put(small)] as const
    const path = join(folder, 'blobs', hashes[0].slice(0, 2), hashes[0])
    expect(store.blobs.path(hashes[0])).toBe(path)
    expect(store.blobs.path(hashes[1])).toBeNull()
    expect(readFileSync(path).equals(large)).toBe(true)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    store.close()
    const again = await opened(folder)
    expect([again.blobs.get(hashes[0]), again.blobs.get(hashes[1])].map((bytes) => Buffer.from(bytes))).toEqual([large, small])
  })

  it('whose bytes have changed are refused, and truncated blobs are repaired by storing them again', async () => {
    const folder = tempFolder()
    const { blobs } = await opened(folder)
    const bytes = randomBytes(50_000)
    const hash = blobs.put(bytes)
    const path = blobs.path(hash) ?? ''
    writeFileSync(path, Buffer.concat([Buffer.from([(bytes[0] ?? 0) ^ 1]), bytes.subarray(1)]))
    expect(() => blobs.get(hash)).toThrow('its content has changed')
    writeFileSync(path, bytes.subarray(0, 20_000))
    expect(blobs.put(bytes)).toBe(hash)
    expect(Buffer.from(blobs.get(hash)).equals(bytes)).toBe(true)
  })

  it('leave no temp file once they are complete or already stored', async () => {
    const folder = tempFolder()
    const { blobs } = await opened(folder)
    const bytes = randomBytes(100_000)
    blobs.put(bytes)
    const spool = blobs.openSpool()
    spool.write(bytes)
    expect(spool.end()?.hash).toBe(sha256(bytes))
    expect(spool.end(), 'a spool ends once').toBeNull()
    expect(readdirSync(join(folder, 'blobs', 'partial'))).toEqual([])
  })

  it('truncated by a power failure are complete again once the same output is stored', async () => {
    const { blobs } = await opened(tempFolder())
    const bytes = randomBytes(100_000)
    const hash = blobs.put(bytes)
    truncateSync(blobs.path(hash) ?? '', 60_000)
    const spool = blobs.openSpool()
    spool.write(bytes)
    expect(spool.end()?.hash).toBe(hash)
    expect(Buffer.from(blobs.get(hash)).equals(bytes)).toBe(true)
  })

  it('are synced to disk, even if an equal unsynced blob exists', async () => {
    const { blobs } = await opened(tempFolder())
    const bytes = randomBytes(100_000)
    const spool = blobs.openSpool()
    spool.write(bytes)
    const hash = spool.end()?.hash ?? blobs.put(bytes)
    const written = (): number => statSync(blobs.path(hash) ?? '').ino
    const spooled = written()
    blobs.put(bytes)
    const put = written()
    blobs.put(bytes)
    expect([put === spooled, written() === put]).toEqual([false, true])
  })

  it('leave neither a file nor an open handle if the store refuses them', async () => {
    const folder = tempFolder()
    const files = { folder, partial: folder, holder: 'x' }
    const refused = (): never => {
      throw new Error('read-only')
    }
    const spool = createSpool({ files, write: refused, putSmall: () => {} })
    spool.write(randomBytes(100_000))
    expect(() => spool.end()).toThrow('read-only')
    expect(readdirSync(folder)).toEqual([])
    if (process.platform === 'linux') await expect.poll(() => openBelow(folder)).toEqual([])
  })

  it('left unfinished by a killed process are removed when the store is opened', async () => {
    const folder = tempFolder()
    const partial = join(folder, 'blobs', 'partial')
    const child = startChild('spooler', [folder])
    await child.next()
    const store = await opened(folder)
    expect(readdirSync(partial)).toHaveLength(1)
    await child.kill('SIGKILL')
    const own = store.blobs.openSpool()
    own.write(randomBytes(20_000))
    await opened(folder)
    expect(readdirSync(partial)).toHaveLength(1)
    expect(own.end()?.bytes).toBe(20_000)
  })
})

describe('a spool', () => {
  it('keeps exactly the first bytes up to its cap, however they are split into chunks, and reports whether it was truncated', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 10 }), fc.integer({ min: 1, max: 100 }), (pieces, cap) => {
        const kept = new Map<string, Uint8Array>()
        const putSmall = (hash: BlobHash, bytes: Uint8Array): void => void kept.set(hash, bytes)
        const spool = createSpool({ files: null, write: (work) => work(), putSmall, cap })
        for (const piece of pieces) spool.write(piece)
        const all = Buffer.concat(pieces)
        const expected = all.subarray(0, cap)
        const end = spool.end()
        expect(end).toEqual(all.length === 0 ? null : { hash: sha256(expected), bytes: expected.length, capped: all.length > cap })
        if (end) expect(Buffer.from(kept.get(end.hash) ?? []).equals(expected)).toBe(true)
      }),
    )
  })

  it('copies its input, so that the buffer can be reused', async () => {
    const { blobs } = await openedInMemory()
    const buffer = Buffer.from('first')
    const spool = blobs.openSpool()
    spool.write(buffer)
    buffer.write('other')
    const end = spool.end()
    expect(end && Buffer.from(blobs.get(end.hash)).toString()).toBe('first')
  })

  it('uses memory independent of the amount of data', { timeout: 60_000 }, async () => {
    const { blobs } = await opened(tempFolder())
    const piece = randomBytes(256 * 1024)
    const spool = blobs.openSpool()
    spool.write(piece)
    const before = process.memoryUsage().rss
    for (let n = 0; n < 400; n++) spool.write(piece)
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
    expect(spool.end()).toMatchObject({ bytes: 401 * piece.length, capped: false })
  })
})
