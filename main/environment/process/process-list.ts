import { MARKER_VARIABLE } from './marker.ts'

/** A process that belongs to a command: in its group, carrying its marker, or writing to its output. */
export interface FoundProcess {
  readonly pid: number
  /** The kernel's start time in its own unit, which with the pid names a process for good; null where it is not known. */
  readonly startTime: string | null
  /** Of one of the groups that were searched for, not only marked. */
  readonly inGroup: boolean
}

export interface Search {
  /** Members of these process groups. */
  readonly groups: ReadonlySet<number>
  /** Start of the marker's value. */
  readonly marker: string
  /** What the commands write to, by `outputsOf`: whoever still holds that was started by them, even with an environment of its own. */
  readonly outputs?: ReadonlySet<string>
}

/**
 * One column to each `-o`: on FreeBSD everything behind the `=` of one is its heading. macOS: `-E` shows the environment of the user's own
 * processes behind the command, but not that of the programs that come with the system.
 */
export const PS_COLUMNS = ['pid', 'ppid', 'pgid', 'stat', 'command'].flatMap((column) => ['-o', `${column}=`])

interface Listed {
  readonly pid: number
  readonly parent: number
  readonly inGroup: boolean
  readonly matches: boolean
}

/**
 * What of a list by `ps` belongs to a command: members of its groups, what carries its marker, and the children of these, since a program of
 * the system that left the group shows no environment. Zombies are dead, and `own` is never among it.
 */
export function findInList(text: string, search: Search, own: number): readonly FoundProcess[] {
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
