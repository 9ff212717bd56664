import type { SessionId } from '../../lib/ids.ts'
import type { Trouble } from '../../session/events.ts'

/** A step or an undo that wrote lines. */
interface WritingStep {
  readonly kind: 'step' | 'undo'
  readonly sessionId: SessionId
  /** Title of the session. */
  readonly title: string
  /**
   * The type of the subagent that wrote the lines, in a step of its own or in its own copy of the folder. Changes in its copy are recorded
   * with the step that waited for it. Null if no subagent wrote them.
   */
  readonly agentType: string | null
  readonly folder: string
  readonly step: number
  /** Index of the step's ledger entry. Null if it has none. */
  readonly item: number | null
  /** Ms since 1970. */
  readonly at: number
  /** Canonical name of the tool. Null for an undo. */
  readonly toolName: string | null
  /** The command that made the change. Null if an edit tool or an undo made it. */
  readonly command: string | null
  /** Whether the change was found by comparing the folder. If so, someone else may have made it while the command was running. */
  readonly isFound: boolean
  /** The user's message before the step. Null if none was found. */
  readonly request: string | null
}

/**
 * Who wrote a line. `outside`: the user or another program, after `since` and before `until` (ms since 1970, null if unknown). `earlier`:
 * the line existed before the first recorded change of the file.
 */
export type LineWriter =
  | WritingStep
  | { readonly kind: 'outside'; readonly since: number | null; readonly until: number | null }
  | { readonly kind: 'earlier' }

/** Consecutive lines of one writer. `from` counts from 1, and `writer` is an index into the blame's writers. */
export interface WrittenLines {
  readonly from: number
  readonly count: number
  readonly writer: number
}

/** Who wrote each line of a version of a file. */
export interface Blame {
  readonly lines: number
  readonly runs: readonly WrittenLines[]
  readonly writers: readonly LineWriter[]
}

export type BlameOutcome = { readonly ok: true; readonly blame: Blame } | { readonly ok: false; readonly trouble: Trouble }

/** The writer of a line. `line` is counted from 1. Null if there is no such line. */
export function writerOf({ runs, writers }: Blame, line: number): LineWriter | null {
  const run = runs.find(({ from, count }) => line >= from && line < from + count)
  return run ? (writers[run.writer] ?? null) : null
}
