import { wordList } from '../../../shared/lib/word-list.ts'
import type { CommandWord } from './command-word.ts'
import type { Run } from './program-invocation.ts'

/** Programs that run a script from their arguments. */
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'su'])
/** Programs whose arguments name another program, which they start. */
const STARTERS: ReadonlySet<string> = new Set(
  wordList(`
  sudo doas pkexec runuser env nice ionice chrt taskset stdbuf timeout gtimeout nohup setsid exec command builtin time xargs
  parallel watch chroot flock strace ltrace unshare nsenter fakeroot caffeinate busybox toybox npx bunx script ssh sem
  systemd-run tmux screen at batch flatpak-spawn machinectl
`),
)
/** Programs that start another program only with one of these subcommands. */
const STARTING_SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['docker', new Set(['run', 'exec'])],
  ['podman', new Set(['run', 'exec'])],
  ['flatpak', new Set(['run'])],
])
/**
 * Programs that start another program elsewhere: in a service, a terminal, a container or later. Some of them read it as text, or from a
 * file.
 */
const STARTS_ELSEWHERE: ReadonlySet<string> = new Set(
  wordList('systemd-run tmux screen at batch flatpak-spawn flatpak machinectl nsenter parallel sem docker podman'),
)
/** Maximum number of words that are read. A longer command is not understood. */
const MAX_WORDS = 200
/** The options of `find` that are followed by a program. */
const FIND_STARTS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** The plain name of a program, without its folder. Null if known only at run time. */
export function programOf(word: CommandWord | undefined): string | null {
  return word?.kind === 'literal' ? word.text.replace(/^.*\//u, '') : null
}

/** Options before git's subcommand that are followed by their value. */
const GIT_VALUES = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|config-env|attr-source))$/u

/** Returns the index of the subcommand in git's arguments, or -1 if there is none. */
export const subcommandOfGit = (args: readonly CommandWord[]): number =>
  args.findIndex(({ text }, at) => !text.startsWith('-') && !GIT_VALUES.test(args[at - 1]?.text ?? ''))

/** The words without the options between `git` and its subcommand, which change only where and how git runs. */
export function withoutGitOptions(words: readonly CommandWord[]): readonly CommandWord[] {
  const [program, ...args] = words
  const at = programOf(program) === 'git' ? subcommandOfGit(args) : 0
  return program === undefined || at <= 0 ? words : [program, ...args.slice(at)]
}

/** Subcommands of git itself. Any other name may be an alias, which stands for any subcommand or program. */
const GIT_SUBCOMMANDS: ReadonlySet<string> = new Set(
  wordList(`
  add am apply archive bisect blame branch bundle cat-file check-ignore checkout cherry-pick clean clone commit config describe
  diff diff-tree fetch for-each-ref format-patch fsck gc grep hash-object help init log ls-files ls-remote ls-tree maintenance
  merge merge-base mv notes pull push range-diff rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show
  show-ref sparse-checkout stash status submodule switch symbolic-ref tag update-index version worktree
`),
)

/** Whether words call git with a subcommand that may be an alias, as far as the text shows. */
export function mayBeGitAlias(words: readonly CommandWord[]): boolean {
  const [program, ...args] = words
  if (programOf(program) !== 'git') return false
  const name = args[subcommandOfGit(args)]
  return name?.kind === 'literal' && !GIT_SUBCOMMANDS.has(name.text)
}

const isCalled = (word: CommandWord | undefined, name: string): boolean => programOf(word) === name

/**
 * The programs that a command may start, each with its arguments: the command itself and, after `sudo`, `xargs` and similar programs, every
 * suffix of its words, because options are not distinguished from programs. May find too much, never too little.
 */
export function startsOf(words: readonly CommandWord[]): readonly (readonly CommandWord[])[] {
  const [first] = words
  const program = programOf(first)
  if (program === 'find' || program === 'fd') {
    const after = words.flatMap(({ text }, at) =>
      FIND_STARTS.has(text) || (program === 'fd' && /^(?:-[xX]|--exec)/u.test(text)) ? [words.slice(at + 1)] : [],
    )
    return [words, ...after]
  }
  if (!isStarterIn(words)) return withDashedGit(words)
  return words
    .slice(0, MAX_WORDS)
    .map((_, at) => words.slice(at))
    .filter((rest, at) => at === 0 || rest[0]?.kind === 'literal')
    .flatMap(withDashedGit)
}

