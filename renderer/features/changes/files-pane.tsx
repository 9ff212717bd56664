import { X } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PointerMenu, type PointerPlace } from '../../ui/controls/pointer-menu.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { GroupedList, type RowGroup } from '../../ui/frame/grouped-list.tsx'
import { ListRow } from '../../ui/frame/list-row.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { added, counted, removed } from '../../ui/format.ts'
import { byFolder, nameOf } from '../../ui/diff/by-folder.ts'
import { modeWord } from '../../ui/diff/file-words.ts'
import { ChangedFolders, hasOwnMakers, LeftOut, MadeBy, MadeByOnce, sharedMakers } from '../../ui/diff/file-notes.tsx'
import type { LineCounts } from '../../ui/diff/compare/use-file-hunks.ts'
import { wordsOf } from '../../ui/calls/call-words.ts'
import { useFileEntries } from '../../state/hooks/use-file-actions.ts'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { CommitPane } from './git/commit-pane.tsx'
import { changeWord } from './git/git-files.ts'
import { SeenMark, SeenSummary } from './seen-summary.tsx'
import type { Reviewed, ReviewFile } from './review-files.ts'
import { type Review, totalSeen } from './use-review.ts'
import styles from './changes.module.css'

export interface FilesPaneProps {
  readonly sessionId: SessionId
  readonly review: Review
  /** The ways to undo the shown step, for a narrow window, which has no list of steps. */
  readonly undo: ReactNode
  readonly onClose: () => void
  /** Shows the publish pane in place of the difference. */
  readonly onPublish: () => void
}

/** Files under review, grouped by folder, with added and removed lines. */
export function FilesPane({ sessionId, review, undo, onClose, onPublish }: FilesPaneProps): ReactNode {
  const { files, counts, file: current } = review
  const scroll = useRef<HTMLElement>(null)
  const groups = useMemo(() => groupsOf(files ?? []), [files])
  const shared = useMemo(() => sharedMakers(files ?? []), [files])
  return (
    <Pane kind="inspector" label="Changed files">
      <PaneHead
        rank={1}
        title="Changes"
        aside={files === null ? '' : counted(files.length, 'file')}
        end={
          <>
            {files !== null && <Total files={files} counts={counts} />}
            {review.scope === 'folder' && review.git.status?.kind === 'repository' && (
              <Button
                small
                disabledReason={review.git.status.unstaged.length === 0 ? 'Everything is staged' : null}
                onPress={review.git.stageAll}
              >
                Stage all
              </Button>
            )}
            <span className={styles.narrowClose}>
              <Button variant="quiet" only icon={X} label="Close review" keys="Esc" onPress={onClose} />
            </span>
          </>
        }
      />
      <div className={styles.narrowScope}>
        <ScopeSelect review={review} />
      </div>
      {review.scope !== 'folder' && files !== null && files.length > 0 && <SeenSummary review={review} />}
      <PaneScroll label="Changed files" padded ref={scroll}>
        <LeftOut sentences={review.leftOut} />
        <ChangedFolders sentences={review.folders} />
        <MadeByOnce shared={shared} />
        {files === null && <EmptyState>Reading what changed…</EmptyState>}
        {files?.length === 0 && <NothingChanged review={review} />}
        <GroupedList scroll={scroll} groups={groups} keyOf={pathOf} keep={current === null ? [] : [current.path]}>
          {(file) => (
            <ListRow
              title={<MiddlePath path={file.git ? file.shown : nameOf(file.shown)} className={styles.file} tip={false} />}
              end={<FileEnd file={file} review={review} lines={counts.get(file.path)} />}
              below={belowFile(file, hasOwnMakers(file, shared), isChangedSince(file, review))}
              renderMenu={(at) => <FileMenu sessionId={sessionId} file={file} review={review} at={at} />}
              selected={file.path === current?.path}
              tip={file.shown}
              onPress={() => review.showFile(file.path)}
            />
          )}
        </GroupedList>
      </PaneScroll>
      <div className={styles.narrowFoot}>{undo}</div>
      <RepositoryFoot sessionId={sessionId} review={review} onPublish={onPublish} />
    </Pane>
  )
}

interface FileMenuProps {
  readonly sessionId: SessionId
  readonly file: ReviewFile
  readonly review: Review
  readonly at: PointerPlace
}

function FileMenu({ sessionId, file, review, at }: FileMenuProps): ReactNode {
  const files = useFileEntries({ sessionId, path: file.absolute }, file.shown)
  const whole = (): void => {
    review.showFile(file.path)
    review.whole.open(file.path, null)
  }
  return (
    <PointerMenu
      label={file.shown}
      {...at}
      entries={[{ kind: 'item', id: 'whole', label: 'Whole file, with each line’s author', keys: 'W', onSelect: whole }, ...files]}
    />
  )
}

const isChangedSince = ({ absolute, git, isOnDisk }: ReviewFile, { since }: Review): boolean => !git && !isOnDisk && since.has(absolute)

/** The details below a file's row. Undefined if there are none. */
function belowFile({ madeBy, agents = [] }: ReviewFile, isMade: boolean, isChanged: boolean): ReactNode {
  if (!isMade && !isChanged) return undefined
  return (
    <>
      {isChanged && <span className="meta">Changed on disk since</span>}
      {isMade && <MadeBy makers={madeBy} agents={agents} />}
    </>
  )
}

const pathOf = ({ path }: ReviewFile): string => path

