import type { SessionId } from '../../lib/ids.ts'
import type { Trouble } from '../../session/events.ts'

/** A step, or an undo, that wrote lines. */
interface WritingStep {
  readonly kind: 'step' | 'undo'
  readonly sessionId: SessionId
  /** Of its session. */
  readonly title: string
  /** The type of the subagent that wrote them, in a session of its own or for a step that waited for it; null: none did. */
  readonly agentType: string | null
  readonly folder: string
  readonly step: number
  /** Index of its ledger entry; null: it has none. */
  readonly item: number | null
  /** Ms since 1970. */
  readonly at: number
  /** Canonical name of the tool; null for an undo. */
  readonly toolName: string | null
  /** The command that made the change; null: an edit tool or an undo did. */
  readonly command: string | null
  /** Found by comparing the folder, so someone else may have written it while the command ran. */
  readonly isFound: boolean
  /** The person's message before the step; null: none was found. */
  readonly request: string | null
}

/**
 * Who wrote a line. `outside`: the person or another program, after `since` and before `until` (ms since 1970; null: not known).
 * `earlier`: it was there before the first recorded change of the file.
 */
export type LineWriter =
  | WritingStep
  | { readonly kind: 'outside'; readonly since: number | null; readonly until: number | null }
  | { readonly kind: 'earlier' }

/** Lines of one writer that follow each other; `from` counts from 1, `writer` is an index into the blame's writers. */
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

/** The writer of a line, from 1; null: there is no such line. */
export function writerOf({ runs, writers }: Blame, line: number): LineWriter | null {
  const run = runs.find(({ from, count }) => line >= from && line < from + count)
  return run ? (writers[run.writer] ?? null) : null
}
