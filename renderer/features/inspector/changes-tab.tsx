import { memo, type ReactNode, useCallback, useState } from 'react'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../../state/desk-context.ts'
import { type SessionFile, useChangedFiles } from '../../state/use-changed-files.ts'
import { useFileActions } from '../../state/use-file-actions.ts'
import { useStepTexts } from '../../state/use-step-texts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FileTextsDiff } from '../../ui/diff/file-texts-diff.tsx'
import { MovedFrom } from '../../ui/diff/moved-from.tsx'
import { TextsMissing } from '../../ui/diff/texts-missing.tsx'
import { type LineCounts, useLineCounts } from '../../ui/diff/use-line-counts.ts'
import { PaneHead } from '../../ui/frame/pane-head.tsx'
import { PaneScroll } from '../../ui/frame/pane-scroll.tsx'
import { counted } from '../../ui/format.ts'
import { Axis } from '../../ui/ledger/axis.tsx'
import { FileButtons } from '../../ui/ledger/file-buttons.tsx'
import { FileRow } from '../../ui/ledger/file-row.tsx'
import { useGradual } from '../../ui/hooks/use-gradual.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import styles from './inspector.module.css'

/** The files that this session changed, each with its difference since the session began. */
export function ChangesTab({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const files = useChangedFiles(sessionId)
  const read = useCallback((hash: BlobHash | null) => desk.texts.get(sessionId, hash), [desk, sessionId])
  const counts = useLineCounts(files, read)
  const drawn = useGradual(files?.length ?? 0)
  if (files === null) return <EmptyState>Reading what changed…</EmptyState>
  if (files.length === 0)
    return <EmptyState>Nothing has changed yet. Files that a step changes appear here, with their content before and after.</EmptyState>
  return (
    <>
      <PaneHead
        level="bar"
        title={counted(files.length, 'file')}
        aside="this session"
        end={
          <Button small keys="Mod+Shift+D" onPress={() => desk.view.setState({ page: 'review' })}>
            Open as review
          </Button>
        }
      />
      <PaneScroll label="Changed files">
        <Axis tight>
          <div className={styles.files}>
            {files.slice(0, drawn).map((file, at) => (
              <ChangedFileEntry key={file.path} sessionId={sessionId} file={file} lines={counts.get(file.path)} openAtFirst={at === 0} />
            ))}
          </div>
        </Axis>
      </PaneScroll>
    </>
  )
}

interface ChangedFileEntryProps {
  readonly sessionId: SessionId
  readonly file: SessionFile
  readonly lines: LineCounts | undefined
  readonly openAtFirst: boolean
}

const ChangedFileEntry = memo(function ChangedFileEntry({ sessionId, file, lines, openAtFirst }: ChangedFileEntryProps): ReactNode {
  const [open, setOpen] = useState(openAtFirst)
  const actions = useFileActions({ sessionId, path: file.path })
  return (
    <section className={open ? undefined : styles.closedFile} aria-label={file.shown}>
      <FileRow
        path={file.shown}
        note={noteOf(file)}
        aside={stepsOf(file)}
        added={lines?.added}
        removed={lines?.removed}
        hoverActions={file.after !== null && <FileButtons path={file.shown} {...actions} />}
        actions={
          <Button
            variant="quiet"
            small
            expanded={open}
            label={`${open ? 'Hide' : 'Show'} the difference of ${file.shown}`}
            onPress={() => setOpen(!open)}
          >
            {open ? 'Hide' : 'Show'}
          </Button>
        }
      />
      {open && <FileDifference sessionId={sessionId} file={file} />}
    </section>
  )
})

function FileDifference({ sessionId, file }: { readonly sessionId: SessionId; readonly file: SessionFile }): ReactNode {
  const texts = useStepTexts(sessionId, [file])
  if (texts.kind !== 'loaded') return <TextsMissing texts={texts} className={styles.words} />
  return texts.files.map((loaded) => <FileTextsDiff key={loaded.path} file={loaded} />)
}

function noteOf({ before, after, movedFrom }: SessionFile): ReactNode {
  if (movedFrom) return <MovedFrom path={movedFrom.shown} />
  return before === null ? 'new' : after === null ? 'deleted' : undefined
}

function stepsOf({ steps }: SessionFile): string {
  return steps.length === 1 ? `step ${steps[0]}` : `steps ${steps.join(', ')}`
}
