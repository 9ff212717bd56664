import { Download, GitFork, LogIn, Maximize2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showEntry, showReplay } from '../../state/commands/actions.ts'
import { forkSession } from '../../state/commands/conversation-actions.ts'
import { saveExport } from '../../state/commands/session-actions.ts'
import { useSession } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import type { ReplayScreen } from './use-replay-screen.tsx'

export interface MomentActionsProps {
  readonly sessionId: SessionId
  readonly screen: ReplayScreen
  /** Closes the pane beside a list. If absent, the replay fills the window. */
  readonly onClose: (() => void) | undefined
}

/** The buttons in the heading above the replayed moment. */
export function MomentActions({ sessionId, screen: { desk, player, moves }, onClose }: MomentActionsProps): ReactNode {
  const items = useSession(sessionId, (session) => session.firstItem + session.items.length, 0)
  const turn = moves === null ? undefined : player.outline?.turns[moves.current]
  const seq = player.outline?.stops[player.at]?.seq ?? null
  return (
    <>
      {onClose === undefined ? (
        <Button variant="quiet" small icon={LogIn} onPress={() => showEntry(desk, sessionId, items === 0 ? null : items - 1)}>
          Show in the session
        </Button>
      ) : (
        <Button variant="quiet" small only icon={Maximize2} label="Show only the replay" onPress={() => showReplay(desk, sessionId, seq)} />
      )}
      <Button
        variant="quiet"
        small
        icon={GitFork}
        disabledReason={turn === undefined ? 'No turn has begun yet' : null}
        onPress={() => turn && forkSession(desk, sessionId, { kind: 'before', seq: turn.seq })}
      >
        Fork before this turn
      </Button>
      <Button variant="quiet" small icon={Download} onPress={() => saveExport(desk, sessionId, 'html')}>
        Export
      </Button>
      {onClose && <Button variant="quiet" small only icon={X} label="Close replay" onPress={onClose} />}
    </>
  )
}
