import { type Dispatch, type ReactNode, type SetStateAction, useMemo, useState } from 'react'
import type { LineWriter } from '../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { showEntry } from '../../state/commands/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { type FileVersion, type Traced, useBlame } from '../../state/hooks/changes/use-blame.ts'
import { Button } from '../../ui/controls/button.tsx'
import type { LineAction, LineNote, PointedLine, SelectedLines } from '../../ui/diff/code-diff.tsx'
import { LineNoteBox } from '../../ui/diff/line-note-box.tsx'
import { capital } from '../../ui/format.ts'
import { writerDetails, writersOf, writerWords } from './writer-words.ts'

/**
 * The versions that a diff compares. `proposes` is a sentence about the added lines of a version that does not exist yet. The unchanged
 * lines of such a version are traced in the version before it.
 */
export interface Sides {
  readonly before: FileVersion
  readonly after: FileVersion | { readonly proposes: string }
}

/** The new side of a change that a request proposes. */
export const PROPOSED: Sides['after'] = { proposes: 'This request adds the line. Nobody has written it yet.' }

/** Lines that the user asked about. */
export interface AskedLines {
  /** The lines that the answer is shown below. */
  readonly shown: SelectedLines
  /** The lines whose writers are looked up. Null if nobody has written them yet. */
  readonly traced: SelectedLines | null
}

export interface AskedWriters {
  readonly setAsked: Dispatch<SetStateAction<AskedLines | null>>
  readonly before: Traced
  readonly after: Traced
  /** The answer, shown below the lines that the user asked about. */
  readonly notes: readonly LineNote[]
  readonly askLine: (line: PointedLine) => void
}

/**
 * Finds who wrote lines of a difference when the user asks. `wanted`: the sides whose writers are looked up before the user asks. `first`:
 * the lines that the user has already asked about.
 */
export function useAskedWriters(
  sessionId: SessionId,
  sides: Sides,
  wanted: { readonly before: boolean; readonly after: boolean },
  first: () => AskedLines | null,
): AskedWriters {
  const [asked, setAsked] = useState(first)
  const side = asked?.traced?.side
  const proposes = 'proposes' in sides.after ? sides.after.proposes : null
  const before = useBlame(sessionId, wanted.before || side === 'deletions' ? sides.before : null)
  const after = useBlame(sessionId, 'hash' in sides.after && (wanted.after || side === 'additions') ? sides.after : null)
  const notes = useMemo((): readonly LineNote[] => {
    if (!asked) return []
    const { shown, traced } = asked
    const { blame, trouble } = traced?.side === 'deletions' ? before : after
    const node = (
      <WritersNote
        place={shown.from === shown.to ? `line ${shown.to}` : `lines ${shown.from} to ${shown.to}`}
        here={sessionId}
        writers={traced && blame && writersOf(blame, traced.from, traced.to)}
        words={traced === null ? proposes : blame ? null : 'Tracing the lines…'}
        trouble={traced && trouble}
        onClose={() => setAsked(null)}
      />
    )
    return [{ id: 'writers', side: shown.side, line: shown.to, node, shown: true }]
  }, [asked, before, after, proposes, sessionId])
  const askLine = ({ side: of, line, before: old }: PointedLine): void => {
    const shown = { side: of, from: line, to: line }
    const kept = old === null ? null : ({ side: 'deletions', from: old, to: old } as const)
    setAsked({ shown, traced: proposes === null ? shown : kept })
  }
  return { setAsked, before, after, notes, askLine }
}

const NOTHING_WANTED = { before: false, after: false }

/** Returns the line menu of a diff, with "Who wrote this line", and the answer to show below the line. */
export function useWritersMenu(
  sessionId: SessionId,
  sides: Sides,
): { readonly notes: readonly LineNote[]; readonly lineActions: readonly LineAction[] } {
  const { notes, askLine } = useAskedWriters(sessionId, sides, NOTHING_WANTED, () => null)
  return { notes, lineActions: [{ label: 'Who wrote this line', keys: null, run: askLine }] }
}

interface WritersNoteProps {
  /** The lines in words: "line 12", "lines 3 to 9". */
  readonly place: string
  readonly here: SessionId
  /** Null while the writers are being looked up, and if there are none. */
  readonly writers: readonly LineWriter[] | null
  /** A sentence in place of the writers. Null if they are known. */
  readonly words: string | null
  readonly trouble: Trouble | null
  readonly onClose: () => void
}

/** A note below the lines: each writer with its request, tool and time, and a link to the step. */
function WritersNote({ place, here, writers, words, trouble, onClose }: WritersNoteProps): ReactNode {
  return (
    <LineNoteBox
      label={`Who wrote ${place}`}
      end={
        <Button small variant="quiet" onPress={onClose}>
          Close
        </Button>
      }
    >
      <strong>Who wrote {place}</strong>
      {trouble ? <p>{`${trouble.what} ${trouble.todo}`}</p> : words !== null && <p className="soft">{words}</p>}
      {writers?.map((writer) => (
        <WriterLine key={`${writerWords(writer, here)} ${writerDetails(writer)}`} writer={writer} here={here} />
      ))}
    </LineNoteBox>
  )
}

function WriterLine({ writer, here }: { readonly writer: LineWriter; readonly here: SessionId }): ReactNode {
  const desk = useDesk()
  const words = writerWords(writer, here)
  const step = writer.kind === 'step' || writer.kind === 'undo' ? writer : null
  return (
    <p>
      {capital(words)}: <span className="soft">{writerDetails(writer)}</span>
      {step !== null && step.request !== null && <span className="soft">{`. Request: ${step.request}`}</span>}{' '}
      {step && (
        <Button small onPress={() => showEntry(desk, step.sessionId, step.item)}>
          Show the step
        </Button>
      )}
    </p>
  )
}
