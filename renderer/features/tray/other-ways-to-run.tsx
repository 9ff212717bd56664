import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { mayConfine } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'
import type { Answer, Signing } from '../../state/stores/approval-desk.ts'
import { Button } from '../../ui/controls/button.tsx'
import { type NextTime, NextTimeChoice, NextTimeNote } from './next-time.tsx'
import styles from './tray.module.css'

export interface OtherWaysToRunProps {
  readonly sessionId: SessionId
  readonly call: CallItem
  readonly next: NextTime | null
  readonly signing: Signing
  readonly onAnswer: (answer: Answer) => void
}

/**
 * Shown above the answers to a command: the choice for the next time, and buttons that run the command in another way. After such a switch,
 * the command needs approval again.
 */
export function OtherWaysToRun({ sessionId, call, next, signing, onAnswer }: OtherWaysToRunProps): ReactNode {
  const folder = useStore(useDesk().list, ({ sessions }) => sessions.get(sessionId)?.folder ?? '')
  const sandbox = useSandbox(folder)
  if (next === null || signing.kind === 'answered' || signing.kind === 'void') return null
  const way = (kind: 'run_for_real' | 'run_confined', words: string, tip: string): ReactNode => (
    <Button
      className="push"
      small
      busy={signing.kind === 'sending' && signing.answer === kind}
      disabledReason={signing.kind === 'armed' ? null : 'The request must be on the screen for a moment first'}
      tip={tip}
      onPress={() => onAnswer({ kind })}
    >
      {words}
    </Button>
  )
  return (
    <div className={styles.ways}>
      <NextTimeChoice next={next} />
      {next.isCopied && way('run_for_real', 'Run for real instead', 'Drops these changes, then asks whether to run the command for real.')}
      {mayConfine(call.effects) &&
        sandbox?.kind === 'present' &&
        way(
          'run_confined',
          'Run confined instead',
          'Asks again, to run the command confined: it can write only in the folder, and reach only hosts that your rules allow.',
        )}
      <NextTimeNote next={next} />
    </div>
  )
}
