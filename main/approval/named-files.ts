import { posix } from 'node:path'
import { isInside } from '../inside.ts'
import { isControlFile } from './control-files.ts'
import { globMatches } from './glob-matches.ts'
import { joined } from './line/folders.ts'
import type { Run } from './line/run.ts'
import { programOf, startsOf } from './line/started.ts'
import type { CommandWord } from './line/word.ts'
import { isHarmlessDevice, isPassing } from './passing-places.ts'
import { readPaths } from './reading/only-reads.ts'

/** A file that a line names, as a path from where the command runs: `..` is kept, since behind a link only the disk tells its meaning. */
export interface NamedFile {
  readonly path: string
  /** As the line names it. */
  readonly shown: string
  readonly kind: CommandWord['kind']
  readonly isRead: boolean
}

/** Programs whose words are no paths, or read as far as they are. */
const TEXT_PROGRAMS: ReadonlySet<string> = new Set([
  ':',
  'echo',
  'printf',
  'test',
  '[',
  'export',
  'declare',
  'local',
  'read',
  'expr',
  'seq',
  'sleep',
  'kill',
  'cd',
  'pushd',
])
/** Programs whose first operand is a script, which is no path but may name control files. */
const SCRIPTED: ReadonlySet<string> = new Set([
  'sed',
  'awk',
  'gawk',
  'perl',
  'ruby',
  'jq',
  'grep',
  'egrep',
  'rg',
  'python',
  'python3',
  'node',
])
/** Programs that read their operands but the last. */
const COPIERS: ReadonlySet<string> = new Set(['cp', 'scp'])
/** Programs that write the files that they are given, so that one that only running tells may lie anywhere. */
const WRITERS: ReadonlySet<string> = new Set(['tee', 'cp', 'mv', 'ln', 'install', 'dd', 'rsync', 'scp', 'touch', 'patch'])
/** Programs that put another file in the place of the one that they are given, a device too. */
const REPLACERS: ReadonlySet<string> = new Set(['mv', 'ln', 'install', 'sed', 'perl', 'rm', 'rsync', 'unlink', 'shred'])
/** Programs that write below the folder in which they run. */
const MAKERS: ReadonlySet<string> = new Set([...WRITERS, 'touch', 'mkdir', 'chmod', 'chown', 'sed', 'patch', 'tar', 'unzip'])
/** Subcommands of git that leave the files alone that they name. */
const GIT_LEAVES = new Set([
  'add',
  'commit',
  'push',
  'fetch',
  'tag',
  'branch',
  'log',
  'diff',
  'show',
  'blame',
  'status',
  'stash',
  'ls-files',
  'grep',
])
/** The files that a command names, apart from those of programs which take none. */
export function namedFiles(run: Run, root: string): readonly NamedFile[] {
  const { words, writesTo, readsFrom, folders } = run
  const read = words.length > 0 ? readPaths(words) : []
  const isReplacing = REPLACERS.has(programOf(words[0]) ?? '')
  const operands =
    read === null
      ? operandsOf(words).filter(({ text }) => isReplacing || COPIERS.has(programOf(words[0]) ?? '') || !isHarmlessDevice(text))
      : []
  const named =
    (isRead: boolean) =>
    ({ text, kind }: CommandWord): readonly NamedFile[] =>
      (folders ?? [root]).map((folder) => ({ path: joined(folder, text), shown: text, kind, isRead }))
  const written = writesTo.filter(({ text }) => !isHarmlessDevice(text))
  return [...[...operands, ...written].flatMap(named(false)), ...[...(read ?? []), ...readsFrom].flatMap(named(true))]
}

/** Whether it writes to a file that only running tells. */
export function writesUnknown({ words, writesTo, folders }: Run): boolean {
  const [writer, ...args] = startsOf(words).find(([first]) => WRITERS.has(programOf(first) ?? '')) ?? []
  const targets = COPIERS.has(programOf(writer) ?? '') ? args.slice(-1) : [...args, ...editedInPlace(words)]
  const makes = startsOf(words).find(([first]) => MAKERS.has(programOf(first) ?? '')) ?? []
  const isRelative = ({ text }: CommandWord): boolean => !text.startsWith('/') && !text.startsWith('-')
  const isUnknown = [...writesTo, ...targets].some(({ kind }) => kind === 'unknown')
  const isComposed = readPaths(words) === null && !SCRIPTED.has(programOf(words[0]) ?? '') && operandsOf(words).some(isComposedWord)
  return isUnknown || isComposed || (folders === null && [...writesTo, ...makes.slice(1)].some(isRelative))
}

