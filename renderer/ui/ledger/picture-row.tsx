import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import styles from './picture-row.module.css'

interface RowPicture {
  readonly id: string
  /** "PNG, 12.4 kB". */
  readonly facts: string
  /** Undefined while loading; null when the picture no longer exists. */
  readonly url: string | null | undefined
}

export interface PictureRowProps {
  readonly label: string
  readonly pictures: readonly RowPicture[]
  readonly onOpen: (id: string) => void
  /** Left out when pictures cannot be removed. */
  readonly onRemove?: ((id: string) => void) | undefined
}

/** Thumbnails of a message's pictures; a press shows one in full size. */
export function PictureRow({ label, pictures, onOpen, onRemove }: PictureRowProps): ReactNode {
  return (
    <ul className={styles.row} aria-label={label}>
      {pictures.map(({ id, facts, url }, index) => (
        <li key={id} className={styles.item}>
          {url === null ? (
            <span className={styles.gone}>Picture {index + 1} is gone</span>
          ) : (
            <button
              type="button"
              className={styles.open}
              aria-label={`Picture ${index + 1} of ${pictures.length}, ${facts}: show it large`}
              data-tip={facts}
              onClick={() => onOpen(id)}
            >
              {url !== undefined && <img className={styles.image} src={url} alt="" />}
            </button>
          )}
          {onRemove && (
            <Button only small icon={X} label={`Take picture ${index + 1} out`} className={styles.remove} onPress={() => onRemove(id)} />
          )}
        </li>
      ))}
    </ul>
  )
}
