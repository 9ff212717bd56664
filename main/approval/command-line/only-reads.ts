import { posix } from 'node:path'
import { isInside } from '../../is-inside.ts'
import type { Run } from './program-invocation.ts'
import { joined } from './shell-folders.ts'
import type { CommandLine } from './read-command-line.ts'
import type { CommandWord } from './command-word.ts'
import { isHarmlessDevice, isSecret, isSystemPath, isTemporaryPlace, mayFindSecret } from './known-places.ts'
import { operandsOf, pathsOf, READ_ONLY_PROGRAMS } from './read-only-program.ts'

/** Programs that show names and sizes, but no file contents. */
const SHOW_NO_CONTENT: ReadonlySet<string> = new Set(['ls', 'stat', 'wc', 'du', 'df', 'tree', 'find', 'realpath', 'readlink', 'test', '['])
/** Number of words in the longest name in the table, such as `git remote get-url`. */
const MAX_NAMES = 3

/**
 * Whether a line is proven to only read: each of its commands is a program in the table, with flags that do not make it do more. All files
 * that it reads are in the folder or belong to the system, and contain no secrets. Output is redirected only to `/dev/null` or to another
 * descriptor.
 */
export function onlyReads({ runs, isPlain }: CommandLine, root: string): boolean {
  return isPlain && runs.length > 0 && runs.every((run) => readsOnly(run, root))
}

function readsOnly(run: Run, root: string): boolean {
  const { words, sets, writesTo, readsFrom, folders } = run
  if (sets.length > 0 || folders === null || folders.some((folder) => !isInside(root, posix.resolve(folder)))) return false
  if (!writesTo.every(({ text, kind }) => kind === 'literal' && isHarmlessDevice(text))) return false
  const paths = words.length === 0 ? [] : readPaths(words)
  return paths !== null && [...paths, ...readsFrom].every((word) => mayRead(word, folders, root, words[0]?.text ?? ''))
}

/** The files that a command reads. Null if it is not proven that it only reads. */
export function readPaths(words: readonly CommandWord[]): readonly CommandWord[] | null {
  const [program, ...args] = words
  if (program === undefined || words.some(({ kind }) => kind === 'unknown')) return null
  if (program.text === 'cd') return args.length === 1 && args[0]?.kind === 'literal' && !args[0].text.startsWith('-') ? args : null
  for (let count = Math.min(MAX_NAMES, words.length); count > 0; count--) {
    const name = words.slice(0, count)
    const row = name.every(({ kind }) => kind === 'literal') ? READ_ONLY_PROGRAMS.get(name.map(({ text }) => text).join(' ')) : undefined
    if (!row) continue
    const operands = operandsOf(row, words.slice(count))
    return operands && pathsOf(row, operands)
  }
  return null
}

function mayRead({ text, kind }: CommandWord, folders: readonly string[], root: string, program: string): boolean {
  if (kind === 'unknown') return false
  const isHidden = !SHOW_NO_CONTENT.has(program)
  // `HEAD:path` and `HEAD:./path` name a file in a commit.
  const named = program === 'git' ? [text, text.slice(text.indexOf(':') + 1)] : [text]
  if (isHidden && named.some((each) => (kind === 'pattern' ? mayFindSecret(each) : isSecret(each)))) return false
  return folders.every((folder) => {
    const path = posix.resolve(joined(folder, text))
    if (isHidden && isSecret(path)) return false
    const isOpen = program === 'cd' || program === 'git' ? isInside(root, path) : isSystemPath(path) || isTemporaryPlace(path, root)
    return isInside(root, path) || isOpen || isHarmlessDevice(path)
  })
}
