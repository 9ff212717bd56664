import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes `bytes` to `file` by way of `temp` (same file system): afterwards the file is whole and on disk, or is as it was. */
export function writeDurably(temp: string, file: string, bytes: Uint8Array): void {
  const handle = openSync(temp, 'wx', 0o600)
  try {
    writeAll(handle, bytes)
  } catch (error) {
    discard(handle, temp)
    throw error
  }
  settle(handle, temp, file)
}

export function writeAll(handle: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(handle, bytes, written)
}

/** Brings a written temp file to disk and under its final name, folder included. Takes over `handle`; on failure the temp file is gone. */
export function settle(handle: number, temp: string, file: string): void {
  let open = true
  try {
    fdatasyncSync(handle)
    open = false
    closeSync(handle)
    const folder = dirname(file)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    renamePatiently(temp, file)
    syncFolder(folder)
  } catch (error) {
    if (open) closeSync(handle)
    rmSync(temp, { force: true })
    throw error
  }
}

export function discard(handle: number, temp: string): void {
  closeSync(handle)
  rmSync(temp, { force: true })
}

/** Waits between attempts, ms: 31 in all, since main stands still meanwhile. */
const WINDOWS_WAITS_MS = [1, 2, 4, 8, 16] as const

/** `renameSync`, patient on Windows, where a scanner that holds a file for a moment makes it fail: one more attempt behind each wait, ms. */
export function renamePatiently(
  from: string,
  to: string,
  waits: Iterable<number> = process.platform === 'win32' ? WINDOWS_WAITS_MS : [],
): void {
  for (const wait of waits) {
    try {
      return renameSync(from, to)
    } catch (error) {
      if (!HELD.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
  }
  renameSync(from, to)
}

/** What Windows says of a file that another program has open. */
const HELD: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'EACCES'])

/** A new name outlives a power cut only when its folder is on disk too. Windows knows no such thing. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
