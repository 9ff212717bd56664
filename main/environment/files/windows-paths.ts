import { win32 } from 'node:path'

/** With any ending, and whatever blanks follow: these are devices. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:\..*)?$/iu

/**
 * Why a path must not be opened on Windows, as the end of a sentence; null: it is an ordinary one. Node hands paths on with `\\?\` in front,
 * which has Windows take them literally: `notes.txt.` and `nul` would become files that no other program can open or delete. `root` is
 * absolute; a network folder is reached only where the root lies in it, since looking at another signs the person in there.
 */
export function notOrdinaryOnWindows(root: string, path: string): string | null {
  const backslashed = path.replaceAll('/', '\\')
  if (/^\\\\[?.]\\|^\\\?\?\\/u.test(backslashed)) return 'is a device path, which is not opened'
  if (/^[a-z]:(?!\\|$)/iu.test(backslashed)) return 'begins in the current folder of a drive; name the whole path'
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
  if (name.includes(':')) return 'names a stream behind a file, which is not opened'
  if (/[<>"|?*\x00-\x1f]/u.test(name)) return `holds a character that no name on Windows has (${JSON.stringify(name)})`
  if (/[. ]$/u.test(name)) return `has a name that ends with a dot or a blank, which Windows drops (${JSON.stringify(name)})`
  return DEVICE.test(name) ? `names a device of Windows (${JSON.stringify(name)})` : null
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
