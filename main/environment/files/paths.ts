import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, win32 } from 'node:path'
import { codeOf, EnvironmentFailure } from '../environment-failure.ts'

/** The number of links that Linux follows before it reports a loop. */
const MAX_LINKS = 40

/**
 * Returns an absolute path without `.` and `..`. `~` is an ordinary name. Throws `EINVAL` for a NUL or an empty path, and on Windows for
 * special paths.
 */
export function absolutePath(root: string, path: string): string {
  if (path === '') throw new EnvironmentFailure('EINVAL', 'The path is empty.')
  if (path.includes('\0')) throw new EnvironmentFailure('EINVAL', 'The path contains a NUL character.')
  const why = process.platform === 'win32' ? notOrdinaryOnWindows(root, path) : null
  if (why !== null) throw new EnvironmentFailure('EINVAL', `${path} ${why} (EINVAL).`)
  return resolve(root, path)
}

/**
 * The real path of a file. If the file does not exist, the real path of its nearest existing ancestor with the rest appended. For a
 * dangling link, the path to which it points. Throws `ELOOP` for a loop of links.
 */
export async function nearestRealPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  const parent = dirname(path)
  if (parent === path) return path
  const realParent = await nearestRealPath(parent, links)
  const here = join(realParent, basename(path))
  const target = await linkTarget(here)
  if (target === null) return here
  if (links >= MAX_LINKS) throw new EnvironmentFailure('ELOOP', `Could not resolve ${path}: its symbolic links form a loop (ELOOP).`)
  return nearestRealPath(resolve(realParent, target), links + 1)
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

/** Device names, with any extension and trailing spaces. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:\..*)?$/iu

/**
 * Why a path must not be opened on Windows, as the end of a sentence. Null if it is an ordinary path. Node prefixes paths with `\\?\`,
 * which makes Windows use them literally: `notes.txt.` and `nul` would become files that no other program can open or delete. `root` is
 * absolute. Network folders are allowed only if the root is in one, because opening another one signs the user in to its server.
 */
export function notOrdinaryOnWindows(root: string, path: string): string | null {
  const backslashed = path.replaceAll('/', '\\')
  if (/^\\\\[?.]\\|^\\\?\?\\/u.test(backslashed)) return 'is a device path, which is not opened'
  if (/^[a-z]:(?!\\|$)/iu.test(backslashed)) return 'begins in the current folder of a drive; give the full path'
  const resolved = win32.resolve(root, path)
  const drive = win32.parse(resolved).root
  if (drive.startsWith('\\\\') && !isSame(drive, win32.parse(root).root)) return 'is a path to another computer, which is not opened'
  for (const name of resolved.slice(drive.length).split('\\')) {
    const why = notOrdinaryName(name)
    if (why !== null) return why
  }
  return null
}

function notOrdinaryName(name: string): string | null {
  if (name.includes(':')) return 'is an alternate data stream of a file, which is not opened'
  if (/[<>"|?*\x00-\x1f]/u.test(name)) return `contains a character that is invalid in Windows names (${JSON.stringify(name)})`
  if (/[. ]$/u.test(name)) return `has a name that ends with a dot or a space, which Windows drops (${JSON.stringify(name)})`
  return DEVICE.test(name) ? `is the name of a Windows device (${JSON.stringify(name)})` : null
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
