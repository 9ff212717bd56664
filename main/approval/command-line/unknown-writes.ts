import { wordList } from '../../../shared/lib/word-list.ts'
import type { CommandWord } from './command-word.ts'
import { readPaths } from './only-reads.ts'
import { COPIERS, editedInPlace, possiblePaths, SCRIPTED } from './possible-paths.ts'
import type { Run } from './program-invocation.ts'
import { programOf, startsOf } from './started-programs.ts'

/** Programs that write the files in their arguments. A file that is known only at run time may be anywhere. */
const WRITERS: ReadonlySet<string> = new Set(
  wordList('tee cp mv ln install dd rsync scp touch patch tar zip gzip gunzip split csplit truncate mkfifo'),
)
/** Programs that write below the folder in which they run. */
const MAKERS: ReadonlySet<string> = new Set([
  ...WRITERS,
  ...wordList('mkdir chmod chown sed unzip find sort curl wget awk gawk shuf uniq base64 openssl script'),
])

/** Whether the command writes to a file that is known only at run time. */
export function writesUnknown(run: Run): boolean {
  const targets = [...run.writesTo, ...writtenArguments(run.words)]
  if (targets.some(({ kind }) => kind === 'unknown')) return true
  if (composesPath(run.words)) return true
  return run.folders === null && [...run.writesTo, ...madeArguments(run.words)].some(isRelative)
}

function writtenArguments(words: readonly CommandWord[]): readonly CommandWord[] {
  const [writer, ...args] = startsOf(words).find(([first]) => WRITERS.has(programOf(first) ?? '')) ?? []
  const written = COPIERS.has(programOf(writer) ?? '') ? args.slice(-1) : args
  return [...written, ...editedInPlace(words), ...outputsOf(words)]
}

/** The arguments of a program that may create files below the folder in which it runs. */
function madeArguments(words: readonly CommandWord[]): readonly CommandWord[] {
  const maker = startsOf(words).find((start) => MAKERS.has(programOf(start[0]) ?? '') && readPaths(start) === null)
  return maker?.slice(1) ?? []
}

/** Whether a path is put together at run time, such as `"$dir/file"`, in a command that is not proven to only read. */
function composesPath(words: readonly CommandWord[]): boolean {
  if (readPaths(words) !== null || SCRIPTED.has(programOf(words[0]) ?? '')) return false
  return possiblePaths(words).some(({ text, kind }) => kind === 'unknown' && !text.startsWith('-') && /[/`]|\$\(/u.test(text))
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

const isRelative = ({ text }: CommandWord): boolean => !text.startsWith('/') && !text.startsWith('-')
