import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of a few megabytes that a test can fill completely. */
export interface SmallDisk {
  readonly path: string
  /** Fills the file system to the last byte. */
  fill(): void
  /** Frees the space that `fill` used. */
  free(): void
  remove(): void
}

/** The reason that is shown for a skipped test that needs a small disk. */
export const NO_SMALL_DISK = 'needs Linux and the right to mount a small file system'

/**
 * Mounts a small disk with room for at most `files` files and folders. Null if this process may not mount one. The caller must remove the
 * disk.
 */
export function smallDisk(megabytes: number, files = 10_000): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const path = mkdtempSync(join(tmpdir(), 'countersign-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `mode=0700,size=${megabytes}m,nr_inodes=${files}`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmSync(path, { recursive: true })
    return null
  }
  const ballast = join(path, 'ballast')
  return {
    path,
    fill: () => fillWith(ballast, (megabytes + 1) * 1024 * 1024),
    free: () => rmSync(ballast),
    remove() {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true })
    },
  }
}

function fillWith(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(bytes))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
    throw error
  }
  throw new Error(`${bytes} bytes found room on a disk that is smaller.`)
}
