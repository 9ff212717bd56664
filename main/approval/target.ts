import type { ShellWord } from './simple-command.ts'

/** Something that a command writes, as its words name it. */
export interface Target {
  readonly word: ShellWord
  /** The names under which it writes in it, if it is a folder. */
  readonly into: readonly string[]
  /** The words say that it is one. */
  readonly isFolder: boolean
}

export const fileTarget = (word: ShellWord): Target => ({ word, into: [], isFolder: false })
export const folderTarget = (word: ShellWord, into: readonly string[] = []): Target => ({ word, into, isFolder: true })
