import type { ReactNode } from 'react'
import type { Answer, Signing } from '../../state/stores/approval-desk.ts'
import { Button } from '../../ui/controls/button.tsx'
import { type NextTime, NextTimeChoice, NextTimeNote } from './next-time.tsx'
import styles from './tray.module.css'

export interface CommandWaysProps {
  readonly next: NextTime | null
  readonly signing: Signing
  readonly onAnswer: (answer: Answer) => void
}

/** Above the answers to a command: what happens the next time, and the other way to run what has run in a copy. */
export function CommandWays({ next, signing, onAnswer }: CommandWaysProps): ReactNode {
  if (next === null || signing.kind === 'answered' || signing.kind === 'void') return null
  return (
    <div className={styles.ways}>
      <NextTimeChoice next={next} />
      {next.isCopied && (
        <Button
          className="push"
          small
          busy={signing.kind === 'sending' && signing.answer === 'run_for_real'}
          disabledReason={signing.kind === 'armed' ? null : 'The request must be on the screen for a moment first'}
          tip="Drops these changes and asks for the command by its words."
          onPress={() => onAnswer({ kind: 'run_for_real' })}
        >
          Run for real instead
        </Button>
      )}
      <NextTimeNote next={next} />
    </div>
  )
}
