import type { Disposable } from '../../shared/lib/disposable.ts'

/**
 * Something that a crash would leave behind. `startTime`: the kernel's start time of the process, which makes its pid unique. `startTime`
 * is null if the system has none. `since`: when the command began, in ms since 1970. `since` is null in notes of versions that did not
 * record it.
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

/** Writes a note before the environment creates something that a crash would leave behind. Disposing removes the note. */
export interface CrashNotes {
  note(entry: CrashNote): Disposable
}

export const NO_NOTES: CrashNotes = { note: () => ({ dispose: () => {} }) }
