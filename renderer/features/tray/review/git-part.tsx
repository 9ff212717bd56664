import { type ReactNode, useState } from 'react'
import { kept, refused } from '../../../state/stores/review-decisions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { gitFileDiff } from '../../../tools/view/git-file-diff.tsx'
import { GitChangeView } from '../../../ui/git/git-change-view.tsx'
import { counted } from '../../../ui/format.ts'
import { HunkBar } from '../../../ui/ledger/hunk-bar.tsx'
import styles from './review.module.css'
import type { Review, ReviewedGit } from './use-request-review.ts'

/**
 * What a command did to the repository. It is kept or refused as a unit, because a branch must not point to a commit that was left
 * out.
 */
export function GitPart({ git: { change, files, piece }, review }: { readonly git: ReviewedGit; readonly review: Review }): ReactNode {
  const { current, decided, change: decide } = review
  const [isOpen, setOpen] = useState(true)
  const isRefused = decided.refused.has(piece.key)
  const onPress = (): void =>
    decide((known) => ({ ...(isRefused ? kept(known, [piece.key]) : refused(known, [piece.key])), current: piece.key }))
  return (
    <HunkBar
      mark={isRefused ? 'refused' : 'signed'}
      markWord={isRefused ? 'Refused' : 'Kept'}
      what={
        <>
          Repository <span className="soft">{isRefused ? 'refused' : 'kept'}</span>
        </>
      }
      current={current?.key === piece.key}
      actions={
        <>
          <Button small variant="quiet" label={`${isRefused ? 'Keep' : 'Refuse'} the change to the repository`} onPress={onPress}>
            {isRefused ? 'Keep' : 'Refuse'}
          </Button>
          <Button small variant="quiet" expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        </>
      }
    >
      {isOpen && (
        <>
          <div className={styles.git}>
            <GitChangeView change={change} diffOf={gitFileDiff(review.sessionId, true)} />
          </div>
          <p className={styles.words}>{`Git’s own data: ${counted(files, 'file')} in .git.`}</p>
        </>
      )}
    </HunkBar>
  )
}
