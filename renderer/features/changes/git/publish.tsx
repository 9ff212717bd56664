import type { ReactNode } from 'react'
import type { GitRepository } from '../../../../shared/api/git.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import styles from '../changes.module.css'

/** Commands that publish the branch. They are the person's to run. */
export function Publish({
  repository: { branch, upstream },
}: {
  readonly sessionId: SessionId
  readonly repository: GitRepository
}): ReactNode {
  if (branch === null) return null
  const push = upstream === null ? `git push --set-upstream origin ${branch}` : 'git push'
  return (
    <div className={styles.publish}>
      <code>{push}</code>
      <code>gh pr create --fill</code>
    </div>
  )
}
