import { type ClipboardEvent, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { useDesk } from '../../state/desk-context.ts'
import { isLongText } from '../../state/stores/drafts/draft-texts.ts'
import { attachFiles } from '../../state/commands/files/attach-files.ts'
import { addDropped, canBeAdded } from '../../state/commands/files/dragged-files.ts'
import { useDrop } from '../../ui/hooks/use-drop.ts'

export interface AddedFiles {
  /** Whether files are being read. A message sent now would not include them. */
  readonly isBusy: boolean
  /** Whether files are being dragged over this message's part of the window. */
  readonly isOver: boolean
  /** Why the last file was not added. */
  readonly trouble: Trouble | null
  take(files: readonly File[]): void
  /** Clears the error. Called when the message is sent without the file. */
  settle(): void
  onPaste(event: ClipboardEvent): void
}

/** Adds files to the message: pasted, chosen in a dialog, or dropped anywhere in the window. A long pasted text becomes an attachment. */
export function useAddedFiles(sessionId: SessionId): AddedFiles {
  const desk = useDesk()
  const [waiting, setWaiting] = useState(0)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const follow = (adding: Promise<Trouble | null>): void => {
    setTrouble(null)
    setWaiting((count) => count + 1)
    void adding.then((failed) => {
      setTrouble(failed)
      setWaiting((count) => count - 1)
    })
  }
  const take = (files: readonly File[]): void => {
    if (files.length > 0) follow(attachFiles(desk, sessionId, files))
  }
  const isOurs = (target: EventTarget | null): boolean => {
    const pane = target instanceof Element ? target.closest<HTMLElement>('[data-session-pane]') : null
    return (pane?.dataset['sessionPane'] ?? desk.view.getState().sessionId) === sessionId
  }
  const drop = (transfer: DataTransfer): void => follow(addDropped(desk, sessionId, transfer))
  const isOver = useDrop({ accepts: canBeAdded, isOurs, take: drop })
  return {
    isBusy: waiting > 0,
    isOver,
    trouble,
    take,
    settle: () => setTrouble(null),
    onPaste(event) {
      const { files, types } = event.clipboardData
      const text = event.clipboardData.getData('text/plain')
      if (isLongText(text)) {
        event.preventDefault()
        desk.draftTexts.set(sessionId, [...desk.draftTexts.get(sessionId), text])
        return
      }
      // Office programs put both the text and a picture of the text on the clipboard, and the user wants the text.
      if (files.length === 0 || (types.includes('text/html') && types.includes('text/plain'))) return
      event.preventDefault()
      take([...files])
    },
  }
}
