import { type ReactNode, useState } from 'react'
import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import { classNames } from '../../class-names.ts'
import { byteSize } from '../../format.ts'
import type { DiffLayout } from '../code-diff.tsx'
import styles from './picture-sides.module.css'

/** Maximum number of characters of an SVG file that is shown as a picture. */
const LONGEST_DRAWING = 2_000_000

/** One side of a change as a picture. */
interface SidePicture {
  readonly url: string
  readonly bytes: number
}

export interface PicturePair {
  /** Null if the file does not exist on that side or is not a picture. */
  readonly before: SidePicture | null
  readonly after: SidePicture | null
  /** The text in place of a picture. */
  readonly none: { readonly before: string; readonly after: string }
}

/** Both sides of a change as pictures. Null if neither side is a picture, or if the content does not change. */
export function picturesOf(path: string, before: BlobText | null, after: BlobText | null): PicturePair | null {
  if (before === after) return null
  const old = pictureOf(path, before)
  const fresh = pictureOf(path, after)
  if (!old && !fresh) return null
  const none = { before: before ? NO_PICTURE : 'There was no such file.', after: after ? NO_PICTURE : 'The file was deleted.' }
  return { before: old, after: fresh, none }
}

const NO_PICTURE = 'This is not a picture that can be shown.'

/** A file's content as a picture. Null if it is none that can be shown. */
export function pictureOf(path: string, side: BlobText | null): SidePicture | null {
  if (side?.kind === 'binary' && side.picture)
    return { url: `data:${side.picture.mediaType};base64,${side.picture.data}`, bytes: side.bytes }
  // An SVG that is the source of an image runs no scripts and loads nothing.
  if (side?.kind === 'text' && /\.svg$/iu.test(path) && side.text.length <= LONGEST_DRAWING)
    return { url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(side.text.toWellFormed())}`, bytes: bytesOf(side.text) }
  return null
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength

export interface PictureSidesProps {
  readonly path: string
  readonly pictures: PicturePair
  /** The layout of the lines below the pictures. */
  readonly layout: DiffLayout
}

/** A picture before and after, side by side if there is room, with the size of each. */
export function PictureSides({ path, pictures, layout }: PictureSidesProps): ReactNode {
  const { before, after, none } = pictures
  return (
    <div className={classNames(styles.sides, layout === 'split' && styles.split)}>
      <PictureSide key={before?.url} label="Before" path={path} picture={before} none={none.before} />
      <PictureSide key={after?.url} label="After" path={path} picture={after} none={none.after} />
    </div>
  )
}

interface PictureSideProps {
  readonly path: string
  readonly label: 'Before' | 'After'
  readonly picture: SidePicture | null
  readonly none: string
}

function PictureSide({ path, label, picture, none }: PictureSideProps): ReactNode {
  const [pixels, setPixels] = useState<string | null>(null)
  const [isBroken, setBroken] = useState(false)
  const facts = [label, pixels, picture && byteSize(picture.bytes)].filter((fact) => fact !== null)
  return (
    <figure className={styles.side} aria-label={`${label} the change`}>
      <figcaption>{facts.join(', ')}</figcaption>
      {picture === null || isBroken ? (
        <p>{isBroken ? NO_PICTURE : none}</p>
      ) : (
        <img
          src={picture.url}
          alt={`${path}, ${label.toLowerCase()} the change`}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setPixels(`${naturalWidth} × ${naturalHeight}`)}
          onError={() => setBroken(true)}
        />
      )}
    </figure>
  )
}
