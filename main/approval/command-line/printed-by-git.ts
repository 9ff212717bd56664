import { posix } from 'node:path'
import { wordList } from '../../../shared/lib/word-list.ts'
import { isInside } from '../../is-inside.ts'
import type { CommandWord } from './command-word.ts'
import type { Run } from './program-invocation.ts'
import { programOf, startsOf, subcommandOfGit } from './started-programs.ts'

/** Subcommands that print the content of files, unless their options limit the output to names or counts. */
const PRINT: ReadonlySet<string> = new Set(wordList('show diff grep format-patch archive cat-file fast-export range-diff unpack-file'))
/** Subcommands that print the content of files only with an option for patches. */
const PRINT_PATCHES: ReadonlySet<string> = new Set(wordList('log whatchanged reflog stash diff-tree diff-index diff-files'))

const PATCH =
  /^(?:-[pucWL].*|--(?:patch|patch-with-.*|unified.*|cc|dd|remerge-diff|diff-merges.*|word-diff.*|color-words.*|function-context|binary|ext-diff))$/u
const NAMES_ONLY = /^(?:--(?:stat|compact-summary|shortstat|numstat|dirstat|name-only|name-status|summary|raw|no-patch|quiet)(?:=.*)?|-s)$/u
const FOUND_NAMES = /^(?:-[a-zA-Z]*[lLcq]|--(?:files-with-matches|files-without-match|name-only|count|quiet))$/u
const OBJECT_FACTS = /^-[tse]$/u

/** Which of git's files a command may print: all, or only what these words name. Null if it prints none. */
type Printed = 'all' | readonly CommandWord[] | null

function printedBy(words: readonly CommandWord[]): Printed {
  const [program, ...args] = words
  if (programOf(program) !== 'git') return null
  const at = subcommandOfGit(args)
  const name = args[at]?.text ?? ''
  const rest = args.slice(at + 1)
  const options = rest.filter(({ text }) => text.startsWith('-')).map(({ text }) => text)
  const isPatch = options.some((text) => PATCH.test(text))
  if (!PRINT.has(name) && !(PRINT_PATCHES.has(name) && isPatch)) return null
  if (name === 'grep' ? options.some((text) => FOUND_NAMES.test(text)) : !isPatch && options.some((text) => NAMES_ONLY.test(text)))
    return null
  if (name === 'cat-file' && options.some((text) => OBJECT_FACTS.test(text))) return null
  // In another folder or repository, the words after the subcommand name other files.
  if (args.slice(0, at).some(({ text }) => /^(?:-C|--git-dir|--work-tree)/u.test(text))) return 'all'
  const end = rest.findIndex(({ text }) => text === '--')
  if (end >= 0) return rest.slice(end + 1)
  const own = rest.filter(({ text }) => !text.startsWith('-'))
  const isPatternFirst = name === 'grep' && !options.some((text) => /^-[ef]/u.test(text))
  return isPatternFirst ? own.slice(1) : own
}

/** Whether git reads a word as a pattern of paths, or as an exclusion, and not as one path. */
const isPathspec = ({ text, kind }: CommandWord): boolean => kind !== 'literal' || text.startsWith(':') || /[*?[]/u.test(text)

/** Whether a program is git, and may print the content of files. */
export const mayPrintFiles = ({ words }: Run): boolean => startsOf(words).some((each) => printedBy(each) !== null)

/**
 * The files among `denied` that a git command of this program may print although no word says which they are. All paths are real.
 * `known`: the files that git knows in the folder and their folders, which tell the paths of a command from its revisions.
 */
export function deniedFilesPrinted(run: Run, known: ReadonlySet<string>, denied: readonly string[]): readonly string[] {
  return startsOf(run.words).flatMap((words) => {
    const printed = printedBy(words)
    if (printed === null) return []
    if (printed === 'all' || run.folders === null || printed.some(isPathspec)) return denied
    // The path of `git show HEAD:path` begins at the top of the repository, which may be above the folder.
    if (printed.length > 0 && printed.every(({ text }) => text.includes(':')))
      return denied.filter((path) => printed.some(({ text }) => path.endsWith(`/${text.slice(text.indexOf(':') + 1)}`)))
    const named = run.folders.flatMap((folder) => printed.map(({ text }) => posix.resolve(folder, text))).filter((path) => known.has(path))
    return named.length === 0 ? denied : denied.filter((path) => named.some((one) => isInside(one, path)))
  })
}