const isComposedWord = ({ text, kind }: CommandWord): boolean => kind === 'unknown' && !text.startsWith('-') && /[/`]|\$\(/u.test(text)

/** The files of `sed -i` and `perl -i`, which may be scripts where `-e` is not in a word of its own. */
function editedInPlace(words: readonly CommandWord[]): readonly CommandWord[] {
  const [editor, ...args] = startsOf(words).find(([first]) => ['sed', 'perl'].includes(programOf(first) ?? '')) ?? []
  if (editor === undefined || !args.some(({ text }) => /^-[a-zA-Z]*i|^--in-place/u.test(text))) return []
  const operands = args.filter(({ text }, at) => !text.startsWith('-') && !/^-[a-zA-Z]*e$/u.test(args[at - 1]?.text ?? ''))
  return args.some(({ text }) => /^-[a-zA-Z]*e/u.test(text)) ? operands : operands.slice(1)
}

/** Whether a path lies outside the folder, apart from places for what does not last. */
export function liesOutside({ path, kind }: NamedFile, root: string): boolean {
  if (kind === 'unknown') return false
  const real = posix.resolve(path)
  return !isInside(root, real) && !isPassing(real, root)
}

export function isControl({ path, kind }: NamedFile, root: string): boolean {
  const real = posix.resolve(path)
  const below = isInside(root, real) ? posix.relative(root, real) : real
  const names = below.split('/').filter((name) => name !== '')
  return isControlFile(names) || (kind === 'pattern' && isControlFile(names, globMatches))
}

/** What may be a path among the words of a command that is not known to only read. */
function operandsOf(words: readonly CommandWord[]): readonly CommandWord[] {
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
  const at = args.findIndex(({ text }, index) => !text.startsWith('-') && !/^-[Cc]$/u.test(args[index - 1]?.text ?? ''))
  const isLeft = GIT_LEAVES.has(args[at]?.text ?? '')
  return (isLeft ? args.filter(({ text }, index) => index < at || text.startsWith('--output=')) : args).flatMap(spelled)
}

/** The target, and in it the names of the sources. */
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

/** The paths that one word may hold: itself, the value of `--flag=value`, `-Xvalue` and `key=value`, the parts of `host:path`. */
function spelled(word: CommandWord): readonly CommandWord[] {
  const { text } = word
  if (/^\w[\w+.-]*:\/\//u.test(text)) return [{ ...word, text: posix.basename(text) }]
  const values = text.startsWith('--') || /^\w+=/u.test(text) ? [text.slice(text.indexOf('=') + 1)] : []
  const letters = word.kind !== 'unknown' && /^-[a-zA-Z]/u.test(text) ? [...text].slice(2, 10).map((_, at) => text.slice(at + 2)) : []
  const own = text.startsWith('-') ? [] : [text, ...text.split(':').slice(1)]
  return [...own, ...values, ...letters].filter((each) => each !== '').map((each) => ({ ...word, text: each }))
}

/** The file of `w file` in a script of sed. */
function writtenBySed(word: CommandWord): readonly CommandWord[] {
  const [, file] = /(?:^|[;\s{}]|\/[gpiI\d]*)[wW]\s+(\S+)/u.exec(word.text) ?? []
  return file === undefined ? [] : [{ ...word, text: file }]
}

/** Names in a script that are control files. */
function pieces(word: CommandWord): readonly CommandWord[] {
  return word.text
    .split(/[\s'"`(),;|<>=:{}]+/u)
    .filter((piece) => piece !== '' && !piece.startsWith('/') && isControlFile(piece.split('/')))
    .map((text) => ({ ...word, text }))
}
