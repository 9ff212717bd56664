import { type ReactNode, useState } from 'react'
import { choiceOf } from '../../../state/stores/review-decisions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { gitFileDiff } from '../../../tools/view/git-file-diff.tsx'
import { GitChangeView } from '../../../ui/git/git-change-view.tsx'
import { counted } from '../../../ui/format.ts'
import { HunkBar } from '../../../ui/ledger/hunk-bar.tsx'
import { CHOICE_MARK_WORDS, CHOICE_MARKS, CHOICE_WORDS, ChoiceButtons } from './choice-buttons.tsx'
import styles from './review.module.css'
import type { Review, ReviewedGit } from './use-request-review.ts'

/**
 * What a command did to the repository. It is kept or refused as a unit, because a branch must not point to a commit that was left
 * out.
 */
export function GitPart({ git: { change, files, piece }, review }: { readonly git: ReviewedGit; readonly review: Review }): ReactNode {
  const { current, decided } = review
  const [isOpen, setOpen] = useState(true)
  const choice = choiceOf(decided, piece.key)
  return (
    <HunkBar
      mark={CHOICE_MARKS[choice]}
      markWord={CHOICE_MARK_WORDS[choice]}
      what={
        <>
          Repository <span className="soft">{CHOICE_WORDS[choice]}</span>
        </>
      }
      current={current?.key === piece.key}
      actions={
        <>
          <ChoiceButtons name="the change to the repository" keys={[piece.key]} review={review} />
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
