import type { ReviewComment, ReviewNotes, SeenHunk } from '../../shared/api/changes/review.ts'
import { MAX_COMMENTS } from '../../shared/session/content.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Store } from '../store/store.ts'
import type { PersonMessage } from '../../shared/session/person-message.ts'

/** Marks and comments of reviews, stored with the sessions. Methods throw a `StorageError` if the store cannot be read or written. */
export interface ReviewNotebook {
  notes(sessionId: SessionId): ReviewNotes
  /** If `seen` is false, removes the marks. */
  see(sessionId: SessionId, path: string, hunks: readonly Omit<SeenHunk, 'at'>[], seen: boolean): void
  /** False if there are already `MAX_COMMENTS` comments. */
  comment(sessionId: SessionId, comment: ReviewComment): boolean
  uncomment(sessionId: SessionId, ids: readonly string[]): void
  onChange: Emitter<SessionId>['event']
}

/** The beginning of a marker's key. The file's path is appended, so that adding a mark writes only the marks of one file. */
const SEEN = 'review_seen:'
const COMMENTS = 'review_comments'
/**
 * Maximum number of marks that are kept for a file; the newest are kept. They include marks of hunks that have changed again, which are
 * needed to show the earlier version.
 */
const MAX_MARKS = 20_000

export function createReviewNotebook(sessions: Pick<Store['sessions'], 'markers' | 'mark'>, now: () => number): ReviewNotebook {
  const changed = new Emitter<SessionId>()
  const write = (sessionId: SessionId, name: string, list: readonly unknown[]): void => {
    sessions.mark(sessionId, name, list.length === 0 ? null : JSON.stringify(list))
    changed.fire(sessionId)
  }
  const comments = (sessionId: SessionId): readonly ReviewComment[] => listIn(sessions.markers(sessionId).get(COMMENTS))
  return {
    notes(sessionId) {
      const markers = sessions.markers(sessionId)
      const seen = [...markers].filter(([name]) => name.startsWith(SEEN))
      return {
        seen: Object.fromEntries(seen.map(([name, value]) => [name.slice(SEEN.length), listIn<SeenHunk>(value)])),
        comments: listIn(markers.get(COMMENTS)),
      }
    },
    see(sessionId, path, hunks, seen) {
      const keys = new Set(hunks.map(({ key }) => key))
      const others = listIn<SeenHunk>(sessions.markers(sessionId).get(SEEN + path)).filter(({ key }) => !keys.has(key))
      const at = now()
      const marks = seen ? [...others, ...hunks.map((hunk) => ({ ...hunk, at }))] : others
      write(sessionId, SEEN + path, marks.slice(-MAX_MARKS))
    },
    comment(sessionId, comment) {
      const all = comments(sessionId)
      const known = all.findIndex(({ id }) => id === comment.id)
      if (known === -1 && all.length >= MAX_COMMENTS) return false
      write(sessionId, COMMENTS, known === -1 ? [...all, comment] : all.with(known, comment))
      return true
    },
    uncomment(sessionId, ids) {
      write(
        sessionId,
        COMMENTS,
        comments(sessionId).filter(({ id }) => !ids.includes(id)),
      )
    },
    onChange: changed.event,
  }
}

/** Parses a list that we stored. Anything else counts as an empty list. */
function listIn<T>(value: string | undefined): readonly T[] {
  try {
    const list: unknown = JSON.parse(value ?? '[]')
    return Array.isArray(list) ? (list as readonly T[]) : []
  } catch {
    return []
  }
}

/** A message followed by review comments: the path and line numbers, the quoted lines, and the user's comment. */
export function withComments({ text, command, ...said }: PersonMessage, comments: readonly ReviewComment[]): PersonMessage {
  const below = (above: string): string => [above, ...comments.map(quoted)].filter((part) => part !== '').join('\n\n')
  return { ...said, text: below(text), ...(command !== undefined && { command: below(command) }) }
}

function quoted({ shown, side, from, to, quoted: lines, words }: ReviewComment): string {
  const where = from === to ? `line ${from}` : `lines ${from}–${to}`
  const head = `${shown}, ${where}${side === 'before' ? ' before the change' : ''}:`
  const quote = lines
    .replace(/\n$/u, '')
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
  return [head, ...quote, '', words].join('\n')
}
