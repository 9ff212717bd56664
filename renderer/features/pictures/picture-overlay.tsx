import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { PictureSource } from '../../state/stores/blob-cache.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Overlay } from '../../ui/frame/dialogs/overlay.tsx'
import styles from './pictures.module.css'

export interface PictureOverlayProps {
  readonly sessionId: SessionId
  readonly picture: PictureSource
}

/** A picture, as large as the window allows, above the rest of the window. */
export function PictureOverlay({ sessionId, picture }: PictureOverlayProps): ReactNode {
  const desk = useDesk()
  const [shown, setShown] = useState<{ readonly url: string | null } | null>(null)
  const [size, setSize] = useState<string | null>(null)
  useEffect(() => {
    let isOver = false
    const show = (url: string | null): void => {
      if (!isOver) setShown({ url })
    }
    void desk.pictureUrls.get(sessionId, picture).then(show, () => show(null))
    return () => {
      isOver = true
    }
  }, [desk, sessionId, picture])
  const close = (): void => desk.view.setState({ overlay: null })
  return (
    <Overlay label="Picture" onClose={close} className={styles.overlay}>
      <header className={styles.head}>
        <h2 className="strong">Picture</h2>
        <span className={styles.size}>{size}</span>
        <Button variant="quiet" only icon={X} label="Close" keys="Esc" onPress={close} />
      </header>
      <div className={styles.room}>
        {shown !== null && shown.url !== null && (
          <img
            className={styles.image}
            src={shown.url}
            alt={picture.kind === 'given' ? 'Attached to the message' : 'Shown by the result of a step'}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
          />
        )}
        {shown !== null && shown.url === null && <p>The picture cannot be loaded.</p>}
      </div>
    </Overlay>
  )
}
