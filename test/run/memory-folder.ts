import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../support/is-alive.ts'

const MEMORY = '/dev/shm'
/** Short, because the path of a socket in a folder of a test must have less than 108 bytes. */
const PREFIX = 'csgn-'
/** Minimum free space in bytes. The tests use only a small part of it at any time. */
const ENOUGH = 4 * 1024 ** 3

/**
 * Creates a temporary folder in memory, where making files durable costs nothing: the fast tests create thousands of databases, and would
 * wait for the disk for half of their time. The slow tests use the disk. Returns null if whoever runs the tests has chosen a folder with
 * `TMPDIR`, or if this machine has no file system in memory with enough space in which programs may run. Folders of killed runs are
 * removed.
 */
export function memoryFolder(): string | null {
  if (process.env['TMPDIR'] !== undefined || !mayRunPrograms()) return null
  for (const name of readdirSync(MEMORY).filter(isLeftOver)) removeIfOwn(join(MEMORY, name))
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < ENOUGH) return null
  const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`))
  // Some tests run programs as another user.
  chmodSync(folder, 0o1777)
  return folder
}

function removeIfOwn(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // It belongs to another user.
  }
}

function isLeftOver(name: string): boolean {
  const [pid = ''] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-') : []
  return /^\d+$/.test(pid) && !isAlive(Number(pid))
}

function mayRunPrograms(): boolean {
  try {
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
    const [, , type, options = ''] = mounts.findLast((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? []
    return type === 'tmpfs' && !options.split(',').includes('noexec')
  } catch {
    return false
  }
}
