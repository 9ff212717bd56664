import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import styles from './picture-row.module.css'

interface RowPicture {
  readonly id: string
  /** Type and size: "PNG, 12.4 kB". */
  readonly facts: string
  /** Undefined while loading. Null if the picture cannot be shown. */
  readonly url: string | null | undefined
}

export interface PictureRowProps {
  readonly label: string
  readonly pictures: readonly RowPicture[]
  readonly onOpen: (id: string) => void
  /** Left out if pictures cannot be removed. */
  readonly onRemove?: ((id: string) => void) | undefined
  /** `large` makes the pictures legible in the row. Default: thumbnails. */
  readonly size?: 'large' | undefined
  /** Why a picture has no URL, in words that continue "Picture 1", such as "is gone". */
  readonly gone?: string | undefined
}

/** Pictures of a message or a result. Pressing a picture shows it in full size. */
export function PictureRow({ label, pictures, onOpen, onRemove, size, gone = 'is gone' }: PictureRowProps): ReactNode {
  return (
    <ul className={classNames(styles.row, size === 'large' && styles.large)} aria-label={label}>
      {pictures.map((picture, index) => (
        <li key={picture.id} className={styles.item}>
          <Shown picture={picture} name={`Picture ${index + 1}`} of={pictures.length} gone={gone} onOpen={onOpen} />
          {onRemove && (
            <Button
              only
              small
              icon={X}
              label={`Remove picture ${index + 1}`}
              className={styles.remove}
              onPress={() => onRemove(picture.id)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

interface ShownProps extends Pick<PictureRowProps, 'onOpen'> {
  readonly picture: RowPicture
  readonly name: string
  readonly of: number
  readonly gone: string
}

function Shown({ picture: { id, facts, url }, name, of, gone, onOpen }: ShownProps): ReactNode {
  // The state is the failed URL, not a flag, so that a new URL needs no reset. A new `key` would remount the button, and the button would
  // lose the focus.
  const [broken, setBroken] = useState<string | null>(null)
  const isBroken = url !== null && url === broken
  if (url === null || isBroken)
    return <span className={styles.gone}>{isBroken ? `${name} cannot be drawn (${facts})` : `${name} ${gone}`}</span>
  return (
    <button
      type="button"
      className={styles.open}
      aria-label={`${name} of ${of}, ${facts}: enlarge`}
      data-tip={facts}
      onClick={() => onOpen(id)}
    >
      {url !== undefined && <img className={styles.image} src={url} alt="" onError={() => setBroken(url)} />}
    </button>
  )
}
