import type { ReactNode } from 'react'
import type { CallItem } from '../../../shared/session/state.ts'
import { requestTitle, titleOf } from '../../state/views/request-title.ts'
import { ExactText } from '../../ui/text/exact-text.tsx'
import styles from './tray.module.css'

/** What a request is; a file by its whole path, since that is part of what is signed. */
export function RequestTitle({ call }: { readonly call: CallItem }): ReactNode {
  const { verb, path } = requestTitle(call)
  if (path === null) return titleOf(call)
  return (
    <>
      {verb}{' '}
      <span className={styles.path}>
        <ExactText text={path} />
      </span>
    </>
  )
}
