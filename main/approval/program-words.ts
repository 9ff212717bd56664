import { basename } from 'node:path'
import type { ShellWord } from './simple-command.ts'

/** Programs that run a command line which they are given. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'ash', 'su', 'ssh'])

interface Wrapper {
  /** Operands of its own before the command that it runs. */
  readonly operands: number
  /** Its options that take the next word, by letter. */
  readonly valued: string
  /** Its long options that take the next word. */
  readonly long?: string
  /** Its options that name the folder in which the command runs. */
  readonly folder?: RegExp
  /** Its options that name a file into which it reports. */
  readonly report?: RegExp
}

const PLAIN: Wrapper = { operands: 0, valued: '' }

/** Words that stand before the command that they run. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...'command builtin exec nohup setsid coproc busybox bunx ! { if then else elif while until do'
    .split(' ')
    .map((name): [string, Wrapper] => [name, PLAIN]),
  ['sudo', { operands: 0, valued: 'ugpChTUrtDR', long: 'user group prompt chdir host role type other-user', folder: /^(?:-D|--chdir)=?/u }],
  ['doas', { operands: 0, valued: 'uC' }],
  ['runuser', { operands: 0, valued: 'ugGs', long: 'user group supp-group shell' }],
  ['pkexec', { operands: 0, valued: '', long: 'user' }],
  ['env', { operands: 0, valued: 'uC', long: 'unset chdir', folder: /^(?:-C|--chdir)=?/u }],
  ['time', { operands: 0, valued: 'fo', long: 'format output', report: /^(?:-[apqv]*o|--output)=?/u }],
  ['nice', { operands: 0, valued: 'n', long: 'adjustment' }],
  ['ionice', { operands: 0, valued: 'cnp', long: 'class classdata pid' }],
  ['stdbuf', { operands: 0, valued: 'ioe', long: 'input output error' }],
  ['xargs', { operands: 0, valued: 'nPILdsEa', long: 'max-args max-procs delimiter max-chars arg-file max-lines process-slot-var' }],
  ['parallel', { operands: 0, valued: 'jIaN', long: 'jobs max-args arg-file colsep delay joblog timeout' }],
  ['watch', { operands: 0, valued: 'n', long: 'interval' }],
  ['npx', { operands: 0, valued: 'p', long: 'package' }],
  ['timeout', { operands: 1, valued: 'sk', long: 'signal kill-after' }],
  ['gtimeout', { operands: 1, valued: 'sk', long: 'signal kill-after' }],
  ['chroot', { operands: 1, valued: '' }],
  ['flock', { operands: 1, valued: 'wE', long: 'timeout wait conflict-exit-code' }],
  ['taskset', { operands: 1, valued: '' }],
  ['strace', { operands: 0, valued: 'aeoOpPsSuIbEX', report: /^(?:-[cdfhikqrtTvVwxyYzZCnAD]*o|--output)=?/u }],
  ['function', { operands: 1, valued: '' }],
  ['unshare', PLAIN],
  ['fakeroot', PLAIN],
  ['caffeinate', PLAIN],
])

/** The program's plain name: no folder, no case, no `.exe`. */
export function programOf({ text }: ShellWord): string {
  return basename(text.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.exe$/u, '')
}

/** Without assignments, reserved words and the programs that start the one behind them. */
export function unwrapped(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const wrapper = WRAPPERS.get(programOf(word))
    if (isAssignment(word)) at++
    else if (wrapper) at = behindOptions(words, at + 1, wrapper)
    else break
  }
  return words.slice(at)
}

/** The names of the programs that start the one behind them. */
export function wrappersOf(words: readonly ShellWord[]): readonly string[] {
  return words.slice(0, words.length - unwrapped(words).length).map(programOf)
}

/** Whether the command gets rights of another user. */
export function isElevated(words: readonly ShellWord[]): boolean {
  return wrappersOf(words).some((name) => ['sudo', 'doas', 'pkexec', 'runuser'].includes(name))
}

/** The folders to which a command goes by its own options, in order: `env -C sub`, `sudo -D sub`, `git -C sub`. */
export function folderWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const [name, ...rest] = unwrapped(words)
  const wrapped = wrapperValues(words, 'folder')
  return name !== undefined && programOf(name) === 'git' ? [...wrapped, ...gitFolders(rest)] : wrapped
}

/** The files into which the programs before a command report on it: `time -o file`. */
export function reportWords(words: readonly ShellWord[]): readonly ShellWord[] {
  return wrapperValues(words, 'report')
}

function wrapperValues(words: readonly ShellWord[], kind: 'folder' | 'report'): readonly ShellWord[] {
  const before = words.slice(0, words.length - unwrapped(words).length)
  const options = new Set(before.flatMap((word) => WRAPPERS.get(programOf(word))?.[kind] ?? []))
  return [...options].flatMap((option) => before.flatMap((word, at) => valueOf(word, before[at + 1], option)))
}

function gitFolders(words: readonly ShellWord[]): readonly ShellWord[] {
  const end = words.findIndex(
    ({ text }, at) => !text.startsWith('-') && !/^(?:-C|-c|--git-dir|--work-tree|--namespace)$/u.test(words[at - 1]?.text ?? ''),
  )
  return words.slice(0, end < 0 ? undefined : end).flatMap((word, at) => valueOf(word, words[at + 1], /^-C/u))
}

function valueOf(word: ShellWord, next: ShellWord | undefined, option: RegExp): readonly ShellWord[] {
  const [name] = option.exec(word.text) ?? []
  if (name === undefined) return []
  const rest = word.text.slice(name.length)
  return rest === '' ? (next ? [next] : []) : [{ text: rest, expands: word.expands }]
}

/** Where a wrapper's own words end that begin at `at`. */
function behindOptions(words: readonly ShellWord[], from: number, { operands, valued, long = '' }: Wrapper): number {
  let at = from
  let left = operands
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const letters = /^-([a-zA-Z].*)$/su.exec(word.text)?.[1]
    if (letters !== undefined) {
      const value = [...letters].findIndex((letter) => valued.includes(letter))
      at += value >= 0 && value === letters.length - 1 ? 2 : 1
    } else if (word.text.startsWith('--')) at += word.text !== '--' && long.split(' ').some((name) => `--${name}` === word.text) ? 2 : 1
    else if (word.text.startsWith('-') || isAssignment(word)) at++
    else if (left-- > 0) at++
    else break
  }
  return Math.min(at, words.length)
}

const isAssignment = ({ text }: ShellWord): boolean => /^\w+\+?=/u.test(text)