/** Groups the files by folder. There is no heading when all files are directly in the project folder. */
function groupsOf(files: readonly ReviewFile[]): readonly RowGroup<ReviewFile>[] {
  if (files.some(({ git }) => git)) return gitGroups(files)
  const folders = byFolder(files)
  return folders.map(({ folder, files: rows }) => {
    const words = folder === '' ? 'Project folder' : <MiddlePath path={folder} />
    const heading = folder === '' && folders.length === 1 ? null : <h2 className={styles.folder}>{words}</h2>
    return { key: folder, label: folder === '' ? 'Project folder' : folder, heading, rows }
  })
}

function gitGroups(files: readonly ReviewFile[]): readonly RowGroup<ReviewFile>[] {
  return (
    [
      ['staged', 'Staged'],
      ['unstaged', 'Not staged'],
    ] as const
  ).flatMap(([side, label]) => {
    const rows = files.filter(({ git }) => git?.side === side)
    return rows.length === 0 ? [] : [{ key: side, label, heading: <h2 className={styles.folder}>{label}</h2>, rows }]
  })
}

function NothingChanged({ review: { scope, git } }: { readonly review: Review }): ReactNode {
  if (scope !== 'folder') return <EmptyState>Nothing has changed yet. Files that a step writes appear here.</EmptyState>
  const { status } = git
  if (status?.kind === 'failed')
    return <ErrorNotice framed happened={status.trouble.what} kept={status.trouble.kept} todo={status.trouble.todo} />
  if (status?.kind === 'none')
    return (
      <EmptyState>
        No file differs from its state before the session. This folder is not in a git repository, so there is nothing to stage or commit.
      </EmptyState>
    )
  return <EmptyState>No file differs from the last commit.</EmptyState>
}

type RepositoryFootProps = Pick<FilesPaneProps, 'sessionId' | 'review' | 'onPublish'>

/** Branch and commit of the folder, with a button that reviews the folder instead of the session. */
function RepositoryFoot({ sessionId, review, onPublish }: RepositoryFootProps): ReactNode {
  const { status } = review.git
  if (status?.kind !== 'repository') return null
  const seen = totalSeen(review)
  if (review.scope === 'folder')
    return <CommitPane sessionId={sessionId} repository={status} git={review.git} seen={seen} onPublish={onPublish} />
  const left = seen.all - seen.seen
  return (
    <div className={styles.commit}>
      <Button onPress={() => review.show({ kind: 'folder' })}>Stage and commit…</Button>
      <p>
        On branch <code>{status.branch ?? 'none'}</code>
        {review.isCounted && left > 0 && `. ${counted(left, 'hunk')} left to see.`}
      </p>
    </div>
  )
}

/** Chooses what is reviewed. Replaces the list of steps in a narrow window. */
function ScopeSelect({ review: { calls, at, scope, show, outside } }: { readonly review: Review }): ReactNode {
  const choices = new Map<string, { readonly label: string; readonly hint?: string; readonly what: Reviewed }>([
    ['session', { label: 'The whole session', what: { kind: 'session' } }],
    ['folder', { label: 'The folder', what: { kind: 'folder' } }],
  ])
  const newest = at ?? calls.at(-1)?.toolCallId
  if (newest !== undefined)
    choices.set(`turn ${newest}`, { label: at === null ? 'The newest turn' : 'This turn', what: { kind: 'turn', call: newest } })
  for (const one of calls) {
    const call = one.toolCallId
    const hint = wordsOf(one).subject.slice(0, 80)
    if (outside.has(call))
      choices.set(`outside ${call}`, { label: `Outside change before step ${one.step}`, what: { kind: 'outside', call } })
    choices.set(`step ${call}`, { label: `Step ${one.step}`, hint, what: { kind: 'step', call } })
  }
  return (
    <Select
      label="Scope"
      selected={at === null ? scope : `${scope} ${at}`}
      options={[...choices].map(([id, { what: _what, ...choice }]) => ({ id, ...choice }))}
      onSelect={(id) => show(choices.get(id)?.what ?? { kind: 'session' })}
    />
  )
}

interface TotalProps {
  readonly files: readonly ReviewFile[]
  readonly counts: ReadonlyMap<string, LineCounts>
}

function Total({ files, counts }: TotalProps): ReactNode {
  const known = files.flatMap(({ path }) => counts.get(path) ?? [])
  if (known.length === 0 || known.length < files.length) return null
  return (
    <span className={styles.counts}>
      <span className="add">{added(known.reduce((sum, one) => sum + one.added, 0))}</span>
      <span className="del">{removed(known.reduce((sum, one) => sum + one.removed, 0))}</span>
    </span>
  )
}

interface FileEndProps {
  readonly file: ReviewFile
  readonly lines: LineCounts | undefined
  readonly review: Review
}

/** The end of a file's row: what happened to the file, its line counts, and how much of it was seen. */
function FileEnd({ file, lines, review: { states: all } }: FileEndProps): ReactNode {
  const { before, after, movedFrom, git, modes, isLink, isOnDisk } = file
  const isThere = movedFrom ? 'moved' : before === null ? 'new' : after === null ? 'deleted' : null
  const word = git ? changeWord(git) : [isThere ?? (modes && modeWord(modes)), isLink && 'link'].filter(Boolean).join(' ')
  const states = isOnDisk ? undefined : all.get(file.path)
  return (
    <span className={styles.counts}>
      {word && <span className="dim">{word}</span>}
      {lines && lines.added > 0 && <span className="add">{added(lines.added)}</span>}
      {lines && lines.removed > 0 && <span className="del">{removed(lines.removed)}</span>}
      {states && <SeenMark states={states} />}
    </span>
  )
}
