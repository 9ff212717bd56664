import { partsText } from '../../shared/session/content.ts'
import type { SessionRecord } from '../agent/record/session-record.ts'

/** The text of the answer to a session's newest message, as far as it is complete; empty before the first answer to that message. */
export function answerToNewestMessage(record: SessionRecord): string {
  const turn = record
    .memory()
    .transcript.all()
    .findLast(({ kind }) => kind === 'assistant' || kind === 'user')
  return turn?.kind === 'assistant' ? partsText(turn.content) : ''
}
