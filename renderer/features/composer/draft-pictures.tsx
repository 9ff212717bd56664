import { type ReactNode, useRef } from 'react'
import { useStore } from 'zustand'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import { showPicture } from '../../state/commands/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { pictureFacts } from '../../ui/format.ts'
import { usePictureUrls } from '../../state/hooks/use-picture-urls.ts'
import { PictureRow } from '../../ui/ledger/picture-row.tsx'
import styles from './composer.module.css'
import { Paperclip } from 'lucide-react'
import { Button } from '../../ui/controls/button.tsx'

export interface DraftPicturesRowProps {
  readonly sessionId: SessionId
  readonly isBusy: boolean
  readonly isOver: boolean
}

/** The pictures of the draft message. Each can be removed. */
export function DraftPicturesRow({ sessionId, isBusy, isOver }: DraftPicturesRowProps): ReactNode {
  const desk = useDesk()
  const pictures = useStore(desk.draftPictures.store, (all) => all.get(sessionId)) ?? desk.draftPictures.get(sessionId)
  const urls = usePictureUrls(
    sessionId,
    pictures.map(({ hash }) => ({ kind: 'given', hash })),
  )
  const remove = (hash: string): void => {
    desk.draftPictures.remove(sessionId, hash as BlobHash)
    document.querySelector<HTMLElement>('[data-composer-text]')?.focus()
  }
  return (
    <>
      {pictures.length > 0 && (
        <PictureRow
          label="Pictures in this message"
          pictures={pictures.map((picture) => ({ id: picture.hash, facts: pictureFacts(picture), url: urls.get(picture.hash) }))}
          onOpen={(hash) => showPicture(desk, sessionId, { kind: 'given', hash: hash as BlobHash })}
          onRemove={remove}
        />
      )}
      {(isOver || isBusy) && (
        <p className={styles.dropping} role="status">
          {isOver ? 'Drop to add the file to this message' : 'Adding the file…'}
        </p>
      )}
    </>
  )
}

interface AddFileProps {
  readonly onChoose: (files: readonly File[]) => void
}

/** Adds files with a file dialog, for people who neither paste nor drag. */
export function AddFile({ onChoose }: AddFileProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])])
          // Resetting the value lets the user choose the same file again.
          currentTarget.value = ''
        }}
      />
      <Button
        only
        small
        variant="quiet"
        icon={Paperclip}
        label="Add a file"
        tip="Add a picture, text, PDF or notebook; pasting or dropping one works too"
        onPress={() => input.current?.click()}
      />
    </>
  )
}
