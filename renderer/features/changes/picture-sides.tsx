import { type ReactNode, useEffect, useState } from 'react'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../../state/desk-context.ts'
import styles from './changes.module.css'

/** Whether a file is shown as a picture, by its name. */
export const isPicture = (path: string): boolean => /\.(?:png|jpe?g|gif|webp)$/iu.test(path)

export interface PictureSidesProps {
  readonly sessionId: SessionId
  readonly path: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
}

/** A picture before and after, side by side. */
export function PictureSides({ sessionId, path, before, after }: PictureSidesProps): ReactNode {
  return (
    <div className={styles.pictures}>
      <PictureSide label="Before" none="There was no such file." {...{ sessionId, path }} hash={before} />
      <PictureSide label="After" none="The file was deleted." {...{ sessionId, path }} hash={after} />
    </div>
  )
}

interface PictureSideProps {
  readonly sessionId: SessionId
  readonly path: string
  readonly label: 'Before' | 'After'
  /** In place of the picture if there is no file. */
  readonly none: string
  readonly hash: BlobHash | null
}

function PictureSide({ sessionId, path, label, none, hash }: PictureSideProps): ReactNode {
  const url = usePicture(sessionId, hash)
  const [size, setSize] = useState<string | null>(null)
  return (
    <figure className={styles.picture} aria-label={`${label} the change`}>
      <figcaption>
        {label}
        {size !== null && `, ${size}`}
      </figcaption>
      {hash === null ? (
        <p>{none}</p>
      ) : url === null ? (
        <p>This is not a picture that can be shown.</p>
      ) : (
        url !== undefined && (
          <img
            src={url}
            alt={`${path}, ${label.toLowerCase()} the change`}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
          />
        )
      )}
    </figure>
  )
}

/** A stored picture as a URL: undefined while it is loading, null if it is none. */
function usePicture(sessionId: SessionId, hash: BlobHash | null): string | null | undefined {
  const desk = useDesk()
  const [url, setUrl] = useState<string | null>()
  useEffect(() => {
    if (hash === null) return
    let isCurrent = true
    desk.pictureUrls.get(sessionId, hash).then(
      (found) => isCurrent && setUrl(found),
      () => isCurrent && setUrl(null),
    )
    return () => {
      isCurrent = false
    }
  }, [desk, sessionId, hash])
  return url
}
