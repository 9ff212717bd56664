import type { ReactNode } from 'react'
import type { CallItem } from '../../../shared/session/state.ts'
import { requestTitle } from '../../state/request-title.ts'
import { ExactText } from '../../ui/ledger/exact-text.tsx'
import styles from './tray.module.css'

/** What a request is; a file by its whole path, since that is part of what is signed. */
export function RequestTitle({ call }: { readonly call: CallItem }): ReactNode {
  const { verb, object, path } = requestTitle(call)
  if (path === null) return `${verb} ${object}`
  return (
    <>
      {verb}{' '}
      <span className={styles.path}>
        <ExactText text={path} />
      </span>
    </>
  )
}
