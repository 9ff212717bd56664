import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { counted } from '../format.ts'
import styles from './diff.module.css'

/** Files of one step that are shown at once: all 5,000 of a large one would take the window minutes. */
export const FILES_AT_ONCE = 50

export interface MoreFilesProps {
  readonly notShown: number
  readonly onShow: () => void
}

/** Says how many files are not shown, and shows some more. */
export function MoreFiles({ notShown, onShow }: MoreFilesProps): ReactNode {
  if (notShown === 0) return null
  return (
    <p className={styles.words}>
      {counted(notShown, 'more file')}{' '}
      <Button small onPress={onShow}>
        Show {Math.min(notShown, FILES_AT_ONCE).toLocaleString('en-US')}
      </Button>
    </p>
  )
}
