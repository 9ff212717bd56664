import { posix } from 'node:path'
import { fitsGlob } from '../../fits-glob.ts'
import { isInside } from '../../is-inside.ts'
import { isControlFile } from '../control-files.ts'
import type { CommandWord } from './command-word.ts'
import { isHarmlessDevice, isTemporaryPlace } from './known-places.ts'
import { readPaths } from './only-reads.ts'
import { possiblePaths } from './possible-paths.ts'
import type { Run } from './program-invocation.ts'
import { joined } from './shell-folders.ts'
import { programOf } from './started-programs.ts'

/**
 * A file that a line uses, as a path from the folder in which the command runs. `..` is kept, because its meaning after a link depends on
 * the disk.
 */
export interface UsedFile {
  readonly path: string
  /** The path as the line spells it. */
  readonly shown: string
  readonly kind: CommandWord['kind']
  readonly isRead: boolean
  /** Whether, if there is a link at the path, the line uses the link itself, not its target. */
  readonly isEntry: boolean
}

/** Programs that may replace or remove the given file, even if it is a device. */
const REPLACERS: ReadonlySet<string> = new Set(['mv', 'ln', 'cp', 'install', 'sed', 'perl', 'rm', 'rsync', 'unlink', 'shred'])
/** Programs that remove a link, not its target. */
const REMOVERS: ReadonlySet<string> = new Set(['rm', 'unlink'])

/** The files that a command uses, unless its program uses none. */
export function usedFiles(run: Run, root: string): readonly UsedFile[] {
  const { words, writesTo, readsFrom } = run
  const program = programOf(words[0]) ?? ''
  const read = words.length > 0 ? readPaths(words) : []
  const changed = changedWords(run, read !== null).filter(({ text }) => REPLACERS.has(program) || !isHarmlessDevice(text))
  const written = writesTo.filter(({ text }) => !isHarmlessDevice(text))
  const named = ({ text, kind }: CommandWord, isRead: boolean): readonly UsedFile[] =>
    (run.folders ?? [root]).map((folder) => ({
      path: joined(folder, text),
      shown: text,
      kind,
      isRead,
      isEntry: REMOVERS.has(program) && !text.endsWith('/'),
    }))
  return [
    ...[...changed, ...written].flatMap((word) => named(word, false)),
    ...[...(read ?? []), ...readsFrom].flatMap((word) => named(word, true)),
  ]
}

/** The words of a command that may be files which it changes. */
function changedWords({ words, values }: Run, onlyReads: boolean): readonly CommandWord[] {
  // For a command that only sets variables, the values count as paths, because a later command may write to a file at such a path.
  if (words.length === 0) return values
  return onlyReads ? [] : possiblePaths(words)
}

/** Whether a path is outside the folder, except for places for temporary files. */
export function liesOutside({ path, kind }: UsedFile, root: string): boolean {
  if (kind === 'unknown') return false
  const real = posix.resolve(path)
  return !isInside(root, real) && !isTemporaryPlace(real, root)
}

/** Whether the file is a control file, or is given by a pattern that may match one. */
export function isControl({ path, kind }: UsedFile, root: string): boolean {
  const real = posix.resolve(path)
  const below = isInside(root, real) ? posix.relative(root, real) : real
  const names = below.split('/').filter((name) => name !== '')
  return isControlFile(names) || (kind === 'pattern' && isControlFile(names, fitsTellingGlob))
}

/** `*` and `?` alone fit every name, so they do not point at a control file. */
const fitsTellingGlob = (pattern: string, name: string): boolean => /[^*?]/u.test(pattern) && fitsGlob(pattern, name)
