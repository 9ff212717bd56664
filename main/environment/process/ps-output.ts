import { MARKER_VARIABLE } from './process-marker.ts'

/** A process of a command: in its group, with its marker, or writing to its output. */
export interface FoundProcess {
  readonly pid: number
  /** The kernel's start time, which together with the pid identifies a process. Null if unknown. */
  readonly startTime: string | null
  /**
   * Whether the process is in one of the groups that were searched for. False if it was found only in another way, such as by its marker.
   */
  readonly inGroup: boolean
}

export interface Search {
  /** Finds the members of these process groups. */
  readonly groups: ReadonlySet<number>
  /** Finds processes whose marker starts with this value. */
  readonly marker: string
  /** The commands' outputs, from `outputsOf`: processes that have them open were started by the commands, even without the marker. */
  readonly outputs?: ReadonlySet<string>
  /**
   * The start time of the process that started the commands, from `startTimeOf`: on Linux, what was started earlier is skipped, which saves
   * reading the environment of nearly all processes.
   */
  readonly since?: string | null
}

/**
 * Each column needs its own `-o`, because on FreeBSD the text after `=` is the heading. On macOS, `-E` adds the environment of the user's own
 * processes after the command, but not that of system programs.
 */
export const PS_COLUMNS = ['pid', 'ppid', 'pgid', 'stat', 'command'].flatMap((column) => ['-o', `${column}=`])

interface Listed {
  readonly pid: number
  readonly parent: number
  readonly inGroup: boolean
  readonly matches: boolean
}

/**
 * The processes in the output of `ps` that belong to a command: members of its groups, processes with its marker, and children of these.
 * The children are included because the marker is part of the environment, which `ps` does not show for system programs. Zombies and the
 * process `own` are left out.
 */
export function findInPsOutput(text: string, search: Search, own: number): readonly FoundProcess[] {
  const listed = text.split('\n').flatMap((line) => processIn(line, search) ?? [])
  const found = new Set(listed.filter(({ matches }) => matches).map(({ pid }) => pid))
  found.delete(own)
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const { pid, parent } of listed) if (found.has(parent) && pid !== own) found.add(pid)
  }
  return listed.filter(({ pid }) => found.has(pid)).map(({ pid, inGroup }) => ({ pid, startTime: null, inGroup }))
}

function processIn(line: string, { groups, marker }: Search): Listed | null {
  const [, pid, parent, group, state] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)/.exec(line) ?? []
  if (!pid || state?.startsWith('Z')) return null
  const inGroup = groups.has(Number(group))
  return { pid: Number(pid), parent: Number(parent), inGroup, matches: inGroup || line.includes(`${MARKER_VARIABLE}=${marker}`) }
}