/** The words and, for `git-push origin`, also `git push origin`. */
function withDashedGit(words: readonly CommandWord[]): readonly (readonly CommandWord[])[] {
  const [first, ...rest] = words
  const [, subcommand] = /^git-([a-z-]+)$/u.exec(programOf(first) ?? '') ?? []
  if (!first || subcommand === undefined) return [words]
  return [words, [{ ...first, text: 'git' }, { ...first, text: subcommand }, ...rest]]
}

/** Whether these words start another program, which later words name. */
function isStarterIn([first, ...args]: readonly CommandWord[]): boolean {
  const program = programOf(first)
  if (program === null) return false
  return STARTERS.has(program) || args.some(({ text }) => STARTING_SUBCOMMANDS.get(program)?.has(text))
}

/** Whether these words start another program or a script, which later words name. */
export const startsAnother = (words: readonly CommandWord[]): boolean => isStarterIn(words) || isShell(words[0])

/** Whether these words start another program in a place or in a way that the text may not show. */
export const startsElsewhere = (words: readonly CommandWord[]): boolean =>
  STARTS_ELSEWHERE.has(programOf(words[0]) ?? '') && isStarterIn(words)

/** Whether it is known only at run time which program runs: `$x y`, `sudo $x`. */
export function hasUnknownProgram(words: readonly CommandWord[]): boolean {
  const [first, ...rest] = words
  if (first === undefined) return false
  const program = programOf(first)
  if (program === null) return true
  if (!isStarterIn(words)) return false
  if (words.length > MAX_WORDS) return true
  const next = rest.find(({ text }) => !/^[-+]|^\d+[smhd]?$|^\w+=/u.test(text))
  return next !== undefined && (next.kind !== 'literal' ? true : hasUnknownProgram([next, ...rest.slice(rest.indexOf(next) + 1)]))
}

/**
 * The command lines that a command passes to a shell as text: `bash -c '…'`, `eval …`, `trap '…' EXIT`, a here-document. Null if one of
 * them is known only at run time. The name of a script file is parsed as a command line too. That is harmless, because nothing is found in
 * a name.
 */
export function scriptsOf(run: Run): readonly string[] | null {
  return allOf(startsOf(run.words).map((words) => scriptsBy(words, run)))
}

/** The command lines that a shell reads from the commands before it in the pipe, if those commands print their own words. */
export function pipedScripts({ words, input }: Run): readonly string[] | null {
  const reads = startsOf(words).some(([program, ...args]) => isShell(program) && withoutOptions(args).length === 0)
  return reads ? ifLiteral(input, (all) => all.map((each) => each.replaceAll('\\n', '\n'))) : []
}

/** The words that a command may print: its input and, for `echo`, `printf` and `find`, words from its arguments. */
export function printedBy({ words, input }: Run): readonly CommandWord[] {
  const [program, ...args] = words
  const own = ['echo', 'printf'].includes(programOf(program) ?? '') ? args : programOf(program) === 'find' ? (foundRoots(args) ?? []) : []
  return [...input, ...own]
}

