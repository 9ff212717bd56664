import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../../../shared/lib/ids.ts'
import { pendingCalls } from '../../../../../shared/session/fold/run-state.ts'
import type { CallItem } from '../../../../../shared/session/state.ts'
import { useDesk, useSession, useView } from '../../../../state/desk-context.ts'
import { useWhoAsks } from '../../../../state/hooks/use-agent-relations.ts'
import { agentOf, requestTitle } from '../../../../state/views/request-title.ts'
import { agentName, isAgent } from '../../../../state/views/session-families.ts'
import { filesOf, useRequestFiles, useStepTexts } from '../../../../state/hooks/changes/use-step-texts.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { byFolder, nameOf } from '../../../../ui/diff/by-folder.ts'
import { added, counted, removed } from '../../../../ui/format.ts'
import { GroupedList, type RowGroup } from '../../../../ui/frame/grouped-list.tsx'
import { ListRow } from '../../../../ui/frame/list-row.tsx'
import { PaneHead, PaneScroll } from '../../../../ui/frame/panes/pane.tsx'
import { MiddlePath } from '../../../../ui/text/middle-path.tsx'
import { choiceCounts } from '../choice-buttons.tsx'
import { lineCount } from '../review-signature.ts'
import type { ReviewedFile } from '../reviewed-files.ts'
import { type ListedFiles, type Review, useRequestReview } from '../use-request-review.ts'
import { type ArrangedFiles, MANY_FILES } from './same-changes.ts'
import styles from './many.module.css'

const NONE: readonly CallItem[] = []

/**
 * The files of the request in the tray, if there are so many that the tray cannot show them one below the other. Otherwise nothing. Like the
 * tray of `shown`, it also shows requests of its subagents and those to sign the work of its third-party agent.
 */
export function WaitingFiles({ shown }: { readonly shown: SessionId }): ReactNode {
  const sessionId = useWhoAsks(shown) ?? shown
  const pending = useSession(sessionId, pendingCalls, NONE)
  const chosen = useView((view) => view.request)
  const call = pending.find(({ id }) => id === chosen) ?? pending[0]
  if (call === undefined || filesOf(call.effects).length < MANY_FILES) return null
  return <FilesOfRequest key={call.id} sessionId={sessionId} call={call} />
}

function FilesOfRequest({ sessionId, call }: { readonly sessionId: SessionId; readonly call: CallItem }): ReactNode {
  const texts = useStepTexts(sessionId, useRequestFiles(sessionId, call))
  const review = useRequestReview(sessionId, call, texts)
  const asker = useStore(useDesk().list, ({ sessions }) => {
    const session = sessions.get(sessionId)
    return session && isAgent(session) ? agentName(session) : null
  })
  const whose = agentOf(call) === null ? (asker === null ? '' : `, asked by the ${asker}`) : `, what ${requestTitle(call).object}`
  return review?.list && <FilesToSign review={review} list={review.list} whose={whose} />
}

interface FilesToSignProps {
  readonly review: Review
  readonly list: ListedFiles
  /** Whose changes they are, if they are not those of the shown session itself. */
  readonly whose: string
}

function FilesToSign({ review, list: { arranged }, whose }: FilesToSignProps): ReactNode {
  const { files, notShown, decided, change } = review
  const scroll = useRef<HTMLElement>(null)
  const [isByFolder, setByFolder] = useState(false)
  const groups = useMemo(
    () => (isByFolder || arranged === null ? folderGroups(files) : changeGroups(arranged)),
    [isByFolder, arranged, files],
  )
  const kinds = arranged === null ? 0 : arranged.same.length + arranged.others.length
  const isCurrent = ({ pieces }: ReviewedFile): boolean => pieces.some(({ key }) => key === decided.current)
  const current = files.find(isCurrent)
  return (
    <section className={styles.waiting} aria-label="Files to sign">
      <PaneHead
        level="bar"
        title={counted(files.length + notShown, 'file')}
        aside={`to sign${whose}${kinds === 0 ? '' : `, ${counted(kinds, 'kind')} of change`}`}
        end={
          <Button small variant="quiet" pressed={isByFolder} onPress={() => setByFolder(!isByFolder)}>
            By folder
          </Button>
        }
      />
      <PaneScroll label="List of files to sign" padded ref={scroll}>
        <GroupedList scroll={scroll} groups={groups} keyOf={pathOf} keep={current === undefined ? [] : [current.path]}>
          {(file) => (
            <ListRow
              title={<MiddlePath path={isByFolder ? nameOf(file.shown) : file.shown} className="path" tip={false} />}
              end={<Lines file={file} review={review} />}
              selected={isCurrent(file)}
              tip={file.shown}
              onPress={() => change((known) => ({ ...known, current: file.pieces[0]?.key ?? known.current }))}
            />
          )}
        </GroupedList>
      </PaneScroll>
    </section>
  )
}

/** The lines of a file, and what was chosen for it if nothing of it is kept. */
function Lines({
  file: { path, pieces, hunks },
  review: { decided },
}: {
  readonly file: ReviewedFile
  readonly review: Review
}): ReactNode {
  const keys = decided.refused.has(path) ? [path] : pieces.map(({ key }) => key)
  const isLeft = keys.length > 0 && keys.every((key) => decided.refused.has(key))
  const lines = lineCount(hunks ?? [], decided)
  return (
    <span className={styles.counts}>
      {isLeft && <span className="dim">{choiceCounts(decided, keys)}</span>}
      {lines.added > 0 && <span className="add">{added(lines.added)}</span>}
      {lines.removed > 0 && <span className="del">{removed(lines.removed)}</span>}
    </span>
  )
}

const pathOf = ({ path }: ReviewedFile): string => path

function folderGroups(files: readonly ReviewedFile[]): readonly RowGroup<ReviewedFile>[] {
  return byFolder(files).map(({ folder, files: rows }) => groupOf(folder, folder === '' ? 'Project folder' : folder, rows))
}

/**
 * What differs comes first, because it is worth a look. The files with the same change follow, by the folders of the tray's check boxes.
 */
function changeGroups({ same, others }: ArrangedFiles): readonly RowGroup<ReviewedFile>[] {
  return [
    ...(others.length === 0 ? [] : [groupOf('others', same.length === 0 ? 'Each file has its own change' : 'Other changes', others)]),
    ...same.flatMap(({ first, folders }) =>
      folders.map(({ name, files }) => {
        const place = name === '' ? 'project folder' : name
        return groupOf(`${first.path}\n${name}`, `The same change, ${place}, ${counted(files.length, 'file')}`, files)
      }),
    ),
  ]
}

function groupOf(key: string, label: string, rows: readonly ReviewedFile[]): RowGroup<ReviewedFile> {
  const heading = (
    <h2 className={styles.waitingHeading}>
      <MiddlePath path={label} />
    </h2>
  )
  return { key, label, heading, rows }
}
