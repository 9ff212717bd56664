import { useEffect, useState } from 'react'
import type { ReviewNotes } from '../../../../shared/api/changes/review.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { useDesk } from '../../desk-context.ts'

const NONE: ReviewNotes = { seen: {}, comments: [] }

/** The user's notes in the review of a session. Empty until main has answered. */
export function useReviewNotes(sessionId: SessionId): ReviewNotes {
  const desk = useDesk()
  const [received, setReceived] = useState<{ readonly sessionId: SessionId; readonly notes: ReviewNotes } | null>(null)
  useEffect(() => {
    const kept = desk.connection.keep(async (client, signal) => {
      for await (const notes of client.review.notes({ sessionId }, signal)) setReceived({ sessionId, notes })
    })
    return () => kept.dispose()
  }, [desk, sessionId])
  return received?.sessionId === sessionId ? received.notes : NONE
}
