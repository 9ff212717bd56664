import type { ConflictRegion } from '../../../../shared/lib/lines/line-conflict.ts'
import type { Answer } from '../../../state/stores/approval-desk.ts'
import { type Decided, amendmentsOf, laterCount, refused, signedCount } from '../../../state/stores/review-decisions.ts'
import { signedDiff } from './hunk-part.tsx'
import type { ReviewedFile, ShownHunk } from './reviewed-files.ts'
import type { Review } from './use-request-review.ts'

/** Why the request cannot be signed with the current decisions. Null if it can. */
export function whyNotSignable(review: Review | null): string | null {
  if (review === null) return null
  const { files, pieces, decided } = review
  // Parts that are not on screen must not be signed, and earlier decisions about them would be lost.
  if (hasUnknownParts(files)) return 'You can sign once the whole diff is on screen.'
  if (decided.editing !== null) {
    const at = pieces.findIndex(({ key }) => key === decided.editing)
    return `Finish editing hunk ${at + 1} first.`
  }
  const undecided = files.flatMap((file) => undecidedOf(file, decided)).length
  if (undecided > 0) return undecided === 1 ? 'Decide the conflict first.' : `Decide ${undecided} conflicts first.`
  if (pieces.length === 0 || signedCount(pieces, decided) > 0) return null
  const later = laterCount(pieces, decided)
  if (later === pieces.length) return 'Keep or refuse at least one part, or close this page to decide later.'
  return later > 0 ? null : 'Nothing is left to sign. Refuse the request instead.'
}

/** Whether the hunks of a file are still being found. */
const hasUnknownParts = (files: readonly ReviewedFile[]): boolean => files.some(({ texts, hunks }) => texts !== null && hunks === null)

/** The file's conflicts that the user has not decided yet. Empty if the change of the file is refused. */
function undecidedOf({ path, conflicts }: ReviewedFile, { refused, choices }: Decided): readonly ConflictRegion[] {
  return refused.has(path) ? [] : conflicts.filter((_, index) => (choices.get(path)?.[index] ?? null) === null)
}

/**
 * How many lines the signature adds and removes with the current decisions. Null while the hunks of a file are unknown, and for changes
 * without lines.
 */
export function signedLines({ files, decided }: Review): LineCount | null {
  const hunks: ShownHunk[] = []
  for (const file of files) {
    if (file.hunks === null) return null
    for (const hunk of file.hunks) if (!decided.refused.has(hunk.key)) hunks.push(hunk)
  }
  return lineCount(hunks, decided)
}

interface LineCount {
  readonly added: number
  readonly removed: number
}

/** How many lines these hunks add and remove, with the user's versions of them. */
export function lineCount(hunks: readonly ShownHunk[], { edits }: Decided): LineCount {
  let added = 0
  let removed = 0
  for (const hunk of hunks) {
    const diff = signedDiff(hunk, edits.get(hunk.key))
    added += diff.added
    removed += diff.removed
  }
  return { added, removed }
}

/** How much of a request the user decides later. `unknown`: some of it, but the parts of the request are still being found. */
export type LaterParts = 'none' | 'some' | 'all' | 'unknown'

/** How much of the request the user decides later. `isAwaited`: whether a `review` that is null is still loading and has such parts. */
export function laterIn(review: Review | null, isAwaited: boolean): LaterParts {
  if (review === null) return isAwaited ? 'unknown' : 'none'
  const { files, pieces, decided } = review
  if (decided.later.size > 0 && hasUnknownParts(files)) return 'unknown'
  const later = laterCount(pieces, decided)
  return later === 0 ? 'none' : later === pieces.length ? 'all' : 'some'
}

/** The refusal of everything that the user does not decide later. Null if that is nothing, or not known yet. */
export function refusalOf(review: Review | null, later: LaterParts, note: string | null): Extract<Answer, { kind: 'refuse' }> | null {
  if (later === 'all' || later === 'unknown') return null
  if (review === null || later === 'none') return { kind: 'refuse', note }
  const { pieces, decided } = review
  const rest = pieces.filter(({ key }) => !decided.later.has(key)).map(({ key }) => key)
  return { kind: 'refuse', note, later: amendmentsOf(pieces, refused(decided, rest)) }
}

/** The signature with the user's decisions. If `review` is null, it signs the complete request. */
export function signatureOf(review: Review | null): Answer {
  const amendments = review === null ? [] : amendmentsOf(review.pieces, review.decided)
  return { kind: 'sign', ...(amendments.length > 0 && { amendments }) }
}
