import type { ReactNode } from 'react'
import type { GitRepository } from '../../../../shared/api/git.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { pushCommand } from './git-files.ts'
import styles from '../changes.module.css'

/** Commands that publish the branch. They are the person's to run. */
export function Publish({
  repository: { branch, upstream },
}: {
  readonly sessionId: SessionId
  readonly repository: GitRepository
}): ReactNode {
  if (branch === null) return null
  return (
    <div className={styles.publish}>
      <code>{pushCommand(branch, upstream)}</code>
      <code>gh pr create --fill</code>
    </div>
  )
}
