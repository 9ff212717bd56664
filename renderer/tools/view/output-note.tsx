import type { ReactNode } from 'react'
import { foreign } from '../../ui/text/exact-text.tsx'
import type { BodyProps } from './tool-view.ts'
import styles from './view.module.css'

/** An output that is a sentence or two. */
export function OutputNote({ call }: BodyProps): ReactNode {
  return <p className={`note ${styles.lines}`}>{foreign(call.output)}</p>
}
