import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import type { Disposable } from '../../../shared/lib/disposable.ts'
import { codeOf, orNull } from '../environment-failure.ts'

/** Files up to this size (bytes) are read synchronously, because a request to a thread takes longer than reading a small file. */
export const SMALL = 64 * 1024
const FOLDER = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY
/** A command that is still running may put a link or a pipe in the place of the file. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

interface SmallFile {
  readonly bytes: Uint8Array
  /** Permission bits. Null for a link. */
  readonly mode: number | null
}

/** Reads small files below a folder. It is fast if paths come in order, because the folders of the last path stay open. */
export interface SmallFiles extends Disposable {
  /** Follows no links: the bytes of a link are its target. Null if there is no file. `large`: it is larger than `SMALL`, and was not read. */
  read(path: string): SmallFile | 'large' | null
}

export function smallFilesBelow(root: string): SmallFiles {
  const open: { readonly name: string; readonly fd: number }[] = []
  const closeFrom = (depth: number): void => {
    for (const { fd } of open.splice(depth)) closeSync(fd)
  }
  const parentOf = (folders: readonly string[]): number => {
    const names = ['', ...folders]
    const same = names.findIndex((name, depth) => open[depth]?.name !== name)
    if (same >= 0 || open.length > names.length) closeFrom(same < 0 ? names.length : same)
    for (const name of names.slice(open.length)) {
      const above = open.at(-1)
      open.push({ name, fd: openSync(above === undefined ? root : `/proc/self/fd/${above.fd}/${name}`, FOLDER) })
    }
    return open.at(-1)?.fd ?? 0
  }
  return {
    read(path) {
      const folders = path.split('/')
      const name = folders.pop() ?? ''
      try {
        return readSmall(`/proc/self/fd/${parentOf(folders)}/${name}`)
      } catch (error) {
        if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(codeOf(error) ?? '')) return null
        throw error
      }
    },
    dispose: () => closeFrom(0),
  }
}

/** The target of a link. Null if there is no link, or if the target is not UTF-8: it could not be shown, and therefore not be signed. */
export function targetAt(path: string): Uint8Array | null {
  const target = orNull(() => readlinkSync(path, { encoding: 'buffer' }))
  return target && isUtf8(target) ? target : null
}

function readSmall(path: string): SmallFile | 'large' | null {
  const file = openedAt(path)
  if (file === 'link') {
    const target = targetAt(path)
    return target && { bytes: target, mode: null }
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return null
    if (stats.size > SMALL) return 'large'
    // `readFileSync` would ask for the size again, and read once more to find the end.
    const bytes = Buffer.allocUnsafeSlow(stats.size)
    const length = readSync(file, bytes)
    return { bytes: bytes.subarray(0, length), mode: stats.mode & 0o777 }
  } finally {
    closeSync(file)
  }
}

function openedAt(path: string): number | 'link' {
  try {
    return openSync(path, FILE)
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return 'link'
    throw error
  }
}
