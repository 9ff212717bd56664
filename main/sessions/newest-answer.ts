import { partsText } from '../../shared/session/content.ts'
import type { SessionRecord } from '../agent/record/session-record.ts'

/** The text of a session's newest answer; empty before the first one. */
export function newestAnswer(record: SessionRecord): string {
  const answer = record
    .memory()
    .transcript.all()
    .findLast((turn) => turn.kind === 'assistant')
  return answer ? partsText(answer.content) : ''
}
