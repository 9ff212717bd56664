import type { Disposable } from '../../shared/lib/disposable.ts'

/**
 * Something that a crash would leave behind. Times: `startTime` is the kernel's own, which makes a pid unique, null where there is none;
 * `since` is when the command began, in ms since 1970, null in the note of a version that did not say.
 */
export type CrashNote =
  | { readonly kind: 'temp-file'; readonly path: string }
  | {
      readonly kind: 'command'
      readonly pid: number
      readonly startTime: string | null
      readonly marker: string
      readonly command: string
      readonly cwd: string
      readonly since: number | null
    }

export type CommandNote = Extract<CrashNote, { kind: 'command' }>

/** Where the environment writes down what it is about to leave about, before it does; disposing crosses it out. */
export interface CrashNotes {
  note(entry: CrashNote): Disposable
}

export const NO_NOTES: CrashNotes = { note: () => ({ dispose: () => {} }) }
