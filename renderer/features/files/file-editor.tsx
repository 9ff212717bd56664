import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { ShownFile } from '../../../shared/api/files.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PaneHead } from '../../ui/frame/panes/pane.tsx'
import { isComposing } from '../../ui/is-composing.ts'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import styles from './files.module.css'

interface FileEditorProps {
  readonly sessionId: SessionId
  readonly file: Pick<ShownFile, 'path' | 'shown'>
  /** The text that the edit started from. Nothing is saved if the file no longer has this text. */
  readonly text: string
  readonly onDone: () => void
}

/**
 * Edits a file in place. A saved edit counts as the user's own change. Ctrl+S saves. Escape closes the editor if nothing was changed.
 * Unsaved text is kept while the user looks at other files, and over a reload.
 */
export function FileEditor({ sessionId, file: { path, shown }, text, onDone }: FileEditorProps): ReactNode {
  const desk = useDesk()
  const field = useRef<HTMLTextAreaElement>(null)
  // The field has only line feeds. The file's own line ends come back when it is saved.
  const lines = text.replaceAll('\r\n', '\n')
  const [written, setWritten] = useState(() => desk.editedTexts.get(sessionId, path)?.written ?? lines)
  const [isSaving, setSaving] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const isChanged = written !== lines
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const write = (next: string): void => {
    setWritten(next)
    desk.editedTexts.set(sessionId, path, { shown: text, written: next })
  }
  const leave = (): void => {
    desk.editedTexts.set(sessionId, path, null)
    onDone()
  }
  const save = async (): Promise<void> => {
    if (isSaving) return
    setSaving(true)
    const saved = text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written
    const failed = await attemptRequest(desk, 'The file was not saved', (client) =>
      client.files.write({ sessionId, path: shown, expected: text, text: saved }),
    )
    setSaving(false)
    setTrouble(failed)
    if (failed === null) leave()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
      event.preventDefault()
      if (isChanged) void save()
    } else if (event.key === 'Escape') {
      // Escape must not lose unsaved text.
      event.preventDefault()
      event.stopPropagation()
      if (!isChanged) leave()
    }
  }
  return (
    <>
      <PaneHead
        rank={1}
        title={<MiddlePath path={shown} className={styles.path} />}
        aside={isChanged ? 'changed, not saved' : 'editing'}
        end={
          <>
            <Button variant="quiet" small onPress={leave}>
              {isChanged ? 'Discard' : 'Cancel'}
            </Button>
            <Button
              variant="preferred"
              small
              keys="Mod+S"
              busy={isSaving}
              busyWord="Saving"
              disabledReason={isChanged ? null : 'Nothing is changed'}
              onPress={() => void save()}
            >
              Save
            </Button>
          </>
        }
      />
      {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      <textarea
        ref={field}
        className={styles.edited}
        aria-label={`Text of ${shown}`}
        spellCheck={false}
        value={written}
        readOnly={isSaving}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </>
  )
}
