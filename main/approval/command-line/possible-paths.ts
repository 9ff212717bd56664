import { posix } from 'node:path'
import { isControlFile } from '../control-files.ts'
import { programOf, startsOf, subcommandOfGit } from './started-programs.ts'
import type { CommandWord } from './command-word.ts'
import { isHarmlessDevice } from './known-places.ts'

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Programs whose arguments are not paths. */
const TEXT_PROGRAMS = setOf(': echo printf test [ export declare local read expr seq sleep kill cd pushd')
/** Programs whose first operand is a script, which is not a path but may name control files. */
export const SCRIPTED = setOf('sed awk gawk perl ruby jq grep egrep rg python python3 node')
/** Programs that read all their operands except the last, which they write. */
export const COPIERS = setOf('cp scp')
/** Git subcommands that do not change the files passed to them. */
const GIT_LEAVES = setOf('add commit push fetch tag branch log diff show blame status stash ls-files grep')

/** The words that may be paths, in a command that is not known to only read. */
export function possiblePaths(words: readonly CommandWord[]): readonly CommandWord[] {
  const [first, ...args] = words
  const program = programOf(first)
  if (program === null || TEXT_PROGRAMS.has(program)) return []
  if (program === 'git') return gitOperands(args)
  if (program === 'dd') return args.filter(({ text }) => text.startsWith('of=')).flatMap(spelled)
  if (program === 'find')
    return args.map((word) => (word.kind === 'literal' && /[*?[]/u.test(word.text) ? { ...word, kind: 'pattern' } : word))
  const own = args.filter(({ text }) => !text.startsWith('-'))
  if (program === 'sed') return [...own.flatMap(writtenBySed), ...own.slice(0, 1).flatMap(pieces), ...own.slice(1).flatMap(spelled)]
  if (SCRIPTED.has(program)) return [...own.slice(0, 1).flatMap(pieces), ...own.slice(1).flatMap(spelled)]
  if (COPIERS.has(program)) return copied(args)
  return args.flatMap(spelled)
}

function gitOperands(args: readonly CommandWord[]): readonly CommandWord[] {
  const at = subcommandOfGit(args)
  const isLeft = GIT_LEAVES.has(args[at]?.text ?? '')
  return (isLeft ? args.filter(({ text }, index) => index < at || text.startsWith('--output=')) : args).flatMap(spelled)
}

/** The target of `cp` or `scp` and, if the target may be a folder, the paths that the copied files get in it. */
function copied(args: readonly CommandWord[]): readonly CommandWord[] {
  const own = args.filter(({ text }) => !text.startsWith('-'))
  const target = own.at(-1)
  if (target === undefined || args.some(({ text }) => /^-[a-zA-Z]*t|^--target/u.test(text))) return args.flatMap(spelled)
  const replaces = args.some(({ text }) => /^-[a-zA-Z]*[sl]|^--(?:remove|symbolic|link)/u.test(text))
  if (isHarmlessDevice(target.text) && !replaces) return []
  const isFolder = own.length > 2 || !/\.\w/u.test(posix.basename(target.text))
  const inside = isFolder ? own.slice(0, -1).map((word) => ({ ...word, text: posix.join(target.text, posix.basename(word.text)) })) : []
  return [...args.filter(({ text }) => text.startsWith('-')).flatMap(spelled), target, ...inside]
}

/**
 * The paths that one word may contain: the word itself, the value in `--flag=value`, `-Xvalue` and `key=value`, and the parts of
 * `host:path`.
 */
function spelled(word: CommandWord): readonly CommandWord[] {
  const { text } = word
  if (/^\w[\w+.-]*:\/\//u.test(text)) return [{ ...word, text: posix.basename(text) }]
  const values = text.startsWith('--') || /^\w+=/u.test(text) ? [text.slice(text.indexOf('=') + 1)] : []
  const letters = word.kind !== 'unknown' && /^-[a-zA-Z]/u.test(text) ? [...text].slice(2, 10).map((_, at) => text.slice(at + 2)) : []
  const own = text.startsWith('-') ? [] : [text, ...text.split(':').slice(1)]
  return [...own, ...values, ...letters].filter((each) => each !== '').map((each) => ({ ...word, text: each }))
}

/** The file of a `w file` command in a sed script. */
function writtenBySed(word: CommandWord): readonly CommandWord[] {
  const [, file] = word.kind === 'unknown' ? [] : (/(?:^|[;\s{}]|\/[gpiI\d]*)[wW]\s+(\S+)/u.exec(word.text) ?? [])
  return file === undefined ? [] : [{ ...word, text: file }]
}

/** Names of control files in a script. */
function pieces(word: CommandWord): readonly CommandWord[] {
  if (word.kind === 'unknown') return []
  return word.text
    .split(/[\s'"`(),;|<>=:{}]+/u)
    .filter((piece) => piece !== '' && !piece.startsWith('/') && isControlFile(piece.split('/')))
    .map((text) => ({ ...word, text }))
}

/** The files that `sed -i` and `perl -i` edit. If `-e` is not a separate word, some of them may be scripts. */
export function editedInPlace(words: readonly CommandWord[]): readonly CommandWord[] {
  const [editor, ...args] = startsOf(words).find(([first]) => ['sed', 'perl'].includes(programOf(first) ?? '')) ?? []
  if (editor === undefined || !args.some(({ text }) => /^-[a-zA-Z]*i|^--in-place/u.test(text))) return []
  const operands = args.filter(({ text }, at) => !text.startsWith('-') && !/^-[a-zA-Z]*e$/u.test(args[at - 1]?.text ?? ''))
  return args.some(({ text }) => /^-[a-zA-Z]*e/u.test(text)) ? operands : operands.slice(1)
}
