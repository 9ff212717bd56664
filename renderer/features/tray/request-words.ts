import type { CallItem } from '../../../shared/session/state.ts'
import { touchedFiles } from '../../../shared/session/touched-files.ts'
import { laterCount, signedCount } from '../../state/stores/review-decisions.ts'
import { agentOf, commandNote, copiedCommand, titleOf } from '../../state/views/request-title.ts'
import { counted } from '../../ui/format.ts'
import type { Review } from './review/use-request-review.ts'

/** The label of the signing button. */
export function signWords(call: CallItem, review: Pick<Review, 'pieces' | 'decided' | 'git' | 'list'> | null = null): string {
  const runs = call.effects.some((effect) => effect.kind === 'command' && effect.sandbox !== 'copy')
  const isDestructive = call.approval?.destructive === true
  const parts = review === null ? null : { signed: signedCount(review.pieces, review.decided), of: review.pieces.length }
  if (review && parts?.signed === 0 && laterCount(review.pieces, review.decided) > 0) return refuseWords(review)
  if (review?.list) return `${isDestructive ? 'Hold to sign' : 'Sign'} ${filesWords(review)}`
  if (parts && parts.signed < parts.of && !isDestructive) return `Sign ${parts.signed} of ${counted(parts.of, 'hunk')}`
  if (isDestructive) return runs ? 'Hold to sign and run' : 'Hold to sign'
  if (runs) return 'Sign and run'
  const turns = agentOf(call)?.turns ?? []
  if (turns.length === 1) return `Sign turn ${turns[0]?.turn}`
  if (copiedCommand(call) !== null) return 'Sign changes'
  const writes = touchedFiles(call.effects)
  if (call.effects.some((effect) => effect.kind === 'mode')) return 'Sign plan'
  if (call.effects.some((effect) => effect.kind === 'question')) return 'Answer'
  if (call.effects.some((effect) => effect.kind === 'review')) return 'Go on'
  if (writes.length === 0) return 'Sign'
  if (writes.length > 1) return `Sign ${counted(writes.length, 'change')}`
  const [write] = writes
  if (write?.kind === 'delete') return 'Sign deletion'
  if (write?.movedFrom) return 'Sign move'
  return write?.before === null ? 'Sign new file' : 'Sign edit'
}

/** The label of the signing button if nothing is signed, and only a part is refused: "Refuse 2 of 3 hunks". */
export function refuseWords({ pieces, decided }: Pick<Review, 'pieces' | 'decided'>): string {
  const later = laterCount(pieces, decided)
  return `Refuse ${pieces.length - later} of ${counted(pieces.length, 'hunk')}`
}

/** "200 files", "186 of 200 files", "200 files without 3 hunks". */
function filesWords({ pieces, decided, git }: Pick<Review, 'pieces' | 'decided' | 'git'>): string {
  const byFile = Map.groupBy(
    pieces.filter((piece) => piece !== git?.piece),
    ({ path }) => path,
  )
  const signed = [...byFile.values()].filter((own) => signedCount(own, decided) > 0)
  const refusedHunks = signed.reduce((sum, own) => sum + own.length - signedCount(own, decided), 0)
  const files = counted(byFile.size, 'file')
  const some = signed.length < byFile.size ? `${signed.length.toLocaleString('en-US')} of ${files}` : files
  return refusedHunks > 0 ? `${some} without ${counted(refusedHunks, 'hunk')}` : some
}

/** The reason without the path, which the title already shows: "A change needs your signature." */
export function withoutPath(reason: string, path: string): string {
  if (reason.startsWith(`${path} `)) return `It${reason.slice(path.length)}`
  for (const joint of [', ', ' to ', ' of ', ' ']) {
    const at = reason.indexOf(`${joint}${path} `)
    if (at !== -1) return reason.slice(0, at) + reason.slice(at + joint.length + path.length)
  }
  return reason
}

/** Words that screen readers announce when a request appears: "Edit src/dates.ts, 2 requests wait, Control J to answer". */
export function needWords(call: CallItem, pending: number, who: string | null = null): string {
  const asker = who === null ? '' : `, asked by the ${who}`
  const note = commandNote(call)
  return `${titleOf(call)}${note === null ? '' : `, ${note}`}${asker}${pending > 1 ? `, ${pending} requests wait` : ''}, Control J to answer`
}

/** Changed lines of the single file that a request writes. Null if it touches more than one file, or if the lines were not counted. */
export function linesOf(call: CallItem): { readonly added: number; readonly removed: number } | null {
  // The title names the command, and each file below it has its own counts.
  if (copiedCommand(call) !== null) return null
  const [only, ...others] = touchedFiles(call.effects)
  return only?.kind === 'write' && others.length === 0 ? only.lines : null
}
