import { wordList } from '../../../shared/lib/word-list.ts'
import { posix } from 'node:path'
import { isInside } from '../../is-inside.ts'
import { isControlFile } from '../control-files.ts'
import type { Run } from './program-invocation.ts'
import { joined } from './shell-folders.ts'
import { programOf, startsOf } from './started-programs.ts'
import type { CommandWord } from './command-word.ts'
import { COPIERS, editedInPlace, possiblePaths, SCRIPTED } from './possible-paths.ts'
import { isHarmlessDevice, isTemporaryPlace } from './known-places.ts'
import { readPaths } from './only-reads.ts'

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

/** Programs that write the files in their arguments. A file that is known only at run time may be anywhere. */
const WRITERS: ReadonlySet<string> = new Set(
  wordList('tee cp mv ln install dd rsync scp touch patch tar zip gzip gunzip split csplit truncate mkfifo'),
)
/** Programs that may replace or remove the given file, even if it is a device. */
const REPLACERS: ReadonlySet<string> = new Set(['mv', 'ln', 'cp', 'install', 'sed', 'perl', 'rm', 'rsync', 'unlink', 'shred'])
/** Programs that write below the folder in which they run. */
const MAKERS: ReadonlySet<string> = new Set([
  ...WRITERS,
  'mkdir',
  'chmod',
  'chown',
  'sed',
  'unzip',
  'find',
  'sort',
  'curl',
  'wget',
  'awk',
  'gawk',
  'shuf',
  'uniq',
  'base64',
  'openssl',
  'script',
])

/** The files that a command uses, unless its program uses none. */
export function usedFiles(run: Run, root: string): readonly UsedFile[] {
  const { words, values, writesTo, readsFrom, folders } = run
  const read = words.length > 0 ? readPaths(words) : []
  const isReplacing = REPLACERS.has(programOf(words[0]) ?? '')
  // For a command that only sets variables, the values count as paths, because a later command may write to a file at such a path.
  const operands = words.length === 0 ? values : read === null ? possiblePaths(words) : []
  const changed = operands.filter(({ text }) => isReplacing || !isHarmlessDevice(text))
  const removes = ['rm', 'unlink'].includes(programOf(words[0]) ?? '')
  const named =
    (isRead: boolean) =>
    ({ text, kind }: CommandWord): readonly UsedFile[] =>
      (folders ?? [root]).map((folder) => ({
        path: joined(folder, text),
        shown: text,
        kind,
        isRead,
        isEntry: removes && !text.endsWith('/'),
      }))
  const written = writesTo.filter(({ text }) => !isHarmlessDevice(text))
  return [...[...changed, ...written].flatMap(named(false)), ...[...(read ?? []), ...readsFrom].flatMap(named(true))]
}

/** Whether the command writes to a file that is known only at run time. */
export function writesUnknown({ words, writesTo, folders }: Run): boolean {
  const [writer, ...args] = startsOf(words).find(([first]) => WRITERS.has(programOf(first) ?? '')) ?? []
  const targets = [...(COPIERS.has(programOf(writer) ?? '') ? args.slice(-1) : args), ...editedInPlace(words), ...outputsOf(words)]
  const makes = startsOf(words).find((start) => MAKERS.has(programOf(start[0]) ?? '') && readPaths(start) === null) ?? []
  const isRelative = ({ text }: CommandWord): boolean => !text.startsWith('/') && !text.startsWith('-')
  const isUnknown = [...writesTo, ...targets].some(({ kind }) => kind === 'unknown')
  const isComposed = readPaths(words) === null && !SCRIPTED.has(programOf(words[0]) ?? '') && possiblePaths(words).some(isComposedWord)
  return isUnknown || isComposed || (folders === null && [...writesTo, ...makes.slice(1)].some(isRelative))
}

/** The files after options for an output: `-o file`, `-ofile`, `--output=file`, `-fprint file`. */
function outputsOf(words: readonly CommandWord[]): readonly CommandWord[] {
  const program = programOf(words[0]) ?? ''
  // In these programs, `-o` means something else: `grep -o "$word"`, `[ -o "$option" ]`.
  if (SCRIPTED.has(program) || program === '[' || program === 'test') return []
  return words.filter(
    ({ text }, at) => /^-(?:[oO]|-output|fprint0?|fprintf|fls)$/u.test(words[at - 1]?.text ?? '') || /^-(?:[oO]|-output=)\W/u.test(text),
  )
}

const isComposedWord = ({ text, kind }: CommandWord): boolean => kind === 'unknown' && !text.startsWith('-') && /[/`]|\$\(/u.test(text)

/** Whether a path is outside the folder, except for places for temporary files. */
export function liesOutside({ path, kind }: UsedFile, root: string): boolean {
  if (kind === 'unknown') return false
  const real = posix.resolve(path)
  return !isInside(root, real) && !isTemporaryPlace(real, root)
}

export function isControl({ path, kind }: UsedFile, root: string): boolean {
  const real = posix.resolve(path)
  const below = isInside(root, real) ? posix.relative(root, real) : real
  const names = below.split('/').filter((name) => name !== '')
  return isControlFile(names) || (kind === 'pattern' && isControlFile(names, fitsTellingGlob))
}

/** `*` and `?` alone fit every name, so they do not point at a control file. */
const fitsTellingGlob = (pattern: string, name: string): boolean => /[^*?]/u.test(pattern) && fitsGlob(pattern, name)

/**
 * Whether the shell may match `name`, one component of a path, with `pattern`. A bracket expression is treated like `?`, so the answer can
 * be a false yes but never a false no. The time is at most proportional to the product of both lengths.
 */
export function fitsGlob(pattern: string, name: string): boolean {
  const parts = pattern.match(/\[(?:!|\^)?\]?[^\]]*\]|[^]/gu) ?? []
  let part = 0
  let char = 0
  let star = -1
  let from = 0
  while (char < name.length) {
    const now = parts[part]
    if (now === '*') {
      star = part++
      from = char
    } else if (now === '?' || now === name[char] || (now !== undefined && now.length > 1)) {
      part++
      char++
    } else if (star >= 0) {
      part = star + 1
      char = ++from
    } else return false
  }
  return parts.slice(part).every((rest) => rest === '*')
}
