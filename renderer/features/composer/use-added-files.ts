import { type ClipboardEvent, useEffect, useRef, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { useDesk } from '../../state/desk-context.ts'
import { isLongText } from '../../state/stores/drafts/draft-texts.ts'
import { attachFiles } from '../../state/commands/attach-files.ts'

export interface AddedFiles {
  /** Whether files are being read. A message sent now would not include them. */
  readonly isBusy: boolean
  /** Whether files are being dragged over the window. */
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
  const take = (files: readonly File[]): void => {
    if (files.length === 0) return
    setTrouble(null)
    setWaiting((count) => count + 1)
    void attachFiles(desk, sessionId, files).then((failed) => {
      setTrouble(failed)
      setWaiting((count) => count - 1)
    })
  }
  const isOver = useDrop(take, (target) => {
    const pane = target instanceof Element ? target.closest<HTMLElement>('[data-session-pane]') : null
    return (pane?.dataset['sessionPane'] ?? desk.view.getState().sessionId) === sessionId
  })
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

/**
 * Handles drops anywhere in the window, because the browser would open a file that is dropped outside the message field. `isOurs`: whether
 * a drop on this element belongs to this message.
 */
function useDrop(take: (files: readonly File[]) => void, isOurs: (target: EventTarget | null) => boolean): boolean {
  const [isOver, setIsOver] = useState(false)
  const newest = useRef({ take, isOurs })
  useEffect(() => {
    newest.current = { take, isOurs }
  })
  useEffect(() => {
    const held = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsOver(newest.current.isOurs(event.target))
    }
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false)
    }
    const dropped = (event: DragEvent): void => {
      setIsOver(false)
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      if (newest.current.isOurs(event.target)) newest.current.take([...event.dataTransfer.files])
    }
    addEventListener('dragover', held)
    addEventListener('dragleave', left)
    addEventListener('drop', dropped)
    return () => {
      removeEventListener('dragover', held)
      removeEventListener('dragleave', left)
      removeEventListener('drop', dropped)
    }
  }, [])
  return isOver
}
