import type { ReactNode } from 'react'
import type { LineWriter } from '../../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { showEntry } from '../../../state/commands/actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import styles from '../comments/comments.module.css'
import { writerDetails, writerWords } from './writer-words.ts'

/** The writer of the current hunk. Clicking it shows the details below the lines. Renders nothing until the writer is known. */
export function WrittenBy({
  writers,
  here,
  isRemoved,
  onShow,
}: {
  readonly writers: readonly LineWriter[]
  readonly here: SessionId
  /** Whether the hunk only removes lines. If so, the writers of the removed lines are shown. */
  readonly isRemoved: boolean
  readonly onShow: () => void
}): ReactNode {
  // A hunk may have many unchanged lines, and it does not matter who wrote them.
  const [first, ...more] = writers.toSorted((a, b) => Number(a.kind === 'earlier') - Number(b.kind === 'earlier'))
  if (!first) return null
  return (
    <Button
      small
      variant="quiet"
      keys="B"
      tip={writers.map((one) => `${writerWords(one, here)}: ${writerDetails(one)}`).join('\n')}
      onPress={onShow}
    >
      {isRemoved ? 'Removed lines written by ' : 'Written by '}
      {writerWords(first, here)}
      {more.length > 0 && ` and ${more.length} more`}
    </Button>
  )
}

export interface WritersNoteProps {
  /** The lines in words: "line 12", "lines 3 to 9". */
  readonly place: string
  readonly here: SessionId
  /** Null while the writers are being looked up. */
  readonly writers: readonly LineWriter[] | null
  readonly trouble: Trouble | null
  readonly onClose: () => void
}

/** A note below the lines: each writer with its request, tool and time, and a link to the step. */
export function WritersNote({ place, here, writers, trouble, onClose }: WritersNoteProps): ReactNode {
  return (
    <section className={styles.note} aria-label={`Who wrote ${place}`} data-writers="">
      <div className={styles.words}>
        <strong>Who wrote {place}</strong>
        {trouble && <p>{`${trouble.what} ${trouble.todo}`}</p>}
        {!trouble && writers === null && <p className="soft">Tracing the lines…</p>}
        {writers?.map((writer) => (
          <WriterLine key={`${writerWords(writer, here)} ${writerDetails(writer)}`} writer={writer} here={here} />
        ))}
      </div>
      <Button small variant="quiet" onPress={onClose}>
        Close
      </Button>
    </section>
  )
}

function WriterLine({ writer, here }: { readonly writer: LineWriter; readonly here: SessionId }): ReactNode {
  const desk = useDesk()
  const words = writerWords(writer, here)
  const step = writer.kind === 'step' || writer.kind === 'undo' ? writer : null
  return (
    <p>
      {words[0]?.toUpperCase()}
      {words.slice(1)}: <span className="soft">{writerDetails(writer)}</span>
      {step !== null && step.request !== null && <span className="soft">{`. Request: ${step.request}`}</span>}{' '}
      {step && (
        <Button small onPress={() => showEntry(desk, step.sessionId, step.item)}>
          Show the step
        </Button>
      )}
    </p>
  )
}
