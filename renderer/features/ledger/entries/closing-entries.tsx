import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { chooseFolder } from '../../../state/commands/actions.ts'
import { report } from '../../../state/commands/attempt.ts'

/** The ledger was read anew in the middle of being watched: said calmly, since nothing is lost, and until it is put away. */
export function ResetEntry({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const session = useDesk().session(sessionId)
  const why = useStore(session.store, (open) => (open.session === null ? null : open.resetWhy))
  if (why === null) return null
  return (
    <EntryRow
      mark="note"
      line={<span className="soft clip">The ledger was reloaded from the log. Nothing is lost.</span>}
      effect={
        <Button variant="quiet" small onPress={() => session.forgetReset()}>
          Dismiss
        </Button>
      }
    >
      <p className="note">{why}</p>
    </EntryRow>
  )
}

/** The way on from a rehearsal that came to its end: a project of one's own. */
export function RehearsalEnd({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const isOver = useSession(
    sessionId,
    ({ config, run, ended }) => config.provider === 'rehearsal' && run === 'IDLE' && ended === 'completed',
    false,
  )
  if (!isOver) return null
  return (
    <EntryRow
      mark="note"
      line={<span className="soft">Next, a project of your own.</span>}
      effect={
        <Button small keys="Mod+O" onPress={() => void report(desk, chooseFolder(desk))}>
          Open a folder
        </Button>
      }
    />
  )
}
