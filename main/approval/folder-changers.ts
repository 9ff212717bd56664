import { unwrapped } from './program-words.ts'
import type { ShellWord, SimpleCommand } from './simple-command.ts'

/** Words by which a shell goes to another folder. */
export const FOLDER_CHANGERS: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd', 'chdir'])

const OPTION = /^-[LPe@n]+$|^--$/u

/** The folder that it names; undefined: none. */
export function folderOperand({ words }: SimpleCommand): ShellWord | undefined {
  return unwrapped(words)
    .slice(1)
    .find(({ text }) => !OPTION.test(text))
}

/** It says that links on the way are followed before `..` goes up. */
export function isPhysicalMove({ words }: SimpleCommand): boolean {
  return unwrapped(words)
    .slice(1)
    .some(({ text }) => OPTION.test(text) && text.includes('P'))
}

/** The same folder wherever the shell stands. */
export const isFixed = (word: ShellWord | undefined): boolean => word !== undefined && /^(?:\/|~(?:\/|$))/u.test(word.text)

/** CDPATH has no say in it: bash looks there for all that begins with none of `/`, `.` and `..`. */
export const hasFixedStart = (word: ShellWord | undefined): boolean =>
  isFixed(word) || (word !== undefined && /^\.{1,2}(?:\/|$)/u.test(word.text))
