import type { ReactNode } from 'react'
import type { GitSide } from '../../../shared/api/changes/git.ts'
import { Button } from '../../ui/controls/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { clockTime } from '../../ui/format.ts'
import { Mark } from '../../ui/marks/mark.tsx'
import styles from './changes.module.css'
import type { HunkState } from './seen-hunks.ts'

export interface HunkHeadProps {
  /** Name of the definition that contains the hunk. Null if no line above the hunk names one. */
  readonly name: string | null
  readonly state: HunkState
  /** Who wrote the lines of the hunk. */
  readonly writtenBy: ReactNode
  /** Set for a file of the repository. */
  readonly staging: {
    readonly side: GitSide
    readonly wholeOnly: string | null
    readonly isBusy: boolean
    readonly stage: (whole: boolean) => void
  } | null
  readonly onSee: () => void
  readonly onComment: () => void
  /** Whether the lines are compared with the version that the user has seen. */
  readonly isAgainst: boolean
  readonly onAgainst: () => void
}

/** The heading of the current hunk, which is the hunk that the keys act on: its place, whether it was seen, and its buttons. */
export function HunkHead({ name, state, writtenBy, staging, onSee, onComment, isAgainst, onAgainst }: HunkHeadProps): ReactNode {
  return (
    <div className={classNames(styles.hunkHead, state.kind === 'again' && styles.again)} role="group" aria-label="Current hunk">
      <Mark kind={state.kind === 'seen' ? 'signed' : state.kind === 'again' ? 'pending' : 'proposed'} word={stateWords(state)} />
      {name !== null && <code className={styles.hunkName}>{name}</code>}
      <span className={styles.hunkState}>{stateWords(state)}</span>
      <span className="push" />
      {writtenBy}
      <Button small keys="Space" pressed={state.kind === 'seen'} onPress={onSee}>
        Seen
      </Button>
      {state.kind === 'again' && (
        <Button small variant="quiet" pressed={isAgainst} onPress={onAgainst}>
          Compare with what I saw
        </Button>
      )}
      <Button small variant="quiet" keys="C" onPress={onComment}>
        Comment
      </Button>
      {staging && <StageButtons {...staging} />}
    </div>
  )
}

function StageButtons({ side, wholeOnly, isBusy, stage }: NonNullable<HunkHeadProps['staging']>): ReactNode {
  const verb = side === 'staged' ? 'Unstage' : 'Stage'
  const disabledReason = isBusy ? 'Git is working' : null
  return (
    <>
      {wholeOnly === null && (
        <Button small keys="S" disabledReason={disabledReason} onPress={() => stage(false)}>
          {verb} hunk
        </Button>
      )}
      <Button
        small
        variant={wholeOnly === null ? 'quiet' : 'plain'}
        keys="Shift+S"
        tip={wholeOnly ?? undefined}
        disabledReason={disabledReason}
        onPress={() => stage(true)}
      >
        {verb} file
      </Button>
    </>
  )
}

function stateWords(state: HunkState): string {
  if (state.kind === 'seen') return `Seen ${clockTime(state.at)}`
  return state.kind === 'again' ? `Changed after you saw it ${clockTime(state.seen.at)}` : 'Not seen yet'
}
