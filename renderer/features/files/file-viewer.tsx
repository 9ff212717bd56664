import { AtSign, Search, SquareArrowOutUpRight } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { MAX_EDITED, type ShownFile } from '../../../shared/api/files.ts'
import { writerOf } from '../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showEntry } from '../../state/commands/actions.ts'
import { mentionFile, openInEditor } from '../../state/commands/files/file-actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { usePageKeys } from '../../state/hooks/use-desk-keys.ts'
import { useBlame } from '../../state/hooks/changes/use-blame.ts'
import { FileLines, linesInWords, NO_RUNS, WritersFoot, writersClass } from '../../tools/view/file-lines.tsx'
import { writerRuns } from '../../tools/view/writer-runs.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/controls/field.tsx'
import type { LineRange } from '../../ui/diff/whole/code-file.tsx'
import { findPlaces, MOST_PLACES } from '../../ui/diff/whole/found-places.ts'
import { PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { LiveRegion } from '../../ui/notices/screen-reader.tsx'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import { pictureOf } from '../../ui/diff/pictures/picture-sides.tsx'
import styles from './files.module.css'

export interface FileViewerProps {
  readonly sessionId: SessionId
  readonly file: ShownFile
  /** The line to scroll to. Null for the first line. */
  readonly line: number | null
  /** Whether to look up and show who wrote each line. */
  readonly withWriters: boolean
  readonly onWriters: (shown: boolean) => void
  /** Starts editing this text in place. */
  readonly onEdit: (text: string) => void
}

/** The current content of a file: its lines with their writers, the text of a PDF, or a picture. */
export function FileViewer({ sessionId, file, line, withWriters, onWriters, onEdit }: FileViewerProps): ReactNode {
  const desk = useDesk()
  const { shown, path, pdf } = file
  const content = pdf === null ? file.content : ({ kind: 'text', text: pdf } as const)
  const text = content.kind === 'text' ? content.text : null
  const { blame, trouble } = useNowBlame(sessionId, path, withWriters && pdf === null ? text : null)
  const runs = useMemo(() => (blame && withWriters ? writerRuns(blame, sessionId) : NO_RUNS), [blame, withWriters, sessionId])
  const [pointed, setPointed] = useState<number | null>(null)
  const [selected, setSelected] = useState<LineRange | null>(null)
  const find = useFind(text)
  const picture = pictureOf(shown, file.content)
  const open = (): void => openInEditor(desk, { sessionId, path }, selected?.from ?? find.goal ?? line)
  usePageKeys([{ keys: 'O', run: open }])
  const showStep = (pressed: number): void => {
    const writer = blame && writerOf(blame, pressed)
    if (writer?.kind === 'step' || writer?.kind === 'undo') showEntry(desk, writer.sessionId, writer.item)
  }
  const count = text === null ? '' : linesInWords(text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0))
  return (
    <div className={writersClass} role="group" aria-label={`File ${shown}`}>
      <PaneHead
        rank={1}
        title={<MiddlePath path={shown} className={styles.path} />}
        aside={pdf === null ? count : 'The text of a PDF, without its pictures'}
        end={
          <>
            {pdf === null && text !== null && (
              <Button small disabledReason={whyNotEdited(text)} onPress={() => onEdit(text)}>
                Edit
              </Button>
            )}
            {pdf === null && text !== null && (
              <Button small pressed={withWriters} onPress={() => onWriters(!withWriters)}>
                Who wrote it
              </Button>
            )}
            <Button small icon={SquareArrowOutUpRight} keys="O" onPress={open}>
              Open in editor
            </Button>
          </>
        }
      />
      <PaneHead level="bar" end={<AskAbout sessionId={sessionId} shown={shown} selected={selected} />}>
        {text !== null && <FindBar find={find} />}
      </PaneHead>
      <PaneScroll label="File">
        {picture ? (
          <figure className={styles.picture}>
            <img src={picture.url} alt={shown} />
          </figure>
        ) : (
          <FileLines
            path={pdf === null ? shown : `${shown}.txt`}
            content={content}
            runs={runs}
            goal={find.goal ?? line}
            onPress={showStep}
            onPoint={setPointed}
            found={find.found}
            onSelect={setSelected}
          />
        )}
      </PaneScroll>
      {withWriters && text !== null && trouble === null && <WritersFoot runs={runs} line={pointed} />}
      {withWriters && trouble && <p className={styles.trouble}>{`${trouble.what} ${trouble.todo}`}</p>}
    </div>
  )
}

