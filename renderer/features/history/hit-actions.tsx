import type { KeyboardEvent, ReactNode } from 'react'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { HistoryHit } from '../../../shared/api/history.ts'
import type { ConversationPoint } from '../../../shared/session/conversation-move.ts'
import { showEntry } from '../../state/commands/actions.ts'
import { forkSession } from '../../state/commands/conversation-actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import { Button } from '../../ui/controls/button.tsx'
import styles from './history.module.css'

/** The point to fork at: after the hit, or before it if it is a user's message. Null if there is no such point. */
function pointOf({ foundIn, seq, step }: HistoryHit): ConversationPoint | null {
  switch (foundIn) {
    case 'you':
      return { kind: 'before', seq }
    case 'answer':
      return { kind: 'after', seq }
    case 'plan':
    case 'diff':
    case 'refused':
    case 'run':
    case 'output':
      return step > 0 ? { kind: 'step', step } : null
    default:
      return assertNever(foundIn, 'place')
  }
}

export function openHit(desk: Desk, { sessionId, item }: HistoryHit): void {
  showEntry(desk, sessionId, item)
}

function forkFromHit(desk: Desk, hit: HistoryHit): void {
  const point = pointOf(hit)
  if (point) forkSession(desk, hit.sessionId, point)
}

/** Runs the command of a letter key for a hit while the list of hits has the focus. Returns false if the key has no command. */
export function runHitKey(desk: Desk, event: KeyboardEvent, hit: HistoryHit, onReplay: (hit: HistoryHit) => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
  switch (event.key) {
    case 'p':
      onReplay(hit)
      return true
    case 'f':
      forkFromHit(desk, hit)
      return true
    default:
      return false
  }
}

export interface HitActionsProps {
  readonly hit: HistoryHit
  readonly onReplay: (hit: HistoryHit) => void
}

/** The actions for the active hit. Their letter keys work while the list has the focus. */
export function HitActions({ hit, onReplay }: HitActionsProps): ReactNode {
  const desk = useDesk()
  return (
    <div className={styles.actions} role="group" aria-label="The active hit">
      <Button small keys="Enter" onPress={() => openHit(desk, hit)}>
        {hit.step > 0 ? `Open at step ${hit.step}` : 'Open'}
      </Button>
      <Button small variant="quiet" keys="P" onPress={() => onReplay(hit)}>
        Replay from here
      </Button>
      <Button
        small
        variant="quiet"
        keys="F"
        disabledReason={pointOf(hit) === null ? 'No step has ended yet' : null}
        onPress={() => forkFromHit(desk, hit)}
      >
        {hit.foundIn === 'you' ? 'Fork before it' : 'Fork from here'}
      </Button>
    </div>
  )
}
