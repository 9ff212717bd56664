import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FileChange, foldersWithoutFiles } from '../../../../shared/session/file-change.ts'
import { isGitRecord, withoutGitRecords } from '../../../../shared/session/git-change.ts'
import { type UndoTarget, undoSkipWords } from '../../../../shared/session/rollback.ts'
import type { SkippedUndo, UndoPreview } from '../../../../shared/session/undo-preview.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Check } from '../../../ui/controls/check.tsx'
import { added, removed } from '../../../ui/format.ts'
import { ListRow } from '../../../ui/frame/list-row.tsx'
import { Pane, PaneHead, PaneScroll } from '../../../ui/frame/panes/pane.tsx'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import changes from '../changes.module.css'
import styles from './undo.module.css'
import { sinceWords, stepsWords, subjectOf, whatHappens } from './undo-words.ts'
import type { UndoWork } from './use-undo.ts'

const isMerged = ({ merged }: UndoPreview['files'][number]): boolean => merged
const isRestored = ({ change, merged }: UndoPreview['files'][number]): boolean => change.after !== null && !merged
const isDeleted = ({ change }: UndoPreview['files'][number]): boolean => change.after === null

/** The files without git's own records, which are shown as one change of the repository. */
function projectFiles(files: UndoPreview['files']): UndoPreview['files'] {
  return files.filter(({ change }) => !isGitRecord(change.shown))
}

/** Paths of the files that have a difference, in the order of the groups. */
export function inGroups({ conflicts, files, skipped }: UndoPreview): readonly string[] {
  const ofProject = projectFiles(files)
  const shown = [...conflicts, ...[isMerged, isRestored, isDeleted].flatMap((belongs) => ofProject.filter(belongs))]
  return [...shown.map(({ change }) => change.path), ...skipped.flatMap(({ change }) => (change ? [change.path] : []))]
}

interface UndoGroupsProps {
  readonly target: UndoTarget
  readonly work: UndoWork
  /** The button that carries out the undo. In a narrow window it is shown here, because the pane with the steps is hidden. */
  readonly foot: ReactNode
  readonly onClose: () => void
}

/** Shows every file of an undo, each in exactly one group. */
export function UndoGroups({ target, work, foot, onClose }: UndoGroupsProps): ReactNode {
  const { preview } = work
  const files = projectFiles(preview?.files ?? [])
  const merged = files.filter(isMerged)
  const restored = files.filter(isRestored)
  const deleted = files.filter(isDeleted)
  const folders = preview
    ? foldersWithoutFiles(
        withoutGitRecords(preview.folders).others,
        preview.files.map(({ change }) => change),
      )
    : []
  const since = sinceWords(target)
  return (
    <Pane kind="inspector" label="Files in the undo">
      <PaneHead
        rank={1}
        title={subjectOf(target)}
        aside={preview ? whatHappens(preview) : ''}
        end={
          <span className={changes.narrowClose}>
            <Button variant="quiet" only icon={X} label="Close preview" keys="Esc" onPress={onClose} />
          </span>
        }
      />
      <PaneScroll label="Files in the undo" padded>
        <Group name="Conflicts" count={preview?.conflicts.length ?? 0} about="later work changed the same lines">
          {preview?.conflicts.map(({ change, later, other }) => (
            <FileRow
              key={change.path}
              change={change}
              below={later.length > 0 ? `changed again in ${stepsWords(later)}` : `changed by ${other ?? 'you'}`}
              work={work}
            />
          ))}
        </Group>
        <Group name="Merged" count={merged.length} about="later work is kept">
          {merged.map(({ change, steps }) => (
            <FileRow key={change.path} change={change} below={stepsWords(steps)} work={work} />
          ))}
        </Group>
        <Group name="Restored" count={restored.length} about={since ? `as they were ${since.at}` : 'as they were'}>
          {restored.map(({ change, steps }) => (
            <FileRow key={change.path} change={change} below={stepsWords(steps)} work={work} />
          ))}
        </Group>
        <Group name="Deleted" count={deleted.length} about={since ? `created ${since.after}` : 'created by the agent'}>
          {deleted.map(({ change, steps }) => (
            <FileRow key={change.path} change={change} below={`created in ${stepsWords(steps)}`} work={work} />
          ))}
        </Group>
        {preview && files.length < preview.files.length && (
          <Group name="Repository" count={1} about={since ? `as it was ${since.at}` : 'as it was'}>
            <PlainRow name=".git/" below="commits, branches and staged files" />
          </Group>
        )}
        <Group name="Folders" count={folders.length} about="a folder that contains other files is kept">
          {folders.map(({ path, shown, before, after }) => (
            <PlainRow
              key={path}
              name={`${shown}/`}
              below={after === null ? 'deleted' : before === null ? 'created again' : 'gets its earlier mode'}
            />
          ))}
        </Group>
        <SkippedGroup skipped={preview?.skipped ?? []} work={work} />
        <Group name="Not covered" count={preview?.uncovered.length ?? 0} about="undo does not cover these">
          {preview?.uncovered.map(({ shown, why, step }) => (
            <PlainRow key={`${step} ${shown} ${why}`} name={shown} below={`step ${step}. ${why}`} />
          ))}
        </Group>
      </PaneScroll>
      <div className={changes.narrowFoot}>{foot}</div>
    </Pane>
  )
}

interface SkippedGroupProps {
  readonly skipped: readonly SkippedUndo[]
  readonly work: UndoWork
}

function SkippedGroup({ skipped, work }: SkippedGroupProps): ReactNode {
  return (
    <Group name="Skipped" count={skipped.length} about="left unchanged">
      {skipped.map(({ path, shown, change, ...why }) => (
        <div key={path} className={styles.skipped}>
          {change ? (
            <FileRow change={change} below={undoSkipWords(why)} work={work} />
          ) : (
            <PlainRow name={shown} below={undoSkipWords(why)} />
          )}
          {change && (
            <Check
              className={styles.anyway}
              label={change.after === null ? 'Delete it anyway' : 'Restore it anyway'}
              checked={work.anyway.has(path)}
              onChange={(isWanted) => work.setAnyway(path, isWanted)}
            />
          )}
        </div>
      ))}
    </Group>
  )
}

/** A row without a diff. */
function PlainRow({ name, below }: { readonly name: string; readonly below: string }): ReactNode {
  return (
    <div className={styles.plain}>
      <MiddlePath path={name} className={styles.name} />
      <span className={styles.below}>{below}</span>
    </div>
  )
}

interface GroupProps {
  readonly name: string
  readonly count: number
  readonly about: string
  readonly children: ReactNode
}

function Group({ name, count, about, children }: GroupProps): ReactNode {
  if (count === 0) return null
  return (
    <section className={styles.group} aria-label={name}>
      <h2 className={styles.heading}>
        {name}, {count} <span className="meta">{about}</span>
      </h2>
      {children}
    </section>
  )
}

interface FileRowProps {
  readonly change: FileChange
  readonly below: string
  readonly work: UndoWork
}

function FileRow({ change, below, work }: FileRowProps): ReactNode {
  const { lines } = change
  return (
    <ListRow
      title={<MiddlePath path={change.shown} className={styles.name} tip={false} />}
      below={below}
      end={
        <span className={styles.counts}>
          {lines !== null && lines.added > 0 && <span className="add">{added(lines.added)}</span>}
          {lines !== null && lines.removed > 0 && <span className="del">{removed(lines.removed)}</span>}
        </span>
      }
      selected={change.path === (work.shown?.path ?? work.conflict?.path)}
      tip={change.shown}
      onPress={() => work.show(change.path)}
    />
  )
}
