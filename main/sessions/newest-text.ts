import type { SessionRecord } from '../agent/record/record.ts'

/** The text of a session's newest answer; empty before the first. */
export function newestText(record: SessionRecord): string {
  const answer = record
    .memory()
    .transcript.all()
    .findLast((turn) => turn.kind === 'assistant')
  return answer?.content.map((part) => (part.kind === 'text' ? part.text : '')).join('') ?? ''
}
