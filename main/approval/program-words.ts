import { basename } from 'node:path'
import type { ShellWord } from './shell-words.ts'

/** Programs that run a command line which they are given. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'ash', 'su', 'ssh'])

interface Wrapper {
  /** Operands of its own before the command that it runs. */
  readonly operands: number
  /** Its options that take the next word, by letter. */
  readonly valued: string
}

const PLAIN: Wrapper = { operands: 0, valued: '' }

/** Words that stand before the command that they run. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...'command builtin exec nohup setsid coproc busybox bunx ! { if then else elif while until do'
    .split(' ')
    .map((name): [string, Wrapper] => [name, PLAIN]),
  ['sudo', { operands: 0, valued: 'ugpChTUrtDR' }],
  ['doas', { operands: 0, valued: 'uC' }],
  ['env', { operands: 0, valued: 'uC' }],
  ['time', { operands: 0, valued: 'fo' }],
  ['nice', { operands: 0, valued: 'n' }],
  ['ionice', { operands: 0, valued: 'cnp' }],
  ['stdbuf', { operands: 0, valued: 'ioe' }],
  ['xargs', { operands: 0, valued: 'nPILdsEa' }],
  ['parallel', { operands: 0, valued: 'jIaN' }],
  ['watch', { operands: 0, valued: 'n' }],
  ['npx', { operands: 0, valued: 'p' }],
  ['timeout', { operands: 1, valued: 'sk' }],
  ['gtimeout', { operands: 1, valued: 'sk' }],
  ['chroot', { operands: 1, valued: '' }],
])

/** The program's plain name: no folder, no case, no `.exe`. */
export function programOf({ text }: ShellWord): string {
  return basename(text.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.exe$/u, '')
}

/** Without assignments, reserved words and the programs that start the one behind them. */
export function unwrapped(words: readonly ShellWord[]): readonly ShellWord[] {
  let rest = words
  for (;;) {
    const [word] = rest
    if (word === undefined) return []
    const wrapper = WRAPPERS.get(programOf(word))
    if (isAssignment(word)) rest = rest.slice(1)
    else if (wrapper) rest = behindOptions(rest.slice(1), wrapper)
    else return rest
  }
}

/** Whether the command gets rights of another user. */
export function isElevated(words: readonly ShellWord[]): boolean {
  return words.slice(0, words.length - unwrapped(words).length).some((word) => ['sudo', 'doas'].includes(programOf(word)))
}

function behindOptions(words: readonly ShellWord[], { operands, valued }: Wrapper): readonly ShellWord[] {
  let at = 0
  let left = operands
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const option = /^-[a-zA-Z]*([a-zA-Z])$/u.exec(word.text)?.[1]
    if (option !== undefined) at += valued.includes(option) ? 2 : 1
    else if (word.text.startsWith('-') || isAssignment(word)) at++
    else if (left-- > 0) at++
    else break
  }
  return words.slice(at)
}

const isAssignment = ({ text }: ShellWord): boolean => /^\w+\+?=/u.test(text)