/** The folders from which `find` returns everything. Null if it selects only a part. */
export function foundRoots(args: readonly CommandWord[]): readonly CommandWord[] | null {
  const picks = args.some(
    ({ text }, at) =>
      /^-(?:i?name|i?path|i?regex|newer.*|[mac]time|[mac]min|size|empty|user|perm)$/u.test(text) && args[at + 1]?.text !== '*',
  )
  const first = args.findIndex(({ text }) => /^[-(!]/u.test(text))
  const roots = first < 0 ? args : args.slice(0, first)
  return picks ? null : roots.length > 0 ? roots : [{ text: '.', kind: 'literal' }]
}

/** A command that `find` starts, without what marks its end: `git push` for `find -exec git push {} +`. */
export function withoutFindEnd(words: readonly CommandWord[]): readonly CommandWord[] {
  const end = words.findIndex(({ text }) => text === ';' || text === '{}')
  return end < 0 ? words : words.slice(0, end)
}

/**
 * The words of a command and, after `xargs` and similar programs, a word for the arguments that it reads at run time. For an alias, its
 * command and a word for what follows the alias later.
 */
export function withLaterWords(words: readonly CommandWord[]): readonly CommandWord[] {
  const later: CommandWord = { text: '', kind: 'unknown' }
  const [program, ...args] = words
  const command = isCalled(program, 'alias') ? args.flatMap(({ text }) => aliased(text) ?? []).join(' ') : ''
  if (command !== '') return [...wordList(command).map((text): CommandWord => ({ text, kind: 'literal' })), later]
  return words.some((word) => READS_ARGUMENTS.has(programOf(word) ?? '')) ? [...words, later] : words
}

/** Programs that read arguments of the program that they start. */
const READS_ARGUMENTS: ReadonlySet<string> = new Set(['xargs', 'parallel'])

function scriptsBy(words: readonly CommandWord[], { bodies, input }: Run): readonly string[] | null {
  const [program, ...args] = words
  if (isCalled(program, 'eval')) return ifLiteral(args, (all) => [all.join(' ')])
  if (isCalled(program, 'trap')) return ifLiteral(args.slice(0, 1), (all) => all)
  if (isCalled(program, 'alias')) return allOf(args.map(({ text }) => aliased(text)))
  if (isCalled(program, 'env')) return splitString(args)
  if (isCalled(program, 'git')) return gitScripts(args)
  if (!isShell(program)) return []
  return allOf([ifLiteral(withoutOptions(args), (all) => all), ifLiteral(input, (all) => all), bodies])
}

/**
 * The command of `name=command` or `name="command"`. Nothing for an option, or if no alias is defined. Null if the command is written in
 * another way, such as `name=two\ words`.
 */
function aliased(definition: string): readonly string[] | null {
  if (!definition.includes('=')) return []
  const [, double, single, bare] = /^[^=]+=(?:"([^"$`\\]*)"|'([^']*)'|([^\s"'$`\\]*))$/su.exec(definition) ?? []
  const command = double ?? single ?? bare
  return command === undefined ? null : [command]
}

const allOf = (scripts: readonly (readonly string[] | null)[]): readonly string[] | null =>
  scripts.includes(null) ? null : scripts.flatMap((each) => each ?? [])

const withoutOptions = (args: readonly CommandWord[]): readonly CommandWord[] => args.filter(({ text }) => !/^[-+]/u.test(text))

const isShell = (word: CommandWord | undefined): boolean => SHELLS.has(programOf(word) ?? '')

/** The scripts in commands such as `git rebase -x '…'` and `git submodule foreach '…'`. */
function gitScripts(args: readonly CommandWord[]): readonly string[] | null {
  const options = args
    .filter(({ text }) => text.startsWith('--exec='))
    .map((word) => ({ ...word, text: word.text.slice('--exec='.length) }))
  const after = args.filter((_, at) => ['-x', '--exec', 'foreach', '--recursive'].includes(args[at - 1]?.text ?? ''))
  return ifLiteral([...options, ...after], (all) => all)
}

/** The words of the command in `env -S 'program …'`. */
function splitString(args: readonly CommandWord[]): readonly string[] | null {
  const at = args.findIndex(({ text }) => /^(?:-[a-zA-Z]*S|--split-string)/u.test(text))
  const option = args[at]
  if (option === undefined) return []
  const rest = option.text.replace(/^(?:-[a-zA-Z]*?S|--split-string)=?/u, '')
  return ifLiteral(rest === '' ? args.slice(at + 1, at + 2) : [{ ...option, text: rest }], (all) => all)
}

function ifLiteral(words: readonly CommandWord[], make: (texts: readonly string[]) => readonly string[]): readonly string[] | null {
  if (words.some(({ kind }) => kind !== 'literal')) return null
  return words.length === 0 ? [] : make(words.map(({ text }) => text))
}
