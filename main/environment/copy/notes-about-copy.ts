import { isBelow } from './start/sandbox-view.ts'

/** How many hidden places are named at most. */
const MAX_NAMED_PLACES = 5
/** A line in which a program says that it could not get at something. */
const MISSING = /no such file|not found|cannot|can't|could not|ENOENT|EACCES|permission denied|does not exist|nonexistent/iu

export interface Noted {
  /** What it printed. */
  readonly output: string
  /** Real path of the copied folder. */
  readonly folder: string
  /** Real paths that exist outside and were hidden. */
  readonly hidden: readonly string[]
  /** Entries that it changed below home, which later commands of the session see. */
  readonly homeKept: number
  /** Entries that it changed below home, which are gone. */
  readonly homeLost: number
  /** Processes that were still running when it ended. */
  readonly leftRunning: number
}

/** What agent and person must know about a copy besides its changes, as sentences. */
export function notesAboutCopy({ output, folder, hidden, homeKept, homeLost, leftRunning }: Noted): readonly string[] {
  const missed = hiddenIn(output, hidden, folder)
  return [
    ...(missed.length > 0 ? [`Hidden from commands in a copy: ${missed.join(', ')}.`] : []),
    ...(homeKept > 0
      ? [
          `${homeKept === 1 ? 'One change below the home folder is' : `${homeKept} changes below the home folder are`} kept for this session's commands only.`,
        ]
      : []),
    ...(homeLost > 0 ? [`${homeLost === 1 ? 'One change' : `${homeLost} changes`} below the home folder ended with the copy.`] : []),
    ...(leftRunning > 0
      ? [
          `${leftRunning === 1 ? 'A process' : `${leftRunning} processes`} that it left running ended with the copy. Run a command in the background to keep it running.`,
        ]
      : []),
  ]
}

/** The hidden places that the output misses. The copied folder may be in one of them. */
function hiddenIn(output: string, hidden: readonly string[], folder: string): readonly string[] {
  const lines = output.split('\n').filter((line) => MISSING.test(line))
  const paths = new Set(lines.flatMap((line) => [...line.matchAll(/(?<![\w./-])\/[^\s'"‘’“”:;,()]+/gu)].map(([path]) => path)))
  const missed = [...paths].filter((path) => !isBelow(folder, path))
  return hidden.filter((place) => missed.some((path) => isBelow(place, path))).slice(0, MAX_NAMED_PLACES)
}
