import { isBelow } from './start/sandbox-view.ts'

/** Maximum number of hidden places that are listed. */
const MAX_NAMED_PLACES = 5
/** A line in which a program says that it could not access something. */
const MISSING = /no such file|not found|cannot|can't|could not|ENOENT|EACCES|permission denied|does not exist|nonexistent/iu

export interface Noted {
  readonly output: string
  /** Real path of the copied folder. */
  readonly folder: string
  /** Real paths that exist outside the copy and were hidden from the command. */
  readonly hidden: readonly string[]
  /** Paths that rules forbid the command to read or change. */
  readonly denied: readonly string[]
  /** Number of entries that the command changed below home and that later commands of the session see. */
  readonly homeKept: number
  /** Number of entries that the command changed below home and that are gone. */
  readonly homeLost: number
  /** Number of processes that were still running when the command ended. */
  readonly leftRunning: number
}

/** What the agent and the user must know about a copy in addition to its changes, as sentences. */
export function notesAboutCopy({ output, folder, hidden, denied, homeKept, homeLost, leftRunning }: Noted): readonly string[] {
  const missed = hiddenIn(output, hidden, folder)
  const refused = deniedIn(output, denied, folder)
  return [
    ...(refused.length > 0 ? [`A rule denies commands to read or change: ${refused.join(', ')}. Do not look for another way.`] : []),
    ...(missed.length > 0 ? [`Hidden from commands in a copy: ${missed.join(', ')}.`] : []),
    ...(homeKept > 0
      ? [
          `${homeKept === 1 ? 'One change under the home folder is' : `${homeKept} changes under the home folder are`} kept for this session's commands only.`,
        ]
      : []),
    ...(homeLost > 0
      ? [
          `${homeLost === 1 ? 'One change under the home folder was' : `${homeLost} changes under the home folder were`} discarded with the copy.`,
        ]
      : []),
    ...(leftRunning > 0
      ? [
          `${leftRunning === 1 ? 'A process' : `${leftRunning} processes`} that the command left running ended with the copy. Run a command in the background to keep it running.`,
        ]
      : []),
  ]
}

/**
 * The hidden places that the command could not find or access, according to its output. A hidden place may contain the copied folder, whose
 * own paths do not count.
 */
function hiddenIn(output: string, hidden: readonly string[], folder: string): readonly string[] {
  const lines = output.split('\n').filter((line) => MISSING.test(line))
  const paths = new Set(lines.flatMap((line) => [...line.matchAll(/(?<![\w./-])\/[^\s'"‘’“”:;,()]+/gu)].map(([path]) => path)))
  const missed = [...paths].filter((path) => !isBelow(folder, path))
  return hidden.filter((place) => missed.some((path) => isBelow(place, path))).slice(0, MAX_NAMED_PLACES)
}

/** The denied places that appear in error lines of the output. Paths inside the folder are relative to it. */
function deniedIn(output: string, denied: readonly string[], folder: string): readonly string[] {
  const lines = output.split('\n').filter((line) => MISSING.test(line))
  const shown = denied.map((path) => (isBelow(folder, path) ? path.slice(folder.length + 1) : path))
  return shown.filter((path) => lines.some((line) => line.includes(path))).slice(0, MAX_NAMED_PLACES)
}
