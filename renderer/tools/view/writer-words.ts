import type { Blame, LineWriter } from '../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { calendarDay, clockTime, clipped } from '../../ui/format.ts'

/** Who wrote a line, in a few words: "step 3", "step 3, the subagent code", "step 3 of Fix the dates", "outside of Countersign". */
export function writerWords(writer: LineWriter, here: SessionId): string {
  switch (writer.kind) {
    case 'earlier':
      return 'before the first recorded change'
    case 'outside':
      return 'outside of Countersign'
    case 'undo':
    case 'step': {
      const what = writer.kind === 'undo' ? `an undo after step ${writer.step}` : `step ${writer.step}`
      if (writer.sessionId === here) return writer.agentType === null ? what : `${what}, the subagent ${writer.agentType}`
      return `${what} of ${writer.agentType === null ? '' : `the subagent ${writer.agentType}, `}${clipped(writer.title || 'an untitled session', 40)}`
    }
  }
}

/** Returns what made a change, and when: "edit_file, 22 Nov 2026, 15:40:12", "found after npm run format, 22 Nov 2026, 15:40:12". */
export function writerDetails(writer: LineWriter): string {
  switch (writer.kind) {
    case 'earlier':
      return 'Countersign has not recorded who wrote it.'
    case 'outside':
      return `Changed by you or another program${writer.since === null ? '' : ` after ${timeOf(writer.since)}`}${writer.until === null ? '' : ` and before ${timeOf(writer.until)}`}.`
    case 'undo':
    case 'step': {
      const { toolName, command, isFound, at } = writer
      const by = command === null ? (toolName ?? 'undo') : `${isFound ? 'found after ' : ''}${clipped(command.split('\n', 1)[0] ?? '', 80)}`
      return `${by}, ${timeOf(at)}`
    }
  }
}

const timeOf = (at: number): string => `${calendarDay(at)}, ${clockTime(at)}`

/** Returns the writers of the lines `from` to `to` (both included, counted from 1). The writer with the most lines comes first. */
export function writersOf({ runs, writers }: Blame, from: number, to: number): readonly LineWriter[] {
  const counts = new Map<number, number>()
  for (const run of runs) {
    const lines = Math.min(to, run.from + run.count - 1) - Math.max(from, run.from) + 1
    if (lines > 0) counts.set(run.writer, (counts.get(run.writer) ?? 0) + lines)
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).flatMap(([writer]) => writers[writer] ?? [])
}
