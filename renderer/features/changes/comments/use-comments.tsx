import { useCallback, useMemo, useState } from 'react'
import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import type { ReviewComment } from '../../../../shared/api/changes/review.ts'
import { newId, type SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { splitLines } from '../../../../shared/lib/lines/unified-hunks.ts'
import { catchTyping } from '../../../state/commands/catch-typing.ts'
import { isBusy } from '../../../state/stores/session-list.ts'
import { attemptRequest, requestOrReport } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useReviewNotes } from '../../../state/hooks/changes/use-review-notes.ts'
import type { LineNote, SelectedLines } from '../../../ui/diff/code-diff.tsx'
import type { HunkPlace, LinePlace } from '../../../ui/diff/compare/compute-diff.ts'
import type { ReviewFile } from '../review-files.ts'
import { CommentField, CommentNote } from './comment-note.tsx'

/** A comment that is being written. */
type Draft = Pick<ReviewComment, 'id' | 'side' | 'from' | 'to' | 'words'>

export interface Comments {
  /** Notes below the lines that the comments are about. */
  readonly notes: readonly LineNote[]
  readonly select: (lines: SelectedLines | null) => void
  readonly selected: SelectedLines | null
  /** Whether a comment is being written. */
  readonly isWriting: boolean
  /** Begins a comment on this line. If the line is left out, the comment is on the selected lines, or on the current hunk. */
  readonly start: (line?: LinePlace) => void
}

interface Shown {
  readonly place: HunkPlace | null
  readonly before: BlobText | null
  readonly after: BlobText | null
}

/** The user's comments on a file. They are sent with the next message. */
export function useComments(sessionId: SessionId, file: ReviewFile, { place, before, after }: Shown): Comments {
  const desk = useDesk()
  const { comments } = useReviewNotes(sessionId)
  const [selected, setSelected] = useState<SelectedLines | null>(null)
  const [draft, setDraft] = useState<Draft | null>(null)
  const own = useMemo(() => comments.filter(({ path }) => path === file.absolute), [comments, file.absolute])
  const store = useCallback(async (): Promise<Trouble | null> => {
    if (!draft) return null
    const quoted = quotedLines(draft.side === 'before' ? before : after, draft.from, draft.to)
    const comment = { ...draft, path: file.absolute, shown: file.shown, quoted, words: draft.words.trim() }
    const failed = await attemptRequest(desk, 'The comment was not saved', (client) => client.review.comment({ sessionId, comment }))
    // While the comment was being saved, the user may have continued writing or begun another comment.
    if (failed === null) setDraft((now) => (now === draft ? null : now))
    return failed
  }, [desk, sessionId, draft, before, after, file.absolute, file.shown])
  const remove = useCallback(
    (id: string): void =>
      requestOrReport(desk, 'The comment was not removed', (client) => client.review.uncomment({ sessionId, ids: [id] })),
    [desk, sessionId],
  )
  const send = useCallback(
    (id: string): void => {
      const summary = desk.list.getState().sessions.get(sessionId)
      const delivery = summary && isBusy(summary) ? 'steer' : 'queue'
      requestOrReport(desk, 'The comment was not sent', (client) =>
        client.sessions.send({ sessionId, inputId: newId('i'), text: '', pictures: [], comments: [id], delivery }),
      )
    },
    [desk, sessionId],
  )
  const notes = useMemo(() => {
    const edit = (comment: ReviewComment): void => {
      setDraft(comment)
      typeInto(setDraft)
    }
    const kept = own.filter(({ id }) => id !== draft?.id)
    const shown = kept.map((comment) => noteOf(comment, <CommentNote comment={comment} onEdit={edit} onRemove={remove} onSend={send} />))
    if (!draft) return shown
    const write = (words: string): void => setDraft({ ...draft, words })
    const field = (
      <CommentField draft={draft} onWrite={write} onStore={store} onSend={() => send(draft.id)} onLeave={() => setDraft(null)} />
    )
    return [...shown, { ...noteOf(draft, field), shown: true }]
  }, [own, draft, remove, store, send])
  return {
    notes,
    select: setSelected,
    isWriting: draft !== null,
    selected,
    start(line) {
      const lines = line
        ? linesOf({ side: line.side, from: line.line, to: line.line })
        : selected
          ? linesOf(selected)
          : place && changedLines(place)
      if (!lines) return
      setDraft({ id: newId('c'), words: '', ...lines })
      typeInto(setDraft)
    },
  }
}

/** Focuses the field as soon as it is drawn. Keys that are pressed before that are typed into the field too. */
function typeInto(setDraft: (change: (draft: Draft | null) => Draft | null) => void): void {
  catchTyping({
    field: () =>
      [...document.querySelectorAll<HTMLElement>('[data-comment-field] textarea')].find((field) => field.getClientRects().length > 0) ??
      null,
    give: (text) => setDraft((draft) => draft && { ...draft, words: draft.words + text }),
  })
}

const linesOf = ({ side, from, to }: SelectedLines) => ({ side: side === 'deletions' ? ('before' as const) : ('after' as const), from, to })

/** The added lines of a hunk, or the removed ones if it adds none. */
function changedLines({ before, after }: HunkPlace): Pick<Draft, 'side' | 'from' | 'to'> {
  const [side, lines] = after[1] > after[0] ? (['after', after] as const) : (['before', before] as const)
  return { side, from: lines[0] + 1, to: lines[1] }
}

const noteOf = ({ id, side, to }: Draft, node: LineNote['node']): LineNote => ({
  id,
  side: side === 'before' ? 'deletions' : 'additions',
  line: to,
  node,
})

/** Returns lines of a version, truncated to the number of characters that a message can quote. */
function quotedLines(text: BlobText | null, from: number, to: number): string {
  if (text?.kind !== 'text') return ''
  return splitLines(text.text)
    .slice(from - 1, to)
    .join('')
    .slice(0, 100_000)
}

/**
 * Returns the file to show. While `isHeld` is true, a newer version of the same file does not replace the shown one, so that a comment that
 * is being written keeps its text, its focus and its lines when the agent changes the file.
 */
export function useHeldFile(file: ReviewFile | null, isHeld: boolean): ReviewFile | null {
  const [held, setHeld] = useState(file)
  const shown = isHeld && held?.path === file?.path ? held : file
  if (shown !== held) setHeld(shown)
  return shown
}
