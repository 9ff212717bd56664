import { X } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { GroupedList, type RowGroup } from '../../ui/frame/grouped-list.tsx'
import { ListRow } from '../../ui/frame/list-row.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { added, counted, removed } from '../../ui/format.ts'
import { LeftOut } from '../../ui/diff/left-out.tsx'
import { MadeBy } from '../../ui/diff/made-by.tsx'
import type { LineCounts } from '../../ui/diff/compare/use-line-counts.ts'
import { wordsOf } from '../../ui/calls/call-words.ts'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import styles from './changes.module.css'
import { byFolder, nameOf, type ReviewFile } from './review-files.ts'
import type { Review } from './use-review.ts'

/** Files under review, grouped by folder, with added and removed lines. */
export function FilesPane({ review, onClose }: { readonly review: Review; readonly onClose: () => void }): ReactNode {
  const { files, counts, file: current } = review
  const scroll = useRef<HTMLElement>(null)
  const groups = useMemo(() => groupsOf(files ?? []), [files])
  return (
    <Pane kind="inspector" label="Changed files">
      <PaneHead
        rank={1}
        title="Changes"
        aside={files === null ? '' : counted(files.length, 'file')}
        end={
          <>
            {files !== null && <Total files={files} counts={counts} />}
            <span className={styles.narrowClose}>
              <Button variant="quiet" only icon={X} label="Close review" keys="Esc" onPress={onClose} />
            </span>
          </>
        }
      />
      <div className={styles.narrowScope}>
        <ScopeSelect review={review} />
      </div>
      <PaneScroll label="Changed files" padded ref={scroll}>
        <LeftOut sentences={review.leftOut} />
        {files === null && <EmptyState>Reading what changed…</EmptyState>}
        {files?.length === 0 && <EmptyState>Nothing has changed yet. Files that a step writes appear here.</EmptyState>}
        <GroupedList scroll={scroll} groups={groups} keyOf={pathOf} keep={current === null ? [] : [current.path]}>
          {(file) => (
            <ListRow
              title={<MiddlePath path={nameOf(file.shown)} className={styles.file} tip={false} />}
              end={<FileCounts file={file} lines={counts.get(file.path)} />}
              {...(file.madeBy.length > 0 && { below: <MadeBy makers={file.madeBy} /> })}
              selected={file.path === current?.path}
              tip={file.shown}
              onPress={() => review.showFile(file.path)}
            />
          )}
        </GroupedList>
      </PaneScroll>
    </Pane>
  )
}

const pathOf = ({ path }: ReviewFile): string => path

/** Grouped by folder. No heading when all files are in the project folder. */
function groupsOf(files: readonly ReviewFile[]): readonly RowGroup<ReviewFile>[] {
  const folders = byFolder(files)
  return folders.map(({ folder, files: rows }) => {
    const words = folder === '' ? 'Project folder' : <MiddlePath path={folder} />
    const heading = folder === '' && folders.length === 1 ? null : <h2 className={styles.folder}>{words}</h2>
    return { key: folder, label: folder === '' ? 'Project folder' : folder, heading, rows }
  })
}

/** Replaces the list of steps in a narrow window. */
function ScopeSelect({ review: { calls, call, showSession, showStep } }: { readonly review: Review }): ReactNode {
  const steps = calls.map((one) => ({ id: one.toolCallId, label: `Step ${one.step}`, hint: wordsOf(one).subject.slice(0, 80) }))
  return (
    <Select<ToolCallId | 'session'>
      label="Scope"
      selected={call?.toolCallId ?? 'session'}
      options={[{ id: 'session', label: 'The whole session' }, ...steps]}
      onSelect={(chosen) => (chosen === 'session' ? showSession() : showStep(chosen))}
    />
  )
}

interface TotalProps {
  readonly files: readonly ReviewFile[]
  readonly counts: ReadonlyMap<string, LineCounts>
}

function Total({ files, counts }: TotalProps): ReactNode {
  if (counts.size === 0 || counts.size < files.length) return null
  const known = [...counts.values()]
  return (
    <span className={styles.counts}>
      <span className="add">{added(known.reduce((sum, one) => sum + one.added, 0))}</span>
      <span className="del">{removed(known.reduce((sum, one) => sum + one.removed, 0))}</span>
    </span>
  )
}

interface FileCountsProps {
  readonly file: ReviewFile
  readonly lines: LineCounts | undefined
}

function FileCounts({ file: { before, after, movedFrom }, lines }: FileCountsProps): ReactNode {
  const word = movedFrom ? 'moved' : before === null ? 'new' : after === null ? 'deleted' : null
  return (
    <span className={styles.counts}>
      {word !== null && <span className="dim">{word}</span>}
      {lines && lines.added > 0 && <span className="add">{added(lines.added)}</span>}
      {lines && lines.removed > 0 && <span className="del">{removed(lines.removed)}</span>}
    </span>
  )
}
