import type { Blame } from '../../../../shared/api/changes/blame.ts'
import { writerOf } from '../../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Piece } from '../../../state/stores/review-decisions.ts'
import type { ReviewedFile, ShownHunk } from '../review/reviewed-files.ts'

/** A part that can be brought in: a hunk, or a change that is decided as a whole (`hunk` is null). */
export interface SetPart {
  readonly file: ReviewedFile
  readonly hunk: ShownHunk | null
  readonly piece: Piece
}

/** What one step changed that has not been brought in yet. */
export interface ChangeSet {
  /** The number of the step. Null for what no step of the session changed. */
  readonly step: number | null
  readonly parts: readonly SetPart[]
}

export interface StepsOfLayer {
  readonly sessionId: SessionId
  /** Who wrote the lines of each changed file, by path. A file that is missing has no known writers. */
  readonly blames: ReadonlyMap<string, Blame>
  /** The steps that changed each file, by path, in order. */
  readonly steps: ReadonlyMap<string, readonly number[]>
}

/**
 * The parts of a request by the steps that made them, in the order of the steps. A part belongs to the newest step that wrote one of its
 * lines, or, if it only removes lines, to the newest step that changed its file.
 */
export function changeSetsOf(files: readonly ReviewedFile[], known: StepsOfLayer): readonly ChangeSet[] {
  const parts = files.flatMap((file): readonly SetPart[] =>
    file.hunks === null
      ? file.pieces.map((piece) => ({ file, hunk: null, piece }))
      : file.hunks.map((hunk) => ({ file, hunk, piece: hunk })),
  )
  const sets = Map.groupBy(parts, (part) => stepOf(part, known))
  return [...sets].map(([step, own]) => ({ step, parts: own })).toSorted((a, b) => (a.step ?? Infinity) - (b.step ?? Infinity))
}

function stepOf({ file: { path }, hunk }: SetPart, { sessionId, blames, steps }: StepsOfLayer): number | null {
  const newest = steps.get(path)?.at(-1) ?? null
  const blame = blames.get(path)
  if (hunk === null || !blame) return newest
  const [from, to] = hunk.after
  const own = Array.from({ length: to - from }, (_, at) => writerOf(blame, from + at + 1)).flatMap((writer) =>
    writer !== null && 'step' in writer && writer.sessionId === sessionId ? [writer.step] : [],
  )
  if (own.length > 0) return Math.max(...own)
  return to > from ? null : newest
}

/** How many of the parts would be signed, and how many conflicts they contain. */
export function countsOf(
  { parts }: Pick<ChangeSet, 'parts'>,
  refused: ReadonlySet<string>,
): { readonly signed: number; readonly of: number; readonly conflicts: number } {
  return {
    signed: parts.filter(({ piece }) => !refused.has(piece.key)).length,
    of: parts.length,
    conflicts: parts.reduce((sum, { file, hunk }) => sum + (hunk === null ? file.conflicts.length : 0), 0),
  }
}
