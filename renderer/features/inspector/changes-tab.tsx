import { memo, type ReactNode, type RefObject, useCallback, useMemo, useRef, useState } from 'react'
import { shallow } from 'zustand/shallow'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { bringIn, canBringIn, isBesideFolder } from '../../state/commands/layer-actions.ts'
import { lineMenuActions } from '../../state/commands/files/file-actions.ts'
import { type DoneRollback, isUndoneStep } from '../../../shared/session/rollback.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import {
  isSameFile,
  type SessionFile,
  useChangedFiles,
  useChangedFolders,
  useLeftOut,
} from '../../state/hooks/changes/use-changed-files.ts'
import { useMovedFolder } from '../../state/hooks/changes/use-moved-folder.ts'
import { useFileActions, useFileEntries } from '../../state/hooks/use-file-actions.ts'
import { filesOf, useStepTexts } from '../../state/hooks/changes/use-step-texts.ts'
import { PointerMenu } from '../../ui/controls/pointer-menu.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { modeChange, modeWord } from '../../ui/diff/file-words.ts'
import { IgnoreSpaces } from '../../ui/diff/ignore-spaces.tsx'
import { FileTextsDiff } from '../../ui/diff/file-texts-diff.tsx'
import {
  ChangedFolders,
  hasOwnMakers,
  LeftOut,
  MadeBy,
  MadeByOnce,
  MissingTexts,
  MovedFrom,
  type SharedMakers,
  sharedMakers,
} from '../../ui/diff/file-notes.tsx'
import type { LineCounts } from '../../ui/diff/compare/use-file-hunks.ts'
import { useLineCounts } from '../../ui/diff/compare/use-line-counts.ts'
import { PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { counted } from '../../ui/format.ts'
import { Axis } from '../../ui/ledger/ledger.tsx'
import { FileButtons } from '../../ui/ledger/file-buttons.tsx'
import { FileRow } from '../../ui/ledger/file-row.tsx'
import { useLongList } from '../../ui/hooks/use-long-list.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import styles from './inspector.module.css'
import { layerCounts } from './layer-counts.ts'
import { MovedFiles } from './moved-files.tsx'

/** Whether a request that changes files waits for the user. */
const waitsForSignature = (session: SessionState): boolean => pendingCalls(session).some(({ effects }) => filesOf(effects).length > 0)

/** The files that this session changed, each with its diff since the session began. */
export function ChangesTab({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const files = useChangedFiles(sessionId)
  const read = useCallback((hash: BlobHash | null) => desk.texts.get(sessionId, hash), [desk, sessionId])
  const counts = useLineCounts(files, read)
  const leftOutOfSteps = useLeftOut(sessionId)
  const folders = useChangedFolders(sessionId)
  const isWaiting = useSession(sessionId, waitsForSignature, false)
  const scroll = useRef<HTMLElement>(null)
  const [ignoresSpaces, setIgnoresSpaces] = useState(false)
  const shared = useMemo(() => sharedMakers(files ?? []), [files])
  const isBeside = useSession(sessionId, ({ config }) => isBesideFolder(config), false)
  const mayBringIn = useSession(sessionId, ({ config }) => canBringIn(config), false)
  const isIdle = useSession(sessionId, ({ run }) => run === 'IDLE', false)
  const { moved } = useMovedFolder(isBeside ? sessionId : null, isIdle)
  const leftOut = [...leftOutOfSteps, ...(moved?.leftOut ?? [])]
  if (files === null) return <EmptyState>Reading what changed…</EmptyState>
  if (files.length === 0)
    return (
      <>
        <LeftOut sentences={leftOut} />
        <ChangedFolders sentences={folders} />
        <MovedFiles files={moved?.files ?? []} />
        {folders.length === 0 && (
          <EmptyState>
            {isWaiting
              ? 'The files of a request are changed when you sign it.'
              : 'Nothing has changed yet. Files that a step changes appear here, with their content before and after.'}
          </EmptyState>
        )}
      </>
    )
  return (
    <>
      <PaneHead
        level="bar"
        {...(isBeside
          ? layerCounts(files.length, (isIdle ? moved?.own : null) ?? null)
          : { title: counted(files.length, 'file'), aside: 'this session' })}
        end={
          <>
            {mayBringIn && <BringIn sessionId={sessionId} />}
            <IgnoreSpaces ignoresSpaces={ignoresSpaces} setIgnoresSpaces={setIgnoresSpaces} />
            <Button small keys="Mod+Shift+D" onPress={() => desk.view.setState({ page: 'review' })}>
              Open as review
            </Button>
          </>
        }
      />
      <PaneScroll label="Changed files" ref={scroll}>
        <LeftOut sentences={leftOut} />
        <ChangedFolders sentences={folders} />
        <MadeByOnce shared={shared} />
        <Axis tight>
          <Files sessionId={sessionId} files={files} shared={shared} counts={counts} scroll={scroll} ignoresSpaces={ignoresSpaces} />
        </Axis>
        <MovedFiles files={moved?.files ?? []} />
      </PaneScroll>
    </>
  )
}

function BringIn({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const isIdle = useSession(sessionId, ({ run }) => run === 'IDLE', false)
  return (
    <Button
      small
      variant="preferred"
      disabledReason={isIdle ? null : 'The session is still working.'}
      onPress={() => void bringIn(desk, sessionId)}
    >
      Bring in…
    </Button>
  )
}

interface FilesProps {
  readonly sessionId: SessionId
  readonly files: readonly SessionFile[]
  /** What made most of the files, as named in the list's heading. */
  readonly shared: SharedMakers | null
  readonly counts: ReadonlyMap<string, LineCounts>
  readonly scroll: RefObject<HTMLElement | null>
  readonly ignoresSpaces: boolean
}

/** The first file starts open. Open files stay mounted when they are scrolled out of view, so that their diffs are not computed again. */
function Files({ sessionId, files, shared, counts, scroll, ignoresSpaces }: FilesProps): ReactNode {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(files.slice(0, 1).map(({ path }) => path)))
  const keys = useMemo(() => files.map(({ path }) => path), [files])
  const { rows, rest, list, measure, onFocus } = useLongList({ scroll, keys, rowHeight: 28, keep: [...open] })
  const onOpen = useCallback((path: string, isOpen: boolean) => setOpen((before) => withPath(before, path, isOpen)), [])
  return (
    <div ref={list} className={styles.files} style={{ paddingBottom: rest }} onFocus={onFocus}>
      {rows.map(({ index, gap }) => {
        const file = files[index]
        if (!file) return null
        return (
          <div key={file.path} ref={measure} data-index={index} style={{ marginTop: gap }}>
            <ChangedFileEntry
              sessionId={sessionId}
              file={file}
              isMadeAlone={hasOwnMakers(file, shared)}
              ignoresSpaces={ignoresSpaces}
              onOpen={onOpen}
              lines={counts.get(file.path)}
              open={open.has(file.path)}
            />
          </div>
        )
      })}
    </div>
  )
}

function withPath(paths: ReadonlySet<string>, path: string, isIn: boolean): ReadonlySet<string> {
  const others = [...paths].filter((one) => one !== path)
  return new Set(isIn ? [...others, path] : others)
}

interface ChangedFileEntryProps {
  readonly sessionId: SessionId
  readonly file: SessionFile
  /** Whether the file must name what made it, because the list's heading does not. */
  readonly isMadeAlone: boolean
  readonly lines: LineCounts | undefined
  readonly open: boolean
  readonly ignoresSpaces: boolean
  readonly onOpen: (path: string, open: boolean) => void
}

/**
 * Rendered again only if its own file changed. When one file changes, the objects of the other files are replaced by equal ones, so files
 * are compared by content.
 */
const ChangedFileEntry = memo(
  function ChangedFileEntry({ sessionId, file, isMadeAlone, lines, open, ignoresSpaces, onOpen }: ChangedFileEntryProps): ReactNode {
    const actions = useFileActions({ sessionId, path: file.path })
    const steps = useStepsOf(sessionId, file)
    const files = useFileEntries({ sessionId, path: file.path }, file.shown)
    const fold = { kind: 'item', id: 'fold', label: open ? 'Hide the diff' : 'Show the diff' } as const
    const entries = [
      { ...fold, onSelect: () => onOpen(file.path, !open) },
      ...files.filter(({ id }) => file.after !== null || id === 'copy-path'),
    ]
    const hasLines = lines !== undefined && lines.added + lines.removed > 0
    return (
      <section aria-label={file.shown}>
        <FileRow
          path={file.shown}
          note={noteOf(file)}
          aside={
            <>
              {steps}
              {isMadeAlone && (
                <>
                  , <MadeBy makers={file.madeBy} agents={file.agents} />
                </>
              )}
            </>
          }
          added={hasLines ? lines?.added : undefined}
          removed={hasLines ? lines?.removed : undefined}
          renderMenu={(at) => <PointerMenu {...at} label={file.shown} entries={entries} />}
          hoverActions={file.after !== null && <FileButtons path={file.shown} {...actions} />}
          actions={
            <Button
              variant="quiet"
              small
              expanded={open}
              label={`${open ? 'Hide' : 'Show'} the diff of ${file.shown}`}
              onPress={() => onOpen(file.path, !open)}
            >
              {open ? 'Hide' : 'Show'}
            </Button>
          }
        />
        {open && <FileDifference sessionId={sessionId} file={file} ignoresSpaces={ignoresSpaces} />}
      </section>
    )
  },
  ({ file: before, ...propsBefore }, { file, ...props }) => isSameFile(before, file) && shallow(propsBefore, props),
)

interface FileDifferenceProps {
  readonly sessionId: SessionId
  readonly file: SessionFile
  readonly ignoresSpaces: boolean
}

function FileDifference({ sessionId, file, ignoresSpaces }: FileDifferenceProps): ReactNode {
  const desk = useDesk()
  const texts = useStepTexts(sessionId, [file])
  const lineActions = useMemo(() => lineMenuActions(desk, file.path, null), [desk, file.path])
  if (texts.kind !== 'loaded') return <MissingTexts texts={texts} className={styles.words} />
  return (
    <>
      {texts.files.map((loaded) => (
        <FileTextsDiff
          key={loaded.path}
          file={loaded}
          fact={file.modes && modeChange(file.modes)}
          ignoresSpaces={ignoresSpaces}
          lineActions={lineActions}
        />
      ))}
    </>
  )
}

function noteOf({ before, after, movedFrom, modes, isLink }: SessionFile): ReactNode {
  if (movedFrom) return <MovedFrom path={movedFrom.shown} />
  const link = isLink && 'link'
  return before === null
    ? `new${isLink ? ' link' : ''}`
    : after === null
      ? `deleted${isLink ? ' link' : ''}`
      : ((modes && modeWord(modes)) ?? link)
}

/** The steps that changed a file and are not undone. */
function useStepsOf(sessionId: SessionId, { steps }: SessionFile): string {
  const rollbacks = useSession(sessionId, (session) => session.rollbacks, NO_ROLLBACKS)
  const left = steps.filter((step) => !isUndoneStep(step, rollbacks))
  const shown = left.length === 0 ? steps : left
  return shown.length === 1 ? `step ${shown[0]}` : `steps ${shown.join(', ')}`
}

const NO_ROLLBACKS: readonly DoneRollback[] = []
