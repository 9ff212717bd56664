import type { ReactNode } from 'react'
import { ExactText } from '../text/exact-text.tsx'
import { MiddlePath } from '../text/middle-path.tsx'
import styles from './moved-from.module.css'

/** Beside the name of a file. `whole`: nothing of the path is shortened, for what is to be signed. */
export function MovedFrom({ path, whole = false }: { readonly path: string; readonly whole?: boolean }): ReactNode {
  if (whole)
    return (
      <>
        moved from <ExactText text={path} />
      </>
    )
  return (
    <span className={styles.moved} data-moved>
      <span className={styles.words}>moved from </span>
      <MiddlePath path={path} />
    </span>
  )
}
