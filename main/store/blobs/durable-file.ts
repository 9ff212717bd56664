import { closeSync, fdatasyncSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes `bytes` to `temp` (on the same file system) and renames it to `file`. Afterwards the file is either complete and synced, or
 * unchanged.
 */
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

/** Writes `bytes` to the new file `temp` and syncs it, in Node's threads. Removes the file after a failure. */
export async function writeTempFile(temp: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(temp, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.datasync()
    await handle.close()
  } catch (error) {
    await handle.close().catch(() => {})
    rmSync(temp, { force: true })
    throw error
  }
}

/**
 * Appends a line to `file`, which is created if it is missing. The line is synced when this returns. If an earlier append was cut off in
 * the middle of a line, the new line is not joined to it.
 */
export function appendLineDurably(file: string, line: string): void {
  const handle = openSync(file, 'a+', 0o600)
  try {
    const { size } = fstatSync(handle)
    const last = Buffer.alloc(1)
    const endsInLine = size === 0 || (readSync(handle, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE)
    writeAll(handle, Buffer.from(`${endsInLine ? '' : '\n'}${line}\n`))
    fdatasyncSync(handle)
  } finally {
    closeSync(handle)
  }
  syncFolder(dirname(file))
}

const NEWLINE = 0x0a

export function writeAll(handle: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(handle, bytes, written)
}

/** Syncs a temp file, renames it and syncs the folder. Closes `handle`. Removes the temp file after a failure. */
export function settle(handle: number, temp: string, file: string): void {
  let open = true
  try {
    fdatasyncSync(handle)
    open = false
    closeSync(handle)
    moveDurably(temp, file)
  } catch (error) {
    if (open) closeSync(handle)
    rmSync(temp, { force: true })
    throw error
  }
}

/** Renames a synced temp file and syncs the folder, which is created if it is missing. */
export function moveDurably(temp: string, file: string): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  renamePatiently(temp, file)
  syncFolder(folder)
}

export function discard(handle: number, temp: string): void {
  closeSync(handle)
  rmSync(temp, { force: true })
}

/** Waiting times between attempts in ms. They add up to only 31 ms, because they block the main process. */
const WINDOWS_WAITS_MS = [1, 2, 4, 8, 16] as const

/** `renameSync` with retries on Windows, where it fails while a virus scanner has the file open. */
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

/** Windows error codes for a file that another program has open. */
const HELD: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'EACCES'])

/** A rename survives a power cut only if its folder is synced too. Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