/** Who wrote each line of the current file. Looked up again when its text changes. */
function useNowBlame(sessionId: SessionId, path: string, text: string | null): ReturnType<typeof useBlame> {
  // The text has no hash here, so a counter that changes with the text takes its place.
  const [reading, setReading] = useState({ text, count: 0 })
  if (reading.text !== text) setReading({ text, count: reading.count + 1 })
  return useBlame(sessionId, text === null ? null : { path, hash: null, isOnDisk: true, reading: reading.count })
}

/** Why a text cannot be edited here. Null if it can. */
function whyNotEdited(text: string): string | null {
  if (text.length > MAX_EDITED) return 'The file is too long to be edited here'
  return /\r/u.test(text.replaceAll('\r\n', '')) || (text.includes('\r\n') && /(?<!\r)\n/u.test(text)) ? 'It mixes line endings' : null
}

/** Asks the agent about the selected lines, or about the file. */
function AskAbout({
  sessionId,
  shown,
  selected,
}: {
  readonly sessionId: SessionId
  readonly shown: string
  readonly selected: LineRange | null
}): ReactNode {
  const desk = useDesk()
  const words =
    selected === null ? 'this file' : selected.from === selected.to ? `line ${selected.from}` : `lines ${selected.from}–${selected.to}`
  return (
    <Button
      variant="quiet"
      small
      icon={AtSign}
      tip="Adds it to the message"
      onPress={() => mentionFile(desk, { sessionId, path: shown }, selected)}
    >
      Ask about {words}
    </Button>
  )
}

interface Find {
  readonly words: string
  readonly setWords: (words: string) => void
  readonly found: { readonly places: ReturnType<typeof findPlaces>; readonly current: number } | null
  /** The line of the current match. Null without matches. */
  readonly goal: number | null
  readonly move: (by: 1 | -1) => void
}

function useFind(text: string | null): Find {
  const [words, setWords] = useState('')
  const [current, setCurrent] = useState(0)
  const sought = useDeferredValue(words)
  const places = useMemo(() => (text === null ? [] : findPlaces(text, sought)), [text, sought])
  const at = Math.min(current, Math.max(0, places.length - 1))
  const found = useMemo(() => (sought === '' ? null : { places, current: at }), [sought, places, at])
  return {
    words,
    setWords(next) {
      setWords(next)
      setCurrent(0)
    },
    found,
    goal: places[at]?.line ?? null,
    move: (by) => places.length > 0 && setCurrent((at + by + places.length) % places.length),
  }
}

/** Searches the file. Enter goes to the next match, Shift+Enter to the previous one. */
function FindBar({ find: { words, setWords, found, move } }: { readonly find: Find }): ReactNode {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'f') return
      event.preventDefault()
      document.querySelector<HTMLElement>('[data-find-words] input')?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  const count = found?.places.length ?? 0
  const most = count === MOST_PLACES ? `${count.toLocaleString('en-US')} or more` : count.toLocaleString('en-US')
  const where = found === null ? '' : count === 0 ? 'no matches' : `${(found.current + 1).toLocaleString('en-US')} of ${most}`
  return (
    <div className={styles.words} data-find-words="">
      <Field
        label="Find in this file"
        type="search"
        icon={Search}
        value={words}
        whileEmpty="Find in this file"
        end={<span className={styles.count}>{where}</span>}
        onChange={setWords}
        onKeyDown={(event) => {
          if (event.key === 'Enter') move(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape' && words !== '') setWords('')
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <Button variant="quiet" small disabledReason={count === 0 ? 'No matches' : null} onPress={() => move(-1)}>
        Previous
      </Button>
      <Button variant="quiet" small disabledReason={count === 0 ? 'No matches' : null} onPress={() => move(1)}>
        Next
      </Button>
      <LiveRegion message={where} />
    </div>
  )
}
