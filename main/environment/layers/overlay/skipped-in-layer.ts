import { lstatSync } from 'node:fs'
import { isInside } from '../../../is-inside.ts'
import { orNull } from '../../environment-failure.ts'
import { fileText, ignoredBelow } from '../../search/ignore/folder-ignore-rules.ts'
import { smallFilesBelow } from '../small-files.ts'
import { parentOf } from '../reached-paths.ts'
import { type IsSkipped, isKnownOpaque, type KnownOpaque } from './upper-entries.ts'

/** The beginning of the names of files that exist only while a program is started or a file is written. */
const OURS = '.countersign-'

interface SkippedParts {
  /** The real path of the folder. */
  readonly folder: string
  /** The layer's upper folders, the uppermost first. */
  readonly uppers: readonly string[]
  readonly opaque: KnownOpaque
  /** Whether the folder's own rules ignore a path. */
  readonly isIgnored: IsSkipped
}

/**
 * Tells which entries of a layer do not count as changes: those that the layer's rules ignore. But an entry that the folder has too, and
 * does not ignore, always counts: a session that adds a file to `.gitignore` has still changed it.
 */
export function skippedIn({ folder, uppers, opaque, isIgnored }: SkippedParts): IsSkipped {
  const isIgnoredInLayer = ignoredBelow(folder, textsInLayer({ folder, uppers, opaque }))
  return (path, isFolder) => {
    if (path.slice(path.lastIndexOf('/') + 1).startsWith(OURS)) return true
    if (!isIgnoredInLayer(path, isFolder)) return false
    const below = orNull(() => lstatSync(`${folder}/${path}`))
    return below === null || isIgnored(path, below.isDirectory())
  }
}

/**
 * The text of a file with ignore rules as programs in the layer see it: a session may write the first `.gitignore` itself, or remove the
 * folder of another one. Null if there is none.
 */
function textsInLayer({ folder, uppers, opaque }: Omit<SkippedParts, 'isIgnored'>): (file: string) => string | null {
  const known = new Map<string, boolean>()
  /** Whether the entries of lower folders are visible in this folder of an upper folder. */
  const showsThrough = (upper: string, path: string): boolean => {
    if (path === '') return true
    const at = `${upper}/${path}`
    const before = known.get(at)
    if (before !== undefined) return before
    const stats = orNull(() => lstatSync(at, { bigint: true }))
    const shows = stats === null || (stats.isDirectory() && !isKnownOpaque(opaque, upper, path, stats))
    const found = shows && showsThrough(upper, parentOf(path))
    known.set(at, found)
    return found
  }
  return (file) => {
    if (!isInside(folder, file)) return fileText(file)
    const path = file.slice(folder.length + 1)
    for (const upper of uppers) {
      const own = orNull(() => lstatSync(`${upper}/${path}`))
      // Removed, or replaced by something that is not a file.
      if (own !== null) return own.isFile() ? smallText(upper, path) : null
      if (!showsThrough(upper, parentOf(path))) return null
    }
    return fileText(file)
  }
}

/** A program may put a link or a pipe in the place of the file meanwhile. */
function smallText(upper: string, path: string): string | null {
  const small = smallFilesBelow(upper)
  const found = small.read(path)
  small.dispose()
  return found === null || found === 'large' ? null : Buffer.from(found.bytes).toString()
}
