import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { addDropped, canBeAdded } from '../../state/commands/files/dragged-files.ts'
import { showMessage } from '../../state/commands/files/file-actions.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { useDrop } from '../../ui/hooks/use-drop.ts'
import type { ViewedFile } from '../../state/stores/view-store.ts'
import { Button } from '../../ui/controls/button.tsx'
import { VisuallyHidden } from '../../ui/notices/screen-reader.tsx'
import { PageFrame, PageNav } from '../../ui/frame/page-frame.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { useEscape } from '../../ui/hooks/use-escape.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { FileEditor } from './file-editor.tsx'
import { FileTree } from './file-tree.tsx'
import { FileViewer } from './file-viewer.tsx'
import { FindFileField, FoundFiles, useFileSearch } from './find-file.tsx'
import styles from './files.module.css'
import { useFile } from './use-file.ts'
import { useFileStates } from './use-file-states.ts'
import { type Folders, useFolders } from './use-folders.ts'

/** The files of a session’s place, with one of them in the viewer. */
export function FilesPage({ status }: { readonly status: ReactNode }): ReactNode {
  const desk = useDesk()
  const current = useView((view) => view.sessionId)
  const file = useView((view) => view.file)
  const close = (): void => desk.view.setState({ page: 'desk' })
  useEscape(close)
  const sessionId = file?.sessionId ?? current
  if (sessionId === null)
    return (
      <Pane kind="work" label="Files">
        <EmptyState
          action={
            <Button keys="Esc" onPress={close}>
              Back to the desk
            </Button>
          }
        >
          No session is open. Open one to see the files where it works.
        </EmptyState>
      </Pane>
    )
  return <SessionFiles key={sessionId} sessionId={sessionId} file={file} status={status} onClose={close} />
}

interface SessionFilesProps {
  readonly sessionId: SessionId
  readonly file: ViewedFile | null
  readonly status: ReactNode
  readonly onClose: () => void
}

function SessionFiles({ sessionId, file, status, onClose }: SessionFilesProps): ReactNode {
  const search = useFileSearch(sessionId)
  const scroll = useRef<HTMLElement>(null)
  const [shown, setShown] = useState<string | null>(null)
  const folders = useFolders(sessionId, shown)
  const states = useFileStates(sessionId, folders.changes)
  return (
    <PageFrame
      navLabel="Files"
      nav={
        <PageNav label="Files" closeWords="Close files" onClose={onClose}>
          <PaneHead level="bar">
            <FindFileField search={search} />
          </PaneHead>
          <PaneScroll label="Files" padded ref={scroll}>
            <div data-files="">
              {search.typed === '' ? (
                <Tree sessionId={sessionId} folders={folders} states={states} shown={shown} scroll={scroll} />
              ) : (
                search.paths && <FoundFiles sessionId={sessionId} paths={search.paths} shown={shown} />
              )}
            </div>
          </PaneScroll>
        </PageNav>
      }
      status={status}
    >
      <Pane kind="work" label={file ? file.path : 'No file'} className={styles.viewer}>
        {file ? (
          <Viewed key={file.path} file={file} changes={folders.changes} onShown={setShown} />
        ) : (
          <>
            <h1>
              <VisuallyHidden>Files</VisuallyHidden>
            </h1>
            <EmptyState>Choose a file, or type a part of its name.</EmptyState>
          </>
        )}
        <DropIntoMessage sessionId={sessionId} />
      </Pane>
    </PageFrame>
  )
}

/** While something that can be added to the message is dragged, says that it can be dropped. */
function DropIntoMessage({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const take = (transfer: DataTransfer): void => {
    void addDropped(desk, sessionId, transfer).then((trouble) => {
      desk.notice.setState({ trouble })
      if (trouble === null) showMessage(desk, sessionId)
    })
  }
  const isOver = useDrop({ accepts: canBeAdded, isOurs: () => true, take })
  return isOver ? (
    <p className={styles.dropping} role="status">
      Drop to add to the message
    </p>
  ) : null
}

interface TreeProps extends Omit<Parameters<typeof FileTree>[0], 'folders'> {
  readonly folders: Folders
}

function Tree({ folders, ...props }: TreeProps): ReactNode {
  const { rows, trouble, setOpen } = folders
  if (trouble) return <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />
  if (rows === null) return <EmptyState>Reading the folder…</EmptyState>
  if (rows.length === 0) return <EmptyState>The folder is empty.</EmptyState>
  return <FileTree {...props} folders={{ rows, setOpen }} />
}

interface ViewedProps {
  readonly file: ViewedFile
  readonly changes: number
  /** Called with the path of the file relative to the folder. */
  readonly onShown: (path: string) => void
}

/** An edit in place: the file, and the text that the edit started from. */
type EditedFile = Pick<Parameters<typeof FileEditor>[0], 'file' | 'text'>

function Viewed({ file: { sessionId, path, line }, changes, onShown }: ViewedProps): ReactNode {
  const desk = useDesk()
  const [edited, setEdited] = useState<EditedFile | null>(null)
  const [saves, setSaves] = useState(0)
  const [withWriters, setWithWriters] = useState(true)
  const read = useFile(sessionId, path, `${changes} ${saves}`)
  const shown = read?.ok === true ? read.file.shown : null
  useEffect(() => {
    if (shown !== null) onShown(shown)
  }, [shown, onShown])
  const done = (): void => {
    setEdited(null)
    setSaves((count) => count + 1)
  }
  const unsaved = read?.ok === true ? desk.editedTexts.get(sessionId, read.file.path) : null
  if (edited === null && read?.ok === true && unsaved !== null) setEdited({ file: read.file, text: unsaved.shown })
  // An edit stays on screen even if its file is deleted. Saving then says so.
  if (edited !== null) return <FileEditor sessionId={sessionId} {...edited} onDone={done} />
  if (read === null) return <EmptyState>Reading the file…</EmptyState>
  if (!read.ok) {
    const { what, kept, todo } = read.trouble
    return <ErrorNotice framed happened={what} kept={kept} todo={todo} />
  }
  return (
    <FileViewer
      onEdit={(text) => setEdited({ file: read.file, text })}
      sessionId={sessionId}
      file={read.file}
      line={line}
      withWriters={withWriters}
      onWriters={setWithWriters}
    />
  )
}
