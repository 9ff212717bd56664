import type { CommandWord } from './command-word.ts'

/** Programs that run a script which they are given. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'su'])
/** Programs that start another one, which they are given as words. */
const STARTERS: ReadonlySet<string> = new Set([
  ...['sudo', 'doas', 'pkexec', 'runuser', 'env', 'nice', 'ionice', 'chrt', 'taskset', 'stdbuf', 'timeout', 'gtimeout', 'nohup', 'setsid'],
  ...['exec', 'command', 'builtin', 'time', 'xargs', 'parallel', 'watch', 'chroot', 'flock', 'strace', 'ltrace', 'unshare', 'nsenter'],
  ...['fakeroot', 'caffeinate', 'busybox', 'toybox', 'npx', 'bunx', 'script', 'ssh'],
])
/** More words than such a program has a use for before the one that it starts; a longer one is not understood. */
const MAX_WORDS = 200
/** The options of `find` that are followed by a program. */
const FIND_STARTS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** The plain name of a program: without its folder. Null: known only at run time. */
export function programOf(word: CommandWord | undefined): string | null {
  return word?.kind === 'literal' ? word.text.replace(/^.*\//u, '') : null
}

export const isCalled = (word: CommandWord | undefined, name: string): boolean => programOf(word) === name

/**
 * What a command may start, each as its words from the program on: itself, and behind `sudo`, `xargs` and their like every rest of its
 * words, since their options are not told apart from programs. So it finds too much at most.
 */
export function startsOf(words: readonly CommandWord[]): readonly (readonly CommandWord[])[] {
  const [first] = words
  const program = programOf(first)
  if (program === 'find' || program === 'fd') {
    const behind = words.flatMap(({ text }, at) =>
      FIND_STARTS.has(text) || (program === 'fd' && /^(?:-[xX]|--exec)/u.test(text)) ? [words.slice(at + 1)] : [],
    )
    return [words, ...behind]
  }
  if (program === null || !STARTERS.has(program)) return [words]
  return words
    .slice(0, MAX_WORDS)
    .map((_, at) => words.slice(at))
    .filter((rest, at) => at === 0 || rest[0]?.kind === 'literal')
}

/** Whether a program starts another one, which it is given as words. */
export const isStarter = (program: string): boolean => STARTERS.has(program) || SHELLS.has(program)

/** Whether the words do not tell which program runs: `$x y`, `sudo $x`. */
export function isNameless(words: readonly CommandWord[]): boolean {
  const [first, ...rest] = words
  if (first === undefined) return false
  const program = programOf(first)
  if (program === null) return true
  if (!STARTERS.has(program)) return false
  if (words.length > MAX_WORDS) return true
  const next = rest.find(({ text }) => !/^[-+]|^\d+[smhd]?$|^\w+=/u.test(text))
  return next !== undefined && (next.kind !== 'literal' ? true : isNameless([next, ...rest.slice(rest.indexOf(next) + 1)]))
}
