import type { ConflictRegion } from '../../../../shared/lib/line-conflict.ts'
import type { Answer } from '../../../state/stores/approval-desk.ts'
import { type Decided, amendmentsOf, signedCount } from '../../../state/stores/review-decisions.ts'
import type { Review, ReviewedFile } from './use-review.ts'

/** Why the request cannot be signed as it is decided now; null: it can. */
export function whyNotSignable(review: Review | null): string | null {
  if (review === null) return null
  const { files, pieces, decided } = review
  // Its hunks are not on the screen, and what was decided about them before would be lost.
  if (files.some(({ texts, hunks }) => texts !== null && hunks === null)) return 'You can sign once the whole diff is on screen.'
  if (decided.editing !== null) {
    const at = pieces.findIndex(({ key }) => key === decided.editing)
    return `Finish editing hunk ${at + 1} first.`
  }
  const undecided = files.flatMap((file) => undecidedOf(file, decided)).length
  if (undecided > 0) return undecided === 1 ? 'Decide the conflict first.' : `Decide ${undecided} conflicts first.`
  return pieces.length > 0 && signedCount(pieces, decided) === 0 ? 'Nothing is left to sign. Refuse it instead.' : null
}

/** The conflicts of a file that nothing has been chosen for; none if its change is rejected. */
function undecidedOf({ path, conflicts }: ReviewedFile, { rejected, choices }: Decided): readonly ConflictRegion[] {
  return rejected.has(path) ? [] : conflicts.filter((_, index) => (choices.get(path)?.[index] ?? null) === null)
}

/** The signature of what was decided; null review: of the whole request. */
export function signatureOf(review: Review | null): Answer {
  const amendments = review === null ? [] : amendmentsOf(review.pieces, review.decided)
  return { kind: 'sign', ...(amendments.length > 0 && { amendments }) }
}
