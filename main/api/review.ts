import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Done } from '../../shared/api/sessions.ts'
import { MAX_COMMENTS } from '../../shared/session/content.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { retryWhileLocked } from '../agent/record/retry-while-locked.ts'
import type { ReviewNotebook } from '../review/review-notes.ts'
import { unlessStorageFails, unlessStreamFails } from './storage-failures.ts'
import { latestValue } from './latest-value.ts'

export function reviewHandlers(notebook: ReviewNotebook): AppHandlers['review'] {
  const done = (work: () => Trouble | null): Promise<Done> =>
    unlessStorageFails<Done>(async () => {
      const trouble = await retryWhileLocked(work)
      return trouble ? { ok: false, trouble } : { ok: true }
    }, refused)
  return {
    notes: ({ sessionId }, { signal }) =>
      unlessStreamFails(
        latestValue(
          () => notebook.notes(sessionId),
          (changed) => notebook.onChange((id) => id === sessionId && changed()),
          signal,
        ),
        () => ({ seen: {}, comments: [] }),
      ),
    see: ({ sessionId, path, hunks, seen }) =>
      done(() => {
        notebook.see(sessionId, path, hunks, seen)
        return null
      }),
    comment: ({ sessionId, comment }) => done(() => (notebook.comment(sessionId, comment) ? null : TOO_MANY)),
    uncomment: ({ sessionId, ids }) =>
      done(() => {
        notebook.uncomment(sessionId, ids)
        return null
      }),
  }
}

const TOO_MANY: Trouble = {
  code: 'too_many_comments',
  what: `${MAX_COMMENTS} comments are already waiting for the next message.`,
  kept: 'All waiting comments are kept. This comment is still in its field.',
  todo: 'Send the message, then write the next comments.',
}

const refused = (trouble: Trouble): Done => ({ ok: false, trouble })
