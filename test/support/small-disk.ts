import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of a few megabytes, to be filled to the last byte. */
export interface SmallDisk {
  readonly path: string
  /** Fills it to the last byte. */
  fill(): void
  /** Gives back what `fill` took. */
  free(): void
  remove(): void
}

/** Why a test that needs one is skipped. */
export const NO_SMALL_DISK = 'needs Linux and the right to mount a small file system'

/** Null where none may be mounted. Whoever asked for it removes it. */
export function smallDisk(megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const path = mkdtempSync(join(tmpdir(), 'countersign-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
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
